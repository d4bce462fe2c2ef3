"""From the masses of the nodes to supports of the classes: a walk, or all evidence combined (paper 003, 2.1.2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from emphatic.answers import check_finite, name_errors
from emphatic.base import output_of
from emphatic.check import FloatArray, IntArray
from emphatic.multiview.class_tree.node import Node

SIDES = np.array([0, 1])
"""The labels that the classifier of a node learns."""

Ask = Callable[[Node, IntArray], FloatArray]
"""Masses (rows, 2) that a node puts on its two sides for these rows; what they lack to 1 is ignorance."""


class Evidence(NamedTuple):
    """Mass on single classes, (n, K), and on the empty set, (n,)."""

    supports: FloatArray
    conflict: FloatArray


def predict_masses(view: str, classifier: Any, X: FloatArray) -> FloatArray:
    """(n, 2) masses on the two sides; they sum to 1 unless the classifier can express ignorance by `supports`.

    An error begins with the name of the view.
    """
    with name_errors(view, classifier):
        if hasattr(classifier, "supports"):
            return check_finite(classifier, "supports", np.asarray(classifier.supports(X)))
        second = np.clip((1.0 + output_of(classifier, X, SIDES)) / 2.0, 0.0, 1.0)
    return np.column_stack([1.0 - second, second])


def walk(root: Node, ask: Ask, shape: tuple[int, int]) -> FloatArray:
    """(n, K): 1 for the class reached by following the larger mass at every node (ties: the first side), else 0."""
    supports = np.zeros(shape)

    def follow(node: Node, rows: IntArray) -> None:
        masses = ask(node, rows)
        goes_second = masses[:, 1] > masses[:, 0]
        for (classes, child), arrived in zip(node.branches, (~goes_second, goes_second), strict=True):
            if child is None:
                supports[rows[arrived], classes[0]] = 1.0
            elif arrived.any():
                follow(child, rows[arrived])

    follow(root, np.arange(shape[0]))
    return supports


def combine(root: Node, ask: Ask, shape: tuple[int, int], masses: str) -> Evidence:
    r"""The orthogonal sum of all nodes without normalisation (equation 6), in closed form.

    Node n puts :math:`w_n` on each of its sides and the rest, :math:`\theta_n`, on all classes. Sides are nested or
    disjoint, so what is not conflict stays on sides and on all classes: a side S of node n gets

    .. math:: m(S) = w_n(S) \prod_{a \text{ above } n} \bigl(w_a(S) + \theta_a\bigr) \prod_{\text{others}} \theta_o

    The masses are those of the node ("plain"), or these discounted by the product of the masses that lead from the
    root to the node ("discount"). With "balloon" a node judges its own classes only, its sets being a side and all
    classes that never reach the node; then :math:`m(\{c\}) = \prod_{\text{path}} w_n(c)`, without conflict.
    """
    supports, everything = np.zeros(shape), np.ones(shape[0])
    weighed = _weigh(root, ask, everything, masses != "plain", supports)
    if masses == "balloon":
        return Evidence(supports, np.zeros(shape[0]))
    kept = weighed.silent + _spread(root, weighed, everything, supports)
    return Evidence(supports, np.clip(1.0 - kept, 0.0, 1.0))


class _Weighed(NamedTuple):
    """A node's masses, its ignorance, and the product of the ignorance of the node and of all nodes below it."""

    sides: FloatArray
    unknown: FloatArray
    silent: FloatArray
    children: list[_Weighed | None]


def _weigh(node: Node, ask: Ask, trust: FloatArray, discount: bool, supports: FloatArray) -> _Weighed:
    """The masses of the node and of all below; those of single classes, the products along a path, go to `supports`."""
    sides = ask(node, np.arange(len(trust))) * trust[:, None]
    unknown = np.maximum(1.0 - sides.sum(axis=1), 0.0)
    below: list[_Weighed | None] = [None, None]
    for k, (classes, child) in enumerate(node.branches):
        if child is None:
            supports[:, classes[0]] = sides[:, k]
        else:
            below[k] = _weigh(child, ask, sides[:, k] if discount else trust, discount, supports)
    return _Weighed(sides, unknown, unknown * _silence(below[0]) * _silence(below[1]), below)


def _spread(node: Node, weighed: _Weighed, above: FloatArray, supports: FloatArray) -> FloatArray:
    """Put the masses of single classes into `supports`; return the mass of all sides of the node and below."""
    total = np.zeros(len(above))
    for k, (classes, child) in enumerate(node.branches):
        below, beside = weighed.children[k], _silence(weighed.children[1 - k])
        mass = above * weighed.sides[:, k] * beside * _silence(below)
        total += mass
        if child is None or below is None:
            supports[:, classes[0]] = mass
        else:
            total += _spread(child, below, above * (weighed.sides[:, k] + weighed.unknown) * beside, supports)
    return total


def _silence(weighed: _Weighed | None) -> FloatArray | float:
    return 1.0 if weighed is None else weighed.silent
