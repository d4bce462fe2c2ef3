"""One gradient-boosted tree, grown from sums over rows that lie elsewhere."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from emphatic.check import FloatArray, IntArray
from emphatic.kernels.gradient_trees import Forest, Rules, order_nodes
from emphatic.kernels.spread_trees import find_split


class Plan(NamedTuple):
    """Which leaves of a tree histograms are needed of; see `emphatic.kernels.spread_trees.sum_nodes`."""

    feature: NDArray[np.int32]
    low: NDArray[np.uint8]
    child: NDArray[np.int32]
    slots: NDArray[np.int32]
    features: NDArray[np.int32]
    starts: IntArray
    n_slots: int


class _Node:
    """A node with its sums, and the best way to split it."""

    def __init__(self, totals: IntArray) -> None:
        self.totals = totals
        """Gradient and second derivative, in steps."""
        self.gain, self.place, self.low = 0.0, -1, -1
        self.place_of_children = 0
        self.stand_ins: tuple[_Node, ...] = ()
        """What its children would be if nothing but their totals were known."""


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
        self.nodes = [_Node(np.zeros(2, np.int64))]
        self._sums: dict[int, NDArray[np.int64]] = {}
        self._requested: list[tuple[int, int, int]] = [(0, 0, 0)]
        """(parent, the child that is summed, its sibling); the root is its own."""

    @property
    def is_finished(self) -> bool:
        return not self._requested

    def plan(self) -> Plan:
        """What is needed next."""
        slots = np.full(len(self.nodes), -1, np.int32)
        for slot, (_, child, _) in enumerate(self._requested):
            slots[child] = slot
        asked = [self.features[max(one.place, 0)] for one in self.nodes]
        low = [max(one.low, 0) for one in self.nodes]
        child_of = [one.place_of_children for one in self.nodes]
        return Plan(
            np.array(asked, np.int32),
            np.array(low, np.uint8),
            np.array(child_of, np.int32),
            slots,
            self.features,
            self.starts,
            len(self._requested),
        )

    def receive(self, sums: NDArray[np.int64]) -> None:
        """The sums of the plan, over all rows: (slots, 2, bins)."""
        for (parent, child, sibling), found in zip(self._requested, sums, strict=True):
            if child == 0:
                self.nodes[0].totals = found[:, : self.starts[1]].sum(axis=1)
            else:
                self._learn(sibling, self._sums.pop(parent) - found)
            self._learn(child, found)
        waiting, _ = self._choose()
        self._requested = [self._expand(node) for node in waiting]

    def fill(self, forest: Forest, number: int) -> slice:
        """Write the finished tree into its room in the forest; return which part of the room it needs."""
        _, (order, first) = self._choose()
        room = 2 * self.rules.leaves - 1
        places = slice(number * room, number * room + len(order))
        forest.sizes[number] = len(order)
        queue = order_nodes(np.array(first, np.int32), forest.child[places])
        for place, node in zip(range(places.start, places.stop), (order[k] for k in queue), strict=True):
            if forest.child[place] > 0:
                forest.feature[place], forest.low[place] = self.features[node.place], node.low
                forest.value[place] = 0.0
            else:
                gradient, second = self.steps * node.totals
                forest.feature[place], forest.low[place] = 0, 0
                forest.value[place] = -self.rules.rate * gradient / (second + self.rules.ridge)
        return places

    def _learn(self, number: int, sums: NDArray[np.int64]) -> None:
        """Find the best split of a node with these sums."""
        self._sums[number] = sums
        node, starts = self.nodes[number], self.starts
        limits = self.rules.ridge / self.steps[1], self.rules.least / self.steps[1]
        node.gain, node.place, node.low = find_split(sums, starts, self.exclusive, *limits)
        if node.gain <= 0.0:
            return
        column = sums[:, starts[node.place] : starts[node.place + 1]]
        above = column[:, node.low + 1 :]
        second = (above[:, :1] if self.exclusive[node.place] else above).sum(axis=1)
        node.stand_ins = _Node(node.totals - second), _Node(second)

    def _expand(self, number: int) -> tuple[int, int, int]:
        """Give a node its children; the one with the smaller second derivative, about the fewer rows, is summed."""
        node, first = self.nodes[number], len(self.nodes)
        node.place_of_children = first
        self.nodes.extend(node.stand_ins)
        is_first_smaller = node.stand_ins[0].totals[1] <= node.stand_ins[1].totals[1]
        return (number, first, first + 1) if is_first_smaller else (number, first + 1, first)

    def _choose(self) -> tuple[list[int], tuple[list[_Node], list[int]]]:
        """Leaves to be split of which more must be known; and the tree as far as it is known.

        The tree is its nodes in the order in which they are made, and where the children of each begin (0: none).
        """
        order, numbers, first = [self.nodes[0]], [0], [0]
        waiting = []
        for n_leaves in range(2, self.rules.leaves + 1):
            gains = [0.0 if children else one.gain for one, children in zip(order, first, strict=True)]
            best = int(np.argmax(gains))
            if gains[best] <= 0.0:
                break
            node, begin = order[best], order[best].place_of_children
            first[best] = len(order)
            if (
                begin == 0 and n_leaves < self.rules.leaves
            ):  # the children of the last one are leaves, whatever they are
                waiting.append(numbers[best])
            order.extend(self.nodes[begin : begin + 2] if begin else node.stand_ins)
            numbers.extend([begin, begin + 1])
            first.extend([0, 0])
        return waiting, (order, first)
