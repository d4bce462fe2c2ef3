"""Gradient-boosted trees of all rows of a collection: every partition sums its histograms, and the sums are merged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emphatic.auto.candidates.binning import Binned
from emphatic.auto.candidates.gradient import GradientTrees, Growth
from emphatic.auto.partitioned.growing_tree import GrowingTree, Request
from emphatic.check import FloatArray, IntArray
from emphatic.deferred import by_rows, evaluate
from emphatic.fields import Whole, saved
from emphatic.kernels.gradient_trees import FINEST, Forest, choose
from emphatic.kernels.spread_trees import find_largest, move_rows, pack, sum_nodes
from emphatic.partitions import Partitions


@saved(n_rows=Whole(1))
@dataclass(frozen=True)
class AllRowsTrees(GradientTrees):
    """Gradient-boosted trees of so many rows in partitions: with rows in plenty, each tree is grown on all of them.

    A tree waits for all partitions about ten times, so steps are larger, and rounds fewer, than in memory.
    """

    checkpoints: tuple[int, ...] = (25, 50, 75, 100, 150, 200)
    rate: float = 0.15
    row_share: float = 1.0
    n_rows: int = 1

    def describe(self, variant: int = -1) -> str:
        return f"{super().describe(variant)}, of {self.n_rows:,} rows"


class SpreadRows(NamedTuple):
    """Rows to grow trees on, where they lie.

    Attributes
    ----------
    bins : uint8, in partitions
    codes, weights : Dask arrays; a row of weight 0 counts as absent
    shares : weights of the classes (K,)
    n_rows : those of some weight
    """

    bins: Partitions
    codes: Any
    weights: Any
    shares: FloatArray
    n_rows: int


class SpreadGrowth(Growth):
    """Trees of rows in partitions: those of the same rows in memory, however they are divided.

    Bins, scores, packed derivatives and nodes are kept where the rows are. Up to 65,535 rows the trees are those of
    `emphatic.kernels.gradient_trees` to the last bit; it rounds derivatives of more rows more coarsely.
    """

    def __init__(
        self,
        how: GradientTrees,
        binned: Binned,
        rows: SpreadRows,
        rng: np.random.Generator,
        round_ended: Callable[[], None],
    ) -> None:
        super().__init__(how, binned, np.arange(len(rows.shares)), rows.shares)
        self.rows, self.round_ended = rows, round_ended
        self.state = rng.integers(2**63, size=1, dtype=np.uint64)
        n_outputs = len(self.baselines)
        self._set_score(by_rows(partial(_start, self.baselines), rows.codes, columns=n_outputs))

    def boost(self, n_rounds: int, forest: Forest) -> None:
        for number in range(n_rounds):
            self._add_round(forest, number * len(self.baselines))
            self.round_ended()

    def _add_round(self, forest: Forest, done: int) -> None:
        """Grow one tree per output, all at once: they share the scores, and the waits for sums."""
        rows, n_outputs = self.rows, len(self.baselines)
        packed = by_rows(
            partial(_pack, self.largest), self.score, rows.codes, rows.weights, columns=n_outputs, dtype=np.int64
        ).persist()
        n_bins, exclusive = self.binned.n_bins, self.binned.exclusive
        trees = []
        for largest in self.largest:
            features = choose(self.state, len(n_bins), self.rules.column_share)
            trees.append(GrowingTree(features, n_bins, exclusive, self.rules, 1.0 / (FINEST / largest)))
        nodes = by_rows(_find_roots, packed, columns=n_outputs, dtype=np.int16)
        while growing := [k for k, tree in enumerate(trees) if not tree.is_finished]:
            request = _Sums([(k, trees[k].request()) for k in growing])
            nodes, sums = _settle_both(nodes, rows.bins.total(request, packed, nodes))
            for k, found in zip(growing, sums, strict=True):
                trees[k].receive(found)
            nodes = rows.bins.each(_Moves(exclusive, trees), nodes, columns=n_outputs, dtype=np.int16)
        said = [tree.fill(forest, done + k) for k, tree in enumerate(trees)]
        self._set_score(by_rows(_Additions(said), self.score, nodes, columns=n_outputs))

    def _set_score(self, score: Any) -> None:
        """Compute the scores, where they stay, and with them what the next round needs to know of its derivatives."""
        rows = self.rows
        largest = rows.bins.total(_find_largest, score, rows.codes, rows.weights, merge=_take_maxima, reads=False)
        self.score, (self.largest,) = _settle_both(score, largest)


def _settle_both(array: Any, total: Any) -> tuple[Any, Any]:
    """Compute both in one go: an array that stays where its rows are, and a total that is brought here."""
    import dask

    settled, kept = dask.persist(array, total)
    return settled, evaluate(kept)[0]


class _Sums:
    """The histograms that trees ask for, of one partition: one array per tree."""

    def __init__(self, requests: list[tuple[int, Request]]) -> None:
        self.requests = requests

    def __call__(
        self, bins: NDArray[np.uint8], packed: NDArray[np.int64], nodes: NDArray[np.int16]
    ) -> tuple[NDArray[np.int64], ...]:
        columns = ((np.ascontiguousarray(packed[:, k]), np.ascontiguousarray(nodes[:, k])) for k, _ in self.requests)
        return tuple(
            sum_nodes(bins, *pair, *request) for pair, (_, request) in zip(columns, self.requests, strict=True)
        )


class _Moves:
    """The nodes that rows of one partition are in next, one column per tree."""

    def __init__(self, exclusive: NDArray[np.bool_], trees: list[GrowingTree]) -> None:
        self.exclusive, self.moves = exclusive, [tree.move() for tree in trees]

    def __call__(self, bins: NDArray[np.uint8], nodes: NDArray[np.int16]) -> NDArray[np.int16]:
        columns = (np.ascontiguousarray(column) for column in nodes.T)
        pairs = zip(self.moves, columns, strict=True)
        return np.column_stack([move_rows(bins, self.exclusive, *moves, column) for moves, column in pairs])


class _Additions:
    """The scores of one partition with what a tree per output says about rows in its nodes."""

    def __init__(self, said: list[FloatArray]) -> None:
        self.said = said

    def __call__(self, score: FloatArray, nodes: NDArray[np.int16]) -> FloatArray:
        return score + np.column_stack([said[column] for said, column in zip(self.said, nodes.T, strict=True)])


def _find_roots(packed: NDArray[np.int64]) -> NDArray[np.int16]:
    return np.zeros(packed.shape, np.int16)


def _start(baselines: FloatArray, codes: IntArray) -> FloatArray:
    return np.tile(baselines, (len(codes), 1))


def _pack(largest: FloatArray, score: FloatArray, codes: IntArray, weights: FloatArray) -> NDArray[np.int64]:
    return np.asarray(pack(np.ascontiguousarray(score.T), codes, weights, largest))


def _find_largest(score: FloatArray, codes: IntArray, weights: FloatArray) -> tuple[FloatArray]:
    return (find_largest(np.ascontiguousarray(score.T), codes, weights),)


def _take_maxima(results: Sequence[tuple[FloatArray]]) -> tuple[FloatArray]:
    return (np.maximum.reduce([largest for (largest,) in results]),)
