"""The shape of a class tree: nodes, each with two sets of classes and the view on which it tells them apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from emphatic.check import IntArray

Classes = tuple[int, ...]
Split = tuple[str, Classes, Classes]


@dataclass(frozen=True)
class Node:
    """Two sets of class codes, the view that tells them apart, and what comes below: None below a single class.

    Nodes compare by their shape, so equal trees are equal objects.

    >>> tree = Node("petal", (0,), (1, 2), None, Node("sepal", (1,), (2,), None, None))
    >>> [node.view for node in tree], tree.right == Node("sepal", (1,), (2,), None, None)
    (['petal', 'sepal'], True)
    """

    view: str
    first: Classes
    second: Classes
    left: Node | None
    right: Node | None

    @property
    def split(self) -> Split:
        """What the classifier of the node depends on, whatever tree it belongs to."""
        return self.view, self.first, self.second

    @property
    def children(self) -> tuple[Node | None, Node | None]:
        """Below the first and below the second set."""
        return self.left, self.right

    def __iter__(self) -> Iterator[Node]:
        """All nodes, this one first, then those below its first set."""
        yield self
        for child in self.children:
            if child is not None:
                yield from child


def sides(split: Split, n_classes: int) -> IntArray:
    """The side of every class at a split: 0, 1, or -1 where the class does not come there.

    >>> sides(("petal", (0,), (2, 3)), 4)
    array([ 0, -1,  1,  1])
    """
    found = np.full(n_classes, -1, dtype=np.intp)
    found[list(split[1])] = 0
    found[list(split[2])] = 1
    return found
