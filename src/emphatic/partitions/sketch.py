"""Quantiles of numbers in partitions: a sketch of each, which can be merged, and how far it may be wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from emphatic.check import FloatArray

SIZE = 4096
"""Numbers of each level that are kept as they are."""


@dataclass(frozen=True)
class QuantileSketch:
    r"""Some of many numbers, from which quantiles of all of them can be told.

    1. A number of level h stands for :math:`2^h` numbers. All numbers begin in level 0.
    2. A level of more than `size` numbers is sorted, and every second one of them moves to the next level; of an odd
       number of them, the smallest stays. What is left has the same total, and how many of all numbers are at most x
       changes by :math:`2^h` at most, whatever x is.
    3. To merge sketches, put their levels together.

    The changes are added up in `error`, so a sketch knows how far it may be wrong. Each change in level h uses up
    numbers that stand for at least size :math:`2^h` of the n, so these sums are at most
    :math:`\frac{n}{size} (1 + \lfloor \log_2 \frac{n}{size} \rfloor)`: less than 0.5% of n for a billion numbers, and
    nothing for no more than `size`. Nothing is drawn at random.

    >>> sketch = QuantileSketch.of(np.arange(100_000.0), size=100)
    >>> sketch.find([0.25, 0.5]), sketch.error
    (array([24906., 50506.]), 1023)
    """

    levels: tuple[FloatArray, ...]
    size: int
    error: int = 0
    """By how much the rank of any number may be wrong."""
    turns: int = 0
    """How many times numbers have moved: which half of them moves alternates, so that most errors cancel."""

    @classmethod
    def of(cls, values: FloatArray, size: int = SIZE) -> QuantileSketch:
        """The sketch of numbers, none of which is NaN."""
        return cls((values,), size)._condense()

    @classmethod
    def merge(cls, sketches: Sequence[QuantileSketch]) -> QuantileSketch:
        """The sketch of the numbers of all sketches, which have one size."""
        depth = max(len(one.levels) for one in sketches)
        levels = tuple(np.concatenate([one.levels[h] for one in sketches if h < len(one.levels)]) for h in range(depth))
        error, turns = (sum(counts) for counts in zip(*((one.error, one.turns) for one in sketches), strict=True))
        return cls(levels, sketches[0].size, error, turns)._condense()

    @property
    def n(self) -> int:
        """How many numbers it is a sketch of."""
        return sum(len(level) << h for h, level in enumerate(self.levels))

    def find(self, shares: ArrayLike) -> FloatArray:
        """The quantiles of these shares in [0, 1], between two numbers by a straight line as in `numpy.quantile`."""
        counts = np.concatenate([np.full(len(level), 1 << h) for h, level in enumerate(self.levels)])
        return find_quantiles(np.concatenate(self.levels), counts, shares)

    def _condense(self) -> QuantileSketch:
        levels, error, turns = list(self.levels), self.error, self.turns
        h = 0
        while h < len(levels):
            if len(levels[h]) > self.size:
                values = np.sort(levels[h])
                odd = len(values) % 2
                moving = values[odd + turns % 2 :: 2]
                levels[h], above = values[:odd], levels[h + 1 : h + 2]
                levels[h + 1 : h + 2] = [np.concatenate([*above, moving])]
                error, turns = error + (1 << h), turns + 1
            h += 1
        return QuantileSketch(tuple(levels), self.size, error, turns)


def find_quantiles(values: FloatArray, counts: np.ndarray, shares: ArrayLike) -> FloatArray:
    """Quantiles of numbers each of which is there so many times.

    >>> find_quantiles(np.array([3.0, 1.0]), np.array([1, 2]), [0.5, 0.75])
    array([1., 2.])
    >>> np.quantile([1.0, 1.0, 3.0], [0.5, 0.75])
    array([1., 2.])
    """
    order = np.argsort(values, kind="stable")
    values, ends = values[order], np.cumsum(counts[order])
    places = np.asarray(shares, dtype=np.float64) * (ends[-1] - 1)
    below = np.floor(places)
    low, high = (values[np.searchsorted(ends, place, side="right")] for place in (below, np.ceil(places)))
    return np.asarray(low + (places - below) * (high - low))
