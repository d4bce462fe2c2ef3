"""One gradient-boosted tree, grown from sums over rows that lie elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from emphatic.check import FloatArray, IntArray
from emphatic.kernels.gradient_trees import Forest, Rules, order_nodes
from emphatic.kernels.spread_trees import find_split


class Moves(NamedTuple):
    """Where rows go from nodes that have new children; see `emphatic.kernels.spread_trees.move_rows`."""

    feature: NDArray[np.int32]
    low: NDArray[np.uint8]
    child: NDArray[np.int32]


class Request(NamedTuple):
    """Which nodes histograms are needed of; see `emphatic.kernels.spread_trees.sum_nodes`."""

    slots: NDArray[np.int32]
    features: NDArray[np.int32]
    starts: IntArray
    n_slots: int


class _Node:
    """A node with its sums, and the best way to split it.

    Its gain is 0 as long as its histograms are not known. Its number is -1 as long as rows are not told to go there.
    """

    def __init__(self, totals: IntArray) -> None:
        self.totals = totals
        """Gradient and second derivative, in steps."""
        self.number, self.gain, self.place, self.low = -1, 0.0, -1, -1
        self.children: tuple[_Node, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether rows go on to its children."""
        return bool(self.children) and self.children[0].number >= 0


class GrowingTree:
    """The leaf that gains most is always split next, as in memory; but every request for sums is a wait for all rows.

    So the tree is grown as far as its known leaves tell. Leaves that would be split then, without knowing their
    children, are requested all at once, until the tree is finished with nothing unknown. The first of them is split in
    any case; the others may turn out to be none of the best, and are not used then. That takes about as many requests
    as the tree is deep, instead of one per leaf.

    Parameters
    ----------
    features : columns of bins that may be asked for
    n_bins, exclusive : of all columns
    rules : how it is grown
    steps : what one step of the gradient and of the second derivative is worth
    """

    def __init__(
        self,
        features: NDArray[np.int32],
        n_bins: IntArray,
        exclusive: NDArray[np.bool_],
        rules: Rules,
        steps: FloatArray,
    ) -> None:
        self.features, self.rules, self.steps = features, rules, steps
        self.starts = np.concatenate([[0], np.cumsum(n_bins[features])])
        self.exclusive = exclusive[features]
        self.nodes: list[_Node] = []
        self._number([_Node(np.zeros(2, np.int64))])
        self._opened: list[_Node] = []
        self._requested: list[tuple[_Node, _Node, NDArray[np.int64] | None]] = [(self.nodes[0], self.nodes[0], None)]
        """(node that is summed, its sibling, the histograms of both); the root is its own sibling."""
        self._sums: dict[_Node, NDArray[np.int64]] = {}

    @property
    def is_finished(self) -> bool:
        return not self._requested

    def request(self) -> Request:
        """What is needed next."""
        slots = np.full(len(self.nodes), -1, np.int32)
        for slot, (node, _, _) in enumerate(self._requested):
            slots[node.number] = slot
        return Request(slots, self.features, self.starts, len(self._requested))

    def move(self) -> Moves:
        """Where rows go before that, or, when the tree is finished, where they end."""
        feature, child = np.zeros((2, len(self.nodes)), np.int32)
        low = np.zeros(len(self.nodes), np.uint8)
        for node in self._opened:
            feature[node.number], low[node.number] = self.features[node.place], node.low
            child[node.number] = node.children[0].number
        return Moves(feature, low, child)

    def receive(self, sums: NDArray[np.int64]) -> None:
        """The sums of the request, over all rows: (slots, 2, bins)."""
        for (node, sibling, both), found in zip(self._requested, sums, strict=True):
            if both is None:
                node.totals = found[:, : self.starts[1]].sum(axis=1)
            else:
                self._learn(sibling, both - found)
            self._learn(node, found)
        waiting, order, first = self._choose()
        self._opened = waiting or [one for one, at in zip(order, first, strict=True) if at and not one.is_open]
        for node in self._opened:
            self._number(node.children)
        self._requested = [self._pair(node) for node in waiting]

    def fill(self, forest: Forest, number: int) -> FloatArray:
        """Write the finished tree into its room in the forest; return what it says about rows in each of the nodes."""
        _, order, first = self._choose()
        begin = number * (2 * self.rules.leaves - 1)
        forest.sizes[number] = len(order)
        queue = order_nodes(np.array(first, np.int32), forest.child[begin : begin + len(order)])
        said = np.zeros(len(self.nodes))
        for place, node in enumerate((order[k] for k in queue), start=begin):
            if forest.child[place] > 0:
                forest.feature[place], forest.low[place] = self.features[node.place], node.low
            else:
                gradient, second = self.steps * node.totals
                forest.value[place] = -self.rules.rate * gradient / (second + self.rules.ridge)
                _say(node, float(forest.value[place]), said)
        return said

    def _learn(self, node: _Node, sums: NDArray[np.int64]) -> None:
        """Find the best split of a node with these sums."""
        starts = self.starts
        limits = self.rules.ridge / self.steps[1], self.rules.least / self.steps[1]
        node.gain, node.place, node.low = find_split(sums, starts, self.exclusive, *limits)
        if node.gain > 0.0:
            above = sums[:, starts[node.place] + node.low + 1 : starts[node.place + 1]]
            second = (above[:, :1] if self.exclusive[node.place] else above).sum(axis=1)
            node.children = _Node(node.totals - second), _Node(second)
            self._sums[node] = sums

    def _pair(self, node: _Node) -> tuple[_Node, _Node, NDArray[np.int64]]:
        """The child with the smaller second derivative, about the fewer rows, which is summed; the other; and both."""
        first, second = node.children
        smaller = first.totals[1] <= second.totals[1]
        return *((first, second) if smaller else (second, first)), self._sums.pop(node)

    def _number(self, nodes: Sequence[_Node]) -> None:
        for node in nodes:
            node.number = len(self.nodes)
            self.nodes.append(node)

    def _choose(self) -> tuple[list[_Node], list[_Node], list[int]]:
        """Leaves to be split of which more must be known; and the tree as far as it is known.

        The tree is its nodes in the order in which they are made, and where the children of each begin (0: none).
        """
        order, first = [self.nodes[0]], [0]
        waiting = []
        for n_leaves in range(2, self.rules.leaves + 1):
            gains = [0.0 if children else one.gain for one, children in zip(order, first, strict=True)]
            best = int(np.argmax(gains))
            if gains[best] <= 0.0:
                break
            node = order[best]
            if not node.is_open and n_leaves < self.rules.leaves:  # children of the last one are leaves in any case
                waiting.append(node)
            first[best] = len(order)
            order.extend(node.children)
            first.extend([0, 0])
        return waiting, order, first


def _say(node: _Node, value: float, said: FloatArray) -> None:
    """The value of a leaf is that of nodes below it, too, which were tried and are not used."""
    said[node.number] = value
    for child in node.children if node.is_open else ():
        _say(child, value, said)
