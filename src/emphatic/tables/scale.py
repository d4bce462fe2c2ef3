"""How the numbers of a column are scaled."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from emphatic.fields import LARGEST, Array, saved
from emphatic.inputs import LARGEST_INPUT
from emphatic.tables.numbers import Numbers

_LARGEST = np.finfo(np.float64).max

SMALLEST_SPREAD = 1e-30
"""Numbers between 1 and 2 units differ by 2e-16 at least; one of 1e20 that does makes a deviation of 2e-26."""

SCALES = ("standard", "minmax", "robust", "none")

NORMAL_RANGE = 1.3489795003921634
"""Between the quartiles of a standard normal distribution."""


@saved(
    unit=Array(np.float64, "columns", above=0.0, high=_LARGEST),  # 5e-324 or 9e307 in a table of such numbers
    mean=Array(np.float64, "columns", low=-_LARGEST, high=_LARGEST),  # with the scale "none" it has no unit
    offset=Array(np.float64, "columns"),
    spread=Array(np.float64, "columns", low=SMALLEST_SPREAD, high=np.inf),
)
class Scale(NamedTuple):
    """How numbers are scaled: (number / unit - offset) / spread. Floats for a column, or arrays for a block of them.

    Ordinary numbers in the unit of a table of tiny ones can exceed all limits. The result is therefore clipped to
    +-`LARGEST_INPUT`, which learners accept, and whose products with the coefficients of a model do not overflow.
    """

    unit: Any
    mean: Any
    offset: Any
    spread: Any

    @classmethod
    def learn(cls, values: np.ndarray, scale: str) -> Scale:
        """Learn from the numbers of one column, NaN for missing values."""
        known = values[~np.isnan(values)]
        return cls.of(Numbers.describe(known, sketch=len(known) if scale == "robust" else 0), scale)

    @classmethod
    def of(cls, numbers: Numbers | None, scale: str) -> Scale:
        """The same from what is known of the numbers, None if there are none."""
        if numbers is None:
            return cls(1.0, 0.0, 0.0, np.inf)
        low, high, unit, mean = numbers.low, numbers.high, numbers.unit, numbers.mean
        if low == high:
            # Not the computed mean: n equal numbers can have a mean that differs from them in the last digit.
            if scale == "none":
                return cls(1.0, low, 0.0, 1.0)
            unit = unit if abs(low) > LARGEST else 1.0  # or any other number would be infinitely far from a huge one
            return cls(unit, low / unit, low / unit, 1.0)
        if scale == "none":
            return cls(1.0, mean * unit, 0.0, 1.0)
        if scale == "minmax":
            return cls(unit, mean, low / unit, high / unit - low / unit)
        if scale == "robust":
            lower, median, upper = numbers.find_quartiles() / unit
            return cls(unit, mean, median, (upper - lower) / NORMAL_RANGE if lower < upper else numbers.deviation)
        return cls(unit, mean, mean, numbers.deviation)

    def check_finite(self) -> None:
        """Raise ValueError unless a column of infinite spread, which is always 0, is that for all numbers."""
        unknown = np.isinf(self.spread)
        if (self.unit[unknown] != 1.0).any() or self.offset[unknown].any():
            raise ValueError("a column of infinite spread must have the unit 1 and the offset 0")

    def apply(self, block: np.ndarray) -> np.ndarray:
        with np.errstate(over="ignore"):
            scaled = block / self.unit
            np.copyto(scaled, self.mean, where=np.isnan(scaled))
            scaled -= self.offset
            scaled /= self.spread
            return np.clip(scaled, -LARGEST_INPUT, LARGEST_INPUT, out=scaled)
