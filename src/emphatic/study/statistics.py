"""Means, rank tests, and distance from a published number."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import stats


def mean_and_std(values: Sequence[float]) -> tuple[float, float | None]:
    """Mean and sample standard deviation (divisor n - 1); None for a single value.

    >>> mean_and_std([1.0, 3.0])
    (2.0, 1.4142135623730951)
    """
    array = np.asarray(values, dtype=float)
    if array.size == 0:
        raise ValueError("mean_and_std needs at least one value")
    return float(array.mean()), float(array.std(ddof=1)) if array.size > 1 else None


def rank_sum_p(first: Sequence[float], second: Sequence[float]) -> float:
    """Two-sided p of the Wilcoxon rank-sum (Mann-Whitney) test between independent runs: the papers' "WRT".

    >>> round(rank_sum_p([1, 2, 3], [4, 5, 6]), 3)
    0.1
    """
    pooled = np.concatenate([np.asarray(first, dtype=float), np.asarray(second, dtype=float)])
    if np.ptp(pooled) == 0:  # nothing to rank
        return 1.0
    return float(stats.mannwhitneyu(first, second, alternative="two-sided").pvalue)


def signed_rank_p(first: Sequence[float], second: Sequence[float]) -> float:
    """Two-sided p of the Wilcoxon signed-rank test between *paired* runs: same split, same seed.

    >>> signed_rank_p([1, 2, 3, 4, 5], [2, 4, 6, 8, 10])
    0.0625
    """
    differences = np.asarray(first, dtype=float) - np.asarray(second, dtype=float)
    # Errors are counts over n; what is equal as a count may differ in the last bit, and that is no difference to rank.
    differences = np.round(differences, 12)
    differences = differences[differences != 0]
    if differences.size == 0:
        return 1.0
    return float(stats.wilcoxon(differences).pvalue)


def in_published_stds(measured: float, published: float, published_std: float | None) -> float | None:
    """(measured - published) / published standard deviation; None where the paper prints no deviation, or zero.

    >>> in_published_stds(9.0, 8.0, 0.5)
    2.0
    """
    return (measured - published) / published_std if published_std else None
