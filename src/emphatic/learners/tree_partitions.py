"""A tree with random thresholds on a table in partitions: it grows by a level with every two sums over them.

The first tells of every new node which classes it holds and how far the columns reach that it tries, the second how
each of its splits would divide the classes. No row moves: a partition finds the nodes of its rows in the tree so far.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from emphatic.check import FloatArray, IntArray
from emphatic.deferred import evaluate
from emphatic.kernels import tree_levels
from emphatic.kernels.random_trees import Short, Single, Trees, is_mixed
from emphatic.partitions import Partitions, send_once


class PartitionedTable:
    """A training table in partitions, whose columns are held where its rows are, in single precision."""

    def __init__(self, rows: Partitions, y: Any, n_classes: int) -> None:
        self.rows, self.n_classes = rows, n_classes
        self.held = rows.hold(lay_out, y)

    def describe_nodes(self, weights: Any, nodes: Nodes, first: int, features: Short) -> Level:
        """What all rows tell of the nodes from `first` on."""
        found: Level = self._ask(describe_level, weights, (nodes, first, features, self.n_classes), merge_levels)
        return found

    def weigh_splits(
        self, weights: Any, nodes: Nodes, first: int, features: Short, thresholds: Single
    ) -> tuple[FloatArray, IntArray]:
        """How all rows would be divided by the splits of the nodes from `first` on."""
        left, counts = self._ask(weigh_level, weights, (nodes, first, features, thresholds, self.n_classes))
        return left, counts

    def _ask(self, function: Any, weights: Any, level: tuple[Any, ...], merge: Any = None) -> Any:
        sent = [send_once(level)]
        found = self.rows.total(function, self.held, weights, shared=sent, merge=merge, reads=False)
        return evaluate(found)[0]


class Nodes(NamedTuple):
    """The nodes of a tree so far, as `Trees` has them."""

    feature: Short
    threshold: Single
    child: Short

    def append_children(self, splits: Splits) -> Nodes:
        """The tree with a level more: two nodes for each of its last nodes that is split."""
        earlier, is_split = slice(len(self.child) - len(splits.feature)), splits.feature >= 0
        child = np.where(is_split, len(self.child) + 2 * (np.cumsum(is_split) - 1), 0)
        new = np.zeros(2 * int(is_split.sum()), np.int32)
        return Nodes(
            np.concatenate([self.feature[earlier], np.where(is_split, splits.feature, 0), new], dtype=np.int32),
            np.concatenate([self.threshold[earlier], np.where(is_split, splits.threshold, 0), new], dtype=np.float32),
            np.concatenate([self.child[earlier], child, new], dtype=np.int32, casting="same_kind"),
        )


class Splits(NamedTuple):
    """One split for each node of a level; a leaf has the feature -1."""

    feature: Short
    threshold: Single


class Level(NamedTuple):
    """Of the nodes of a level: weights of the classes, rows, least and largest values of the columns that are tried."""

    totals: FloatArray
    sizes: IntArray
    lows: Single
    highs: Single


def grow_in_partitions(
    table: PartitionedTable, weights: Any, seed: np.uint64, n_tries: int, max_depth: int, least: int
) -> Trees:
    """`random_trees.grow` of all rows, level by level: the same draws, and so the same tree."""
    n_features, first, values = table.rows.shape[1], 0, []
    nodes = Nodes(np.zeros(1, np.int32), np.zeros(1, np.float32), np.zeros(1, np.int32))
    for depth in range(max_depth + 1):
        size, n_turns = len(nodes.child) - first, 2 * n_tries if depth < max_depth else 0
        features, shares = np.empty((size, n_turns), np.int32), np.empty((size, n_turns), np.float32)
        tree_levels.draw_level(seed, n_tries, first, n_features, features, shares)
        level = table.describe_nodes(weights, nodes, first, features)
        values.append(level.totals / level.totals.sum(axis=1, keepdims=True))
        is_open = [size >= 2 * least and is_mixed(total) for size, total in zip(level.sizes, level.totals)]
        if not n_turns or not any(is_open):
            break
        tried, thresholds = place_thresholds(level, np.array(is_open), features, shares, n_tries)
        left, counts = table.weigh_splits(weights, nodes, first, tried, thresholds)
        chosen = tree_levels.choose_splits(tried, left, counts, level.totals, level.sizes, least)
        if (chosen < 0).all():
            break
        places = np.arange(size), chosen
        splits = Splits(np.where(chosen >= 0, tried[places], -1), thresholds[places])
        first, nodes = first + size, nodes.append_children(splits)
    return Trees(*nodes, np.concatenate(values), np.zeros(1, np.int32))


def place_thresholds(
    level: Level, is_open: np.ndarray, features: Short, shares: Single, n_tries: int
) -> tuple[Short, Single]:
    """The splits that each node tries, (nodes, n_tries): its first draws that divide it; -1 for those it lacks."""
    with np.errstate(invalid="ignore"):  # of a node without rows
        thresholds = level.lows + shares * (level.highs - level.lows)
    divides = (level.lows <= thresholds) & (thresholds < level.highs) & is_open[:, None]
    place = np.cumsum(divides, axis=1) - 1
    node, turn = np.nonzero(divides & (place < n_tries))
    tried, kept = np.full((len(features), n_tries), -1, np.int32), np.zeros((len(features), n_tries), np.float32)
    tried[node, place[node, turn]] = features[node, turn]
    kept[node, place[node, turn]] = thresholds[node, turn]
    return tried, kept


class Rows(NamedTuple):
    """The rows of one partition as the kernels read them: columns (features, n), and codes."""

    columns: Single
    codes: IntArray


def lay_out(X: FloatArray, y: IntArray) -> Rows:
    """Rows in single precision, feature by feature."""
    return Rows(np.ascontiguousarray(X.T, dtype=np.float32), y.astype(np.intp))


def describe_level(held: Sequence[Rows], weights: FloatArray, asked: tuple[Nodes, int, Short, int]) -> Level:
    """What the rows of one partition tell of the nodes from `first` on."""
    nodes, first, features, n_classes = asked
    size = len(features)
    lows, highs = np.empty(features.shape, np.float32), np.empty(features.shape, np.float32)
    level = Level(np.empty((size, n_classes)), np.empty(size, np.intp), lows, highs)
    tree_levels.describe_nodes(*_locate_rows(held[0], weights, nodes), first, features.copy(), *level)
    return level


def merge_levels(parts: Sequence[Level]) -> Level:
    """What the rows of several partitions tell."""
    totals, sizes, lows, highs = zip(*parts, strict=True)
    return Level(sum(totals[1:], totals[0]), sum(sizes[1:], sizes[0]), np.min(lows, axis=0), np.max(highs, axis=0))


def weigh_level(
    held: Sequence[Rows], weights: FloatArray, asked: tuple[Nodes, int, Short, Single, int]
) -> tuple[FloatArray, IntArray]:
    """How the rows of one partition would be divided."""
    nodes, first, features, thresholds, n_classes = asked
    left, counts = np.empty((*features.shape, n_classes)), np.empty(features.shape, np.intp)
    rows = _locate_rows(held[0], weights, nodes)
    tree_levels.weigh_splits(*rows, first, features.copy(), thresholds.copy(), left, counts)
    return left, counts


def _locate_rows(rows: Rows, weights: FloatArray, nodes: Nodes) -> tuple[Single, IntArray, FloatArray, Short]:
    """Columns, codes and weights of the rows, and their nodes, as the kernels take them.

    Small arrays are copied: what has come from elsewhere is read-only, for which numba would compile the kernels anew.
    """
    places = tree_levels.find_nodes(rows.columns, *(one.copy() for one in nodes))
    return *rows, np.require(weights, requirements=["C", "W"]), places
