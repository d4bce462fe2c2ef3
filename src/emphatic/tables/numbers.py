"""What the numbers of a column tell about how to scale them, in memory or merged from partitions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from emphatic.check import FloatArray
from emphatic.partitions import QuantileSketch, find_quantiles, merge_moments

LEAST_UNIT = 2.0**-1022
"""Of numbers that are all 0."""

QUARTILES = (0.25, 0.5, 0.75)


class Numbers(NamedTuple):
    """Some known numbers: how many, their range, and mean and sum of squared deviations in units of `unit`."""

    n: int
    low: float
    high: float
    unit: float
    """A power of two, which changes no digit: sums and squares of 1e300 do not overflow."""
    mean: float
    squares: float
    quantiles: FloatArray | QuantileSketch | None = None
    """The quartiles, or a sketch from which they can be told; None if nobody needs them."""

    @classmethod
    def describe(cls, known: FloatArray, sketch: int = 0) -> Numbers | None:
        """Describe numbers, none of which is NaN; None if there are none. `sketch` is the size of that, 0 for none."""
        if not known.size:
            return None
        low, high, unit = _measure(known)
        small = known / unit
        mean = small.mean()
        quantiles = QuantileSketch.of(known, sketch) if sketch else None
        return cls(len(known), low, high, unit, mean, ((small - mean) ** 2).sum(), quantiles)

    @classmethod
    def describe_counts(cls, values: FloatArray, counts: np.ndarray) -> Numbers | None:
        """Describe numbers each of which is there so many times, at least once."""
        if not values.size:
            return None
        low, high, unit = _measure(values)
        small = values / unit
        mean = float(np.average(small, weights=counts))
        squares = float(counts @ (small - mean) ** 2)
        return cls(int(counts.sum()), low, high, unit, mean, squares, find_quantiles(values, counts, QUARTILES))

    @classmethod
    def merge(cls, parts: Sequence[Numbers | None]) -> Numbers | None:
        """Describe the numbers of several parts."""
        known = [part for part in parts if part is not None]
        if len(known) < 2:
            return known[0] if known else None
        unit = max(part.unit for part in known)
        shrink = [part.unit / unit for part in known]
        n, mean, squares = merge_moments(
            np.array([part.n for part in known]),
            np.array([part.mean * factor for part, factor in zip(known, shrink, strict=True)]),
            np.array([part.squares * factor**2 for part, factor in zip(known, shrink, strict=True)]),
        )
        sketches = [part.quantiles for part in known if isinstance(part.quantiles, QuantileSketch)]
        low, high = min(part.low for part in known), max(part.high for part in known)
        quantiles = QuantileSketch.merge(sketches) if sketches else None
        return cls(int(n), low, high, unit, float(mean), float(squares), quantiles)

    @property
    def deviation(self) -> float:
        """The standard deviation, in units of `unit`."""
        return math.sqrt(self.squares / self.n)

    def find_quartiles(self) -> FloatArray:
        """Lower quartile, median and upper quartile."""
        if isinstance(self.quantiles, QuantileSketch):
            return self.quantiles.find(QUARTILES)
        return np.asarray(self.quantiles)


def _measure(values: FloatArray) -> tuple[float, float, float]:
    """Least and largest number, and the unit of numbers up to these."""
    low, high = float(values.min()), float(values.max())
    largest = max(-low, high)
    return low, high, math.ldexp(1.0, math.frexp(largest)[1] - 1) if largest > 0 else LEAST_UNIT
