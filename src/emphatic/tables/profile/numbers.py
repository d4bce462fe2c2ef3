"""The profile of a column of numbers or dates: its range, and how many rows are between its quantiles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from emphatic.fields import Array, Number, Text, saved

N_BINS = 10
"""Bins between quantiles, or one for each number if there are no more than this."""

_LARGEST = np.finfo(np.float64).max


@saved(
    name=Text(),
    kind=Text("number", "date"),
    low=Number(low=-_LARGEST, high=_LARGEST),
    bounds=Array(np.float64, None, low=-_LARGEST, high=_LARGEST),
    counts=Array(np.int64, None, low=0, high=2**53),
)
@dataclass(frozen=True)
class NumberProfile:
    """Numbers, or dates as seconds: the smallest, the largest value of each bin in ascending order, and the counts."""

    name: str
    kind: str
    low: float
    bounds: np.ndarray
    counts: np.ndarray

    @classmethod
    def learn(cls, name: str, kind: str, values: np.ndarray) -> NumberProfile | None:
        """Learn from numbers, NaN being missing; None if all are missing."""
        known = values[~np.isnan(values)]
        if not known.size:
            return None
        bounds = np.unique(known)
        if len(bounds) > N_BINS:
            ends = -(-np.arange(1, N_BINS + 1) * len(known) // N_BINS)  # of equal parts, rounded up
            bounds = np.unique(np.sort(known)[ends - 1])
        return cls(name, kind, float(known.min()), bounds, _count_numbers(bounds, values))

    @property
    def high(self) -> float:
        """The largest number."""
        return float(self.bounds[-1])

    def count(self, values: np.ndarray) -> np.ndarray:
        """Count the cells of another table per bin; what is beyond the range belongs to the outermost bins."""
        return _count_numbers(self.bounds, values)

    def find_strange(self, values: np.ndarray) -> list[float]:
        """The numbers outside the range."""
        outside: list[float] = values[(values < self.low) | (values > self.high)].tolist()
        return outside

    def check_saved(self) -> None:
        """Raise ValueError unless the bins are in order and there is a count for each."""
        if not len(self.bounds) or self.low > self.bounds[0] or (self.bounds[:-1] >= self.bounds[1:]).any():
            raise ValueError("bounds must ascend from low")
        if len(self.counts) != len(self.bounds) + 1:
            raise ValueError(f"there are {len(self.counts)} counts for {len(self.bounds)} bins and missing values")


def _count_numbers(bounds: np.ndarray, values: np.ndarray) -> np.ndarray:
    known = values[~np.isnan(values)]
    bins = np.minimum(np.searchsorted(bounds, known), len(bounds) - 1)
    counts = np.bincount(bins, minlength=len(bounds))
    return np.append(counts, len(values) - len(known)).astype(np.int64)
