"""What a tree makes of the masses of its nodes: a walk to one leaf, or all evidence combined (paper 003, 2.1.2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from emphatic.check import FloatArray, IntArray
from emphatic.multiview.class_tree.node import Node

Said = Callable[[Node, IntArray], FloatArray]
"""Masses (rows, 2) that a node puts on its two sides for these rows; what they lack to 1 is ignorance."""


class Evidence(NamedTuple):
    """What is left for single classes, (n, K), and what falls on the empty set, (n,)."""

    supports: FloatArray
    conflict: FloatArray


def walk(root: Node, said: Said, shape: tuple[int, int]) -> FloatArray:
    """(n, K): 1 for the class at the end of the walk that follows the larger mass (of equal ones the first), else 0."""
    supports = np.zeros(shape)

    def follow(node: Node, rows: IntArray) -> None:
        masses = said(node, rows)
        goes_second = masses[:, 1] > masses[:, 0]
        for reached, classes, child in (
            (rows[~goes_second], node.first, node.left),
            (rows[goes_second], node.second, node.right),
        ):
            if child is None:
                supports[reached, classes[0]] = 1.0
            elif len(reached):
                follow(child, reached)

    follow(root, np.arange(shape[0]))
    return supports


def combine(root: Node, said: Said, shape: tuple[int, int], masses: str) -> Evidence:
    r"""The orthogonal sum of all nodes without normalisation (equation 6), in closed form.

    Node n puts :math:`w_n` on each of its sides and the rest, :math:`\theta_n`, on all classes. Sides are nested or
    disjoint, so what is not conflict stays on sides and on all classes: a side S of node n gets

    .. math:: m(S) = w_n(S) \prod_{a \text{ above } n} \bigl(w_a(S) + \theta_a\bigr) \prod_{\text{others}} \theta_o

    The masses are those that the node says ("plain"), or these discounted by the product of the masses that lead from
    the root to the node ("discount"). "balloon" lets a node speak about its own classes only, its sets being a side
    and all classes that never come to the node; then :math:`m(\{c\}) = \prod_{\text{path}} w_n(c)`, without conflict.
    """
    if masses == "balloon":
        return Evidence(_balloon(root, said, shape), np.zeros(shape[0]))
    part = _part(root, said, np.ones(shape[0]), discount=masses == "discount")
    supports = np.zeros(shape)
    kept = part.silent + _spread(root, part, np.ones(shape[0]), supports)
    return Evidence(supports, np.clip(1.0 - kept, 0.0, 1.0))


class _Part(NamedTuple):
    """A node's masses, its ignorance, and the product of the ignorance of the node and of all below."""

    sides: FloatArray
    unknown: FloatArray
    silent: FloatArray
    children: tuple[_Part | None, _Part | None]


def _part(node: Node, said: Said, trust: FloatArray, discount: bool) -> _Part:
    sides = said(node, np.arange(len(trust))) * trust[:, None]
    unknown = np.maximum(1.0 - sides.sum(axis=1), 0.0)
    below = [
        None if child is None else _part(child, said, sides[:, k] if discount else trust, discount)
        for k, child in enumerate(node.children)
    ]
    silent = unknown * _silence(below[0]) * _silence(below[1])
    return _Part(sides, unknown, silent, (below[0], below[1]))


def _spread(node: Node, part: _Part, above: FloatArray, supports: FloatArray) -> FloatArray:
    """Put the masses of single classes into `supports`; return the mass of all sides of the node and below."""
    total = np.zeros(len(above))
    for k, (classes, child) in enumerate(zip((node.first, node.second), node.children, strict=True)):
        below, beside = part.children[k], _silence(part.children[1 - k])
        mass = above * part.sides[:, k] * beside * _silence(below)
        total += mass
        if child is None or below is None:
            supports[:, classes[0]] = mass
        else:
            total += _spread(child, below, above * (part.sides[:, k] + part.unknown) * beside, supports)
    return total


def _silence(part: _Part | None) -> FloatArray | float:
    return 1.0 if part is None else part.silent


def _balloon(root: Node, said: Said, shape: tuple[int, int]) -> FloatArray:
    supports = np.zeros(shape)

    def descend(node: Node, so_far: FloatArray) -> None:
        masses = said(node, np.arange(shape[0])) * so_far[:, None]
        for k, (classes, child) in enumerate(zip((node.first, node.second), node.children, strict=True)):
            if child is None:
                supports[:, classes[0]] = masses[:, k]
            else:
                descend(child, masses[:, k])

    descend(root, np.ones(shape[0]))
    return supports
