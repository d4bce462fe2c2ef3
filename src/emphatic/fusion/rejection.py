"""Rows that should not be decided: a member contradicts the others more than is usual, or nobody knows anything."""

import numpy as np
from numpy.typing import NDArray

from emphatic.check import FloatArray
from emphatic.fusion.disagreement import member_conflict

PERCENTILES = np.linspace(0.0, 1.0, 101)
"""Of the largest conflict of a member in a training row, kept to tell what is unusual."""


def measure_percentiles(supports: FloatArray, reliabilities: FloatArray) -> FloatArray:
    """(101,): what the largest conflict of a member is in rows with these supports (members, n, K)."""
    return np.quantile(_find_largest_conflict(supports, reliabilities), PERCENTILES)


def find_undecidable(
    supports: FloatArray, reliabilities: FloatArray, percentiles: FloatArray, quantile: float
) -> NDArray[np.bool_]:
    """(n,): whether the largest conflict exceeds that quantile of the usual one, or all supports are 0."""
    usual = np.interp(quantile, PERCENTILES, percentiles)
    return np.asarray((_find_largest_conflict(supports, reliabilities) > usual) | ~supports.any(axis=(0, 2)))


def _find_largest_conflict(supports: FloatArray, reliabilities: FloatArray) -> FloatArray:
    return member_conflict(supports, reliabilities).max(axis=0)
