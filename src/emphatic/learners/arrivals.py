"""Rows of a table in partitions that are drawn without replacement, so many of each class."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from emphatic.check import FloatArray, IntArray
from emphatic.deferred import evaluate
from emphatic.kernels import draws
from emphatic.partitions import Partitions
from emphatic.randomness import RowNoise


class Arrivals(NamedTuple):
    """Rows that arrive first, class by class and in the order of the table, with their classes and times."""

    rows: IntArray
    y: IntArray
    times: FloatArray

    def keep_first(self, counts: IntArray) -> Arrivals:
        """Of each class c the first counts[c]; ties go to the row that comes first.

        >>> late = Arrivals(np.array([3, 8, 5]), np.array([0, 0, 1]), np.array([0.7, 0.2, 0.9]))
        >>> late.keep_first(np.array([1, 1])).rows
        array([8, 5])
        """
        order = np.lexsort((self.rows, self.times, self.y))
        y = self.y[order]
        first = order[np.arange(len(y)) - np.searchsorted(y, y) < counts[y]]
        chosen = first[np.lexsort((self.rows[first], self.y[first]))]
        return Arrivals(self.rows[chosen], self.y[chosen], self.times[chosen])


def draw_first(table: Partitions, y: Any, weights: Any, counts: IntArray, noise: RowNoise) -> Arrivals:
    """Of each class c the counts[c] rows that arrive first, at noise / weight; rows of weight 0 come last.

    `y` and `weights` are Dask arrays with the partitions of the table, which is not read. The noise of a row depends on
    its number only: the draw is the same for any partitions, and that of a table in memory.
    """
    found = table.total(
        _find_first, y, weights, shared=[noise, counts], merge=partial(_merge, counts), numbered=True, reads=False
    )
    first: Arrivals = evaluate(found)[0]
    return first


def _find_first(y: IntArray, weights: FloatArray, start: IntArray, noise: RowNoise, counts: IntArray) -> Arrivals:
    """Of each class the rows of one partition that arrive first; `start` is the number of its first row."""
    times = noise.between(start[0], start[0] + len(y))
    codes = y.astype(np.intp)
    own = np.minimum(counts, np.bincount(codes, minlength=len(counts)))
    chosen = draws.first_arrivals(times, weights, codes, own)
    with np.errstate(divide="ignore"):
        arrived = np.where(weights[chosen] > 0.0, times[chosen] / weights[chosen], np.inf)
    return Arrivals(chosen + start[0], codes[chosen], arrived)


def _merge(counts: IntArray, found: Sequence[Arrivals]) -> Arrivals:
    return Arrivals(*map(np.concatenate, zip(*found, strict=True))).keep_first(counts)
