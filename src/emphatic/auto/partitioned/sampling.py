"""Which rows of a collection are held out, and which are brought into this process to be learnt from there."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from emphatic.check import FloatArray, IntArray
from emphatic.deferred import evaluate
from emphatic.learners.arrivals import draw_first
from emphatic.partitions import OpenedParts, Partitions
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


def draw_sample(opened: OpenedParts, size: int, rng: np.random.Generator) -> PartitionSample:
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
    noise, present = RowNoise(rng, len(opened.table)), (opened.weights > 0).astype(np.float64)
    drawn = draw_first(Partitions(opened.y), opened.y, present, held_out + others, noise)
    in_order = np.argsort(drawn.rows)
    numbers, codes = drawn.rows[in_order], drawn.y[in_order]
    (weights,) = evaluate(opened.weights[numbers])
    is_held_out = np.isin(numbers, drawn.keep_first(held_out).rows)
    return PartitionSample(opened.table.take(numbers), numbers, codes, weights, np.flatnonzero(is_held_out))
