"""Which rows of a collection are held out, and which are brought into this process to be learnt from there."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from emphatic.check import FloatArray, IntArray
from emphatic.deferred import evaluate
from emphatic.partitions import OpenedPieces, Partitions
from emphatic.randomness import RowNoise

SHARE_HELD_OUT = 6
"""One of so many rows of a sample is held out."""


SMALLEST_SAMPLE = 100
"""Rows; of fewer, too few would be held out to tell models apart."""


class PartitionSample(NamedTuple):
    """Rows of a collection in this process: classes have the shares that they have in the collection.

    Attributes
    ----------
    table : the rows, in the order of the collection
    numbers : which rows they are, ascending
    codes, weights : of the rows
    held_out : places, among them, of those that nothing is trained on
    """

    table: Any
    numbers: IntArray
    codes: IntArray
    weights: FloatArray
    held_out: IntArray

    @property
    def held_out_numbers(self) -> IntArray:
        """Which rows of the collection are held out."""
        return self.numbers[self.held_out]


def draw_sample(opened: OpenedPieces, size: int, rng: np.random.Generator) -> PartitionSample:
    """About `size` rows of more, a sixth of them held out.

    Every row gets a key, and of each class those with the smallest are held out, the next ones are learnt from. A key
    depends on the seed and the number of the row: how the rows are partitioned does not matter.
    """
    n = int(opened.counts.sum())
    n_held_out = size // SHARE_HELD_OUT
    held_out = np.round(opened.counts * (n_held_out / n)).astype(np.intp)
    held_out = np.maximum(held_out, np.minimum(opened.counts // 2, 1))  # every class is judged, if it has two rows
    others = np.round(opened.counts * ((size - n_held_out) / n)).astype(np.intp)
    others = np.clip(others, 1, opened.counts - held_out)  # every class is learnt from
    drawn = _draw_first(opened, held_out + others, RowNoise(rng, len(opened.table)))
    in_order = np.argsort(drawn.numbers)
    is_held_out = _rank_within_classes(drawn) < held_out[drawn.codes]
    drawn, is_held_out = drawn.take(in_order), is_held_out[in_order]
    table = opened.table.take(drawn.numbers)
    return PartitionSample(table, drawn.numbers, drawn.codes, drawn.weights, np.flatnonzero(is_held_out))


class Drawn(NamedTuple):
    """Rows with their keys: arrays of one entry each."""

    keys: FloatArray
    numbers: IntArray
    codes: IntArray
    weights: FloatArray

    def take(self, rows: Any) -> Drawn:
        """Some of them."""
        return Drawn(self.keys[rows], self.numbers[rows], self.codes[rows], self.weights[rows])


def _draw_first(opened: OpenedPieces, counts: IntArray, noise: RowNoise) -> Drawn:
    """Of each class the `counts` rows with the smallest keys; rows of weight 0 are not there."""
    rows = Partitions(opened.y)
    merge = partial(_merge_drawn, counts)
    drawn = rows.total(
        _draw_partition, opened.y, opened.weights, shared=[noise, counts], merge=merge, numbered=True, reads=False
    )
    return Drawn(*evaluate(drawn)[0])


def _draw_partition(
    codes: IntArray, weights: FloatArray, start: IntArray, noise: RowNoise, counts: IntArray
) -> tuple[np.ndarray, ...]:
    begin = int(start[0])
    present = np.flatnonzero(weights > 0)
    keys = noise.between(begin, begin + len(codes))[present]
    return tuple(_keep_first(Drawn(keys, begin + present, codes[present].astype(np.intp), weights[present]), counts))


def _merge_drawn(counts: IntArray, parts: Sequence[tuple[np.ndarray, ...]]) -> tuple[np.ndarray, ...]:
    return tuple(_keep_first(Drawn(*map(np.concatenate, zip(*parts, strict=True))), counts))


def _keep_first(drawn: Drawn, counts: IntArray) -> Drawn:
    kept = _rank_within_classes(drawn) < counts[drawn.codes]
    return drawn.take(kept)


def _rank_within_classes(drawn: Drawn) -> IntArray:
    """How many rows of the same class have smaller keys."""
    order = np.lexsort((drawn.numbers, drawn.keys, drawn.codes))
    ordered = drawn.codes[order]
    ranks = np.empty(len(order), dtype=np.intp)
    ranks[order] = np.arange(len(order)) - np.searchsorted(ordered, ordered)
    return ranks
