"""The shape of a class tree: nodes that split their classes in two; and the tree as text and as a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from emphatic.check import IntArray

Classes = tuple[int, ...]
Split = tuple[str, Classes, Classes]


@dataclass(frozen=True)
class Node:
    """Two sets of class codes, the view that tells them apart, and the nodes below: None below a single class.

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
        """All that the classifier of the node depends on, whatever tree it belongs to."""
        return self.view, self.first, self.second

    @property
    def branches(self) -> tuple[tuple[Classes, Node | None], tuple[Classes, Node | None]]:
        """Each of the two sets with the node below it."""
        return (self.first, self.left), (self.second, self.right)

    def __iter__(self) -> Iterator[Node]:
        """All nodes, this one first, then those below its first set."""
        yield self
        for _, child in self.branches:
            if child is not None:
                yield from child


def plant_tree(splits: Sequence[Split]) -> Node:
    """The tree whose nodes, in the order of iteration, have these splits; ValueError if there is none.

    >>> tree = plant_tree([("petal", (0,), (1, 2)), ("sepal", (1,), (2,))])
    >>> [node.split for node in tree]
    [('petal', (0,), (1, 2)), ('sepal', (1,), (2,))]
    """
    rest = iter(splits)

    def plant(classes: Classes | None) -> Node:
        view, first, second = next(rest, ("", (), ()))
        if not first or not second or len({*first, *second}) < len(first) + len(second):
            raise ValueError("a node must have two sets of different classes")
        if classes is not None and set(classes) != {*first, *second}:
            raise ValueError(f"a node has the classes {(*first, *second)}, and those above it {classes}")
        left, right = (plant(side) if len(side) > 1 else None for side in (first, second))
        return Node(view, first, second, left, right)

    root = plant(None)
    if next(rest, None) is not None:
        raise ValueError("there are more splits than nodes")
    return root


def assign_sides(split: Split, n_classes: int) -> IntArray:
    """The side of each class at a split: 0, 1, or -1 for a class that does not reach it.

    >>> assign_sides(("petal", (0,), (2, 3)), 4)
    array([ 0, -1,  1,  1])
    """
    sides = np.full(n_classes, -1, dtype=np.intp)
    sides[list(split[1])] = 0
    sides[list(split[2])] = 1
    return sides


def format_tree(root: Node, labels: np.ndarray) -> Iterator[str]:
    """One line per node and per leaf, indented by depth.

    >>> import numpy as np
    >>> tree = Node("sound", (0,), (1, 2), None, Node("colour", (1,), (2,), None, None))
    >>> print(*format_tree(tree, np.array(["cat", "crow", "dove"])), sep="\\n")
    sound: cat | crow, dove
    ├─ cat
    └─ colour: crow | dove
       ├─ crow
       └─ dove
    """
    yield _title(root, labels)
    for (classes, child), first, rest in zip(root.branches, ("├─ ", "└─ "), ("│  ", "   "), strict=True):
        lines = [_names(classes, labels)] if child is None else list(format_tree(child, labels))
        yield first + lines[0]
        yield from (rest + line for line in lines[1:])


def plot_tree(root: Node, labels: np.ndarray) -> Any:
    """A plotly figure: nodes with their views, leaves with their classes; hovering over a node shows its two sets."""
    try:
        import plotly.graph_objects as go
    except ImportError as error:
        raise ImportError('Plotting the tree needs plotly: pip install "emphatic[plot]"') from error
    marks = list(_place_marks(root, labels, 0, []))
    edges = [(mark, mark.above) for mark in marks if mark.above is not None]
    lines = go.Scatter(
        x=[value for mark, above in edges for value in (above.x, mark.x, None)],
        y=[value for mark, above in edges for value in (above.y, mark.y, None)],
        mode="lines",
        line={"color": "#94a3b8"},
        hoverinfo="skip",
    )
    figure = go.Figure([lines])
    for leaf, colour in ((False, "#1d4ed8"), (True, "#c2410c")):
        shown = [mark for mark in marks if mark.leaf == leaf]
        figure.add_trace(
            go.Scatter(
                x=[mark.x for mark in shown],
                y=[mark.y for mark in shown],
                text=[mark.text for mark in shown],
                hovertext=[mark.hover for mark in shown],
                hoverinfo="text",
                mode="markers+text",
                textposition="bottom center" if leaf else "top center",
                marker={"size": 12, "color": colour, "symbol": "square" if leaf else "circle"},
            )
        )
    blank = {"showgrid": False, "zeroline": False, "showticklabels": False}
    figure.update_layout(template="plotly_white", showlegend=False, xaxis=blank, yaxis=blank)
    return figure


class _Mark(NamedTuple):
    """Position and text of a node or a leaf in the figure, and the node above it, if any."""

    x: float
    y: float
    leaf: bool
    text: str
    hover: str
    above: _Mark | None = None


def _place_marks(root: Node, labels: np.ndarray, depth: int, leaves: list[str]) -> Iterator[_Mark]:
    """The marks below, and last that of the node, centred above them; `leaves` collects the leaves from the left."""
    below = []
    for classes, child in root.branches:
        if child is None:
            name = _names(classes, labels)
            below.append(_Mark(len(leaves), -depth - 1, True, name, name))
            leaves.append(name)
        else:
            *others, top = _place_marks(child, labels, depth + 1, leaves)
            yield from others
            below.append(top)
    here = _Mark((below[0].x + below[1].x) / 2, -depth, False, root.view, _title(root, labels))
    yield from (one._replace(above=here) for one in below)
    yield here


def _title(node: Node, labels: np.ndarray) -> str:
    return f"{node.view}: {_names(node.first, labels)} | {_names(node.second, labels)}"


def _names(classes: Classes, labels: np.ndarray) -> str:
    return ", ".join(str(labels[code]) for code in classes)
