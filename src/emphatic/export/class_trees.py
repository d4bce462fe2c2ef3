"""Class trees and multi-view forests: the evidence of all nodes, combined as `class_tree.evaluation` does."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from emphatic.export.answer import Answer, answer_by_probabilities, normalise_rows
from emphatic.export.conversion import convert_member, converts
from emphatic.export.fusion import fuse
from emphatic.export.graph import Value
from emphatic.export.table import Table
from emphatic.multiview import ClassTreeClassifier, MultiViewForestClassifier
from emphatic.multiview.class_tree.evaluation import SIDES
from emphatic.multiview.class_tree.node import Node, Split


@converts(ClassTreeClassifier)
def _convert_class_tree(model: ClassTreeClassifier, table: Table) -> Answer:
    n_classes = len(model.classes_)
    supports = _evaluate(model, NodeMasses(model.columns_, table))
    return answer_by_probabilities(normalise_rows(supports, n_classes), n_classes, supports)


@converts(MultiViewForestClassifier)
def _convert_forest(model: MultiViewForestClassifier, table: Table) -> Answer:
    n_classes, masses = len(model.classes_), NodeMasses(model.columns_, table)
    supports = [_evaluate(tree, masses) for tree in model.estimators_]
    return answer_by_probabilities(fuse(model.fusion, supports, n_classes), n_classes)


class NodeMasses:
    """Masses that nodes put on their two sides; each split is converted once, however many trees have it."""

    def __init__(self, columns: dict[str, Any], table: Table) -> None:
        self.columns, self.table = columns, table
        self._views: dict[str, Table] = {}
        self._found: dict[Split, tuple[Value, Value]] = {}

    def of(self, tree: ClassTreeClassifier, node: Node) -> tuple[Value, Value]:
        """(rows, 1) for each side; what they lack to 1 is ignorance."""
        if node.view not in self._views:
            self._views[node.view] = self.table.take(self.columns[node.view])
        if node.split not in self._found:
            self._found[node.split] = self._convert(tree.classifiers_[node.split], self._views[node.view])
        return self._found[node.split]

    def _convert(self, classifier: Any, view: Table) -> tuple[Value, Value]:
        answer = convert_member(classifier, view, SIDES)
        if answer.supports is not None:
            return answer.supports.columns([0]), answer.supports.columns([1])
        second = ((1.0 + answer.output) / 2.0).at_least(0.0).at_most(1.0)
        return 1.0 - second, second


class Branch(NamedTuple):
    """A node's masses and ignorance, the product of the ignorance of the node and all below, and the nodes below."""

    sides: tuple[Value, Value]
    unknown: Value
    silent: Value
    below: tuple[Branch | None, Branch | None]


def _evaluate(model: ClassTreeClassifier, masses: NodeMasses) -> Value:
    """(rows, K): the supports of the classes."""
    found: dict[int, Value] = {}
    everything = masses.table.constant_column(1.0)
    if model.evaluation == "walk":
        _walk(model, model.root_, masses, everything, found)
    else:
        root = _weigh(model, model.root_, masses, everything, found)
        if model.masses != "balloon":
            _spread(model.root_, root, everything, found)
    nothing = masses.table.constant_column(0.0)
    supports = nothing.graph.concatenate([found.get(code, nothing) for code in range(len(model.classes_))])
    normalised = model.evaluation == "evidence" and model.normalise
    return normalise_rows(supports, len(model.classes_)) if normalised else supports


def _walk(model: ClassTreeClassifier, node: Node, masses: NodeMasses, arrived: Value, found: dict[int, Value]) -> None:
    """1 for the class reached by following the larger mass at every node (ties: the first side), else 0."""
    first, second = masses.of(model, node)
    goes_second = (second > first).cast(np.float64)
    for (classes, child), follows in zip(node.branches, (1.0 - goes_second, goes_second), strict=True):
        if child is None:
            found[classes[0]] = arrived * follows
        else:
            _walk(model, child, masses, arrived * follows, found)


def _weigh(model: ClassTreeClassifier, node: Node, masses: NodeMasses, trust: Value, found: dict[int, Value]) -> Branch:
    """The masses of the node and of all below; those of single classes, the products along a path, go to `found`."""
    first, second = masses.of(model, node)
    sides = first * trust, second * trust
    unknown = (1.0 - (sides[0] + sides[1])).at_least(0.0)
    below: list[Branch | None] = []
    for mass, (classes, child) in zip(sides, node.branches, strict=True):
        if child is None:
            found[classes[0]] = mass
            below.append(None)
        else:
            below.append(_weigh(model, child, masses, trust if model.masses == "plain" else mass, found))
    silent = unknown * _silence(below[0]) * _silence(below[1])
    return Branch(sides, unknown, silent, (below[0], below[1]))


def _spread(node: Node, branch: Branch, above: Value, found: dict[int, Value]) -> None:
    """Masses of single classes, after the orthogonal sum of all nodes."""
    for k, (classes, child) in enumerate(node.branches):
        below, beside = branch.below[k], _silence(branch.below[1 - k])
        if child is None or below is None:
            found[classes[0]] = above * branch.sides[k] * beside
        else:
            _spread(child, below, above * (branch.sides[k] + branch.unknown) * beside, found)


def _silence(branch: Branch | None) -> Value | float:
    return 1.0 if branch is None else branch.silent
