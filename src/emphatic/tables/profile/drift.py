"""How far two samples of a column are apart, and how far chance alone would put them apart."""

from __future__ import annotations

import math

import numpy as np

FALSE_ALARMS = 1e-3
"""The chance that a table which comes from where the training table came from is said to differ."""

SMALLEST = 0.1
"""Smaller distances are not worth a word, however certain they are."""


def measure_distance(before: np.ndarray, after: np.ndarray) -> float:
    """Return the total variation distance of two samples, given by their counts per bin.

    It is the share of the rows of one that would have to move to other bins to give the shares of the other: 0 for
    equal shares, 1 if no bin holds rows of both.

    >>> measure_distance(np.array([10, 10]), np.array([3, 1]))
    0.25
    """
    return float(np.abs(before / before.sum() - after / after.sum()).sum() / 2)


def bound_chance(before: np.ndarray, after: np.ndarray, chance: float) -> float:
    """Return the distance that two samples of one distribution exceed with at most the given probability.

    The expected distance is at most half the sum of the standard deviations of the differences of the shares (Jensen's
    inequality; the shares are those of both samples together), and McDiarmid's inequality bounds how far the distance
    exceeds its expectation: any row changes it by at most 1/n.
    """
    shares = (before + after) / (before.sum() + after.sum())
    variance = 1 / before.sum() + 1 / after.sum()
    expected = np.sqrt(shares * (1 - shares) * variance).sum() / 2
    return float(expected + math.sqrt(variance * math.log(1 / chance) / 2))


def find_drift(before: np.ndarray, after: np.ndarray, n_columns: int) -> float:
    """Return the distance of two samples if chance does not explain it and it is worth a word, otherwise 0.

    `n_columns` columns are looked at: that one of them differs by chance alone has the probability `FALSE_ALARMS`.
    """
    if not before.sum() or not after.sum():
        return 0.0
    distance = measure_distance(before, after)
    return distance if distance > max(SMALLEST, bound_chance(before, after, FALSE_ALARMS / n_columns)) else 0.0
