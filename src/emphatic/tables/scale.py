"""How the numbers of a column are scaled."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from emphatic.fields import Array, saved
from emphatic.tables.numbers import Numbers

_LARGEST = np.finfo(np.float64).max
SMALLEST_SCALE = 1e-150
"""Of a model in a file: ordinary numbers in units of it, times a coefficient, do not overflow."""

SCALES = ("standard", "minmax", "robust", "none")

NORMAL_RANGE = 1.3489795003921634
"""Between the quartiles of a standard normal distribution."""


@saved(
    unit=Array(np.float64, "columns", above=0.0, high=_LARGEST),
    mean=Array(np.float64, "columns", low=-_LARGEST, high=_LARGEST),
    offset=Array(np.float64, "columns", low=-_LARGEST, high=_LARGEST),
    spread=Array(np.float64, "columns", above=0.0, high=np.inf),
)
class Scale(NamedTuple):
    """How numbers are scaled: (number / unit - offset) / spread. Floats for a column, or arrays for a block of them."""

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
            return cls(1.0, low, 0.0 if scale == "none" else low, 1.0)
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
        if (self.unit * self.spread < SMALLEST_SCALE).any():
            raise ValueError(f"the scale of a column must be at least {SMALLEST_SCALE:g}")

    def apply(self, block: np.ndarray) -> np.ndarray:
        with np.errstate(over="ignore"):
            scaled = block / self.unit
            np.copyto(scaled, self.mean, where=np.isnan(scaled))
            scaled -= self.offset
            scaled /= self.spread
            return np.clip(scaled, -_LARGEST, _LARGEST, out=scaled)
