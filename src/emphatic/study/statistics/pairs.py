"""Two samples of errors: means, rank tests, wins and draws, an interval for their difference."""

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from emphatic import check

ROUNDING = 12  # decimals. Errors are counts over n: equal counts may differ in the last bit, and that is no difference

LARGEST = 1e100
"""Larger values could overflow when they are rounded or squared."""


def mean_and_std(values: ArrayLike) -> tuple[float, float | None]:
    """Mean and sample standard deviation (divisor n - 1); None for a single value.

    >>> mean_and_std([1.0, 3.0])
    (2.0, 1.4142135623730951)
    """
    array = _check_errors("values", values)
    if array.size == 0:
        raise ValueError("mean_and_std needs at least one value")
    return float(array.mean()), float(array.std(ddof=1)) if array.size > 1 else None


def rank_sum_p(first: ArrayLike, second: ArrayLike) -> float:
    """Two-sided p of the Wilcoxon rank-sum (Mann-Whitney) test between independent runs: the papers' "WRT".

    >>> round(rank_sum_p([1, 2, 3], [4, 5, 6]), 3)
    0.1
    """
    one, other = _check_errors("first", first), _check_errors("second", second)
    if not one.size or not other.size:
        raise ValueError(f"first holds {one.size} errors and second {other.size}: each needs at least one")
    if np.ptp(np.concatenate([one, other])) == 0:  # nothing to rank
        return 1.0
    return float(stats.mannwhitneyu(one, other, alternative="two-sided").pvalue)


def signed_rank_p(first: ArrayLike, second: ArrayLike) -> float:
    """Two-sided p of the Wilcoxon signed-rank test between *paired* runs: same split, same seed.

    >>> signed_rank_p([1, 2, 3, 4, 5], [2, 4, 6, 8, 10])
    0.0625
    """
    differences = np.round(paired_differences(first, second), ROUNDING)
    differences = differences[differences != 0]
    if differences.size == 0:
        return 1.0
    return float(stats.wilcoxon(differences).pvalue)


def win_lose_draw(first: ArrayLike, second: ArrayLike, tolerance: float = 1e-12) -> tuple[int, int, int]:
    """How often the first error of a pair is the smaller one, the larger one, and neither (by more than `tolerance`).

    >>> win_lose_draw([0.10, 0.20, 0.30, 0.1 + 0.2], [0.15, 0.15, 0.35, 0.3])
    (2, 1, 1)
    """
    check.real("tolerance", tolerance, 0)
    differences = paired_differences(first, second)
    wins, losses = int((differences < -tolerance).sum()), int((differences > tolerance).sum())
    return wins, losses, differences.size - wins - losses


def bootstrap_interval(
    differences: ArrayLike, level: float = 0.95, n_draws: int = 10_000, seed: int = 0
) -> tuple[float, float]:
    """Interval that covers the mean of `differences` with probability `level`: quantiles of `n_draws` bootstrap means.

    The differences must be independent of each other, as those of problems are. Errors of folds and of seeds on one
    problem share rows, and an interval of their differences is too short.

    >>> bootstrap_interval([1.0, 2.0, 3.0, 4.0])
    (1.5, 3.5)
    """
    check.integer("n_draws", n_draws, 1)
    check.real("level", level, 0, 1)
    values = _check_errors("differences", differences)
    if values.size < 2:
        raise ValueError(f"bootstrap_interval needs at least two differences, got {values.size}")
    rng = np.random.default_rng(check.integer("seed", seed, 0))
    # One draw at a time, as all at once may not fit in memory.
    means = [values[rng.integers(values.size, size=values.size)].mean() for _ in range(n_draws)]
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def in_published_stds(measured: float, published: float, published_std: float | None) -> float | None:
    """(measured - published) / published standard deviation; None where the paper prints no deviation, or zero.

    >>> in_published_stds(9.0, 8.0, 0.5)
    2.0
    """
    here, there = (
        check.real(name, value, -LARGEST, LARGEST) for name, value in (("measured", measured), ("published", published))
    )
    deviation = 0.0 if published_std is None else check.real("published_std", published_std, 0)
    return (here - there) / deviation if deviation > 1 / LARGEST else None


def paired_differences(first: ArrayLike, second: ArrayLike) -> check.FloatArray:
    """`first` minus `second`, pair by pair.

    >>> paired_differences([3, 5], [1, 5])
    array([2., 0.])
    """
    one, other = _check_errors("first", first), _check_errors("second", second)
    if one.shape != other.shape:
        raise ValueError(f"first holds {one.size} errors and second {other.size}: pairs need equal numbers")
    return one - other


def _check_errors(name: str, values: ArrayLike) -> check.FloatArray:
    array = check.numbers(name, values)
    if array.ndim != 1 or not (np.abs(array) <= LARGEST).all():  # NaN is caught as well
        raise ValueError(f"{name} must be one-dimensional, with finite values up to {LARGEST:g}, got {values!r}")
    return array
