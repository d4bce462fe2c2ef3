"""Many methods over many problems, by ranks: Friedman's test, Nemenyi's distance, Wilcoxon's tests corrected by Holm.

Ranks, because errors of different problems cannot be averaged: ten percent is poor on one and good on another. They
follow Demšar's, "Statistical comparisons of classifiers over multiple data sets" (JMLR 7, 2006).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from emphatic import check
from emphatic.study.statistics.pairs import LARGEST, ROUNDING, signed_rank_p

SMALLEST_LEVEL = 1e-10
"""Of a test: 1 - level must differ from 1."""


@dataclass(frozen=True, eq=False)
class Friedman:
    """Friedman's test: a small `p` says that not all methods are alike. `mean_ranks` is (methods,), 1 the best.

    Examples
    --------
    >>> from emphatic.study.statistics import friedman
    >>> friedman([[0.1, 0.2, 0.3], [0.3, 0.4, 0.6], [0.0, 0.1, 0.4]]).mean_ranks
    array([1., 2., 3.])
    """

    statistic: float
    p: float
    mean_ranks: check.FloatArray


def mean_ranks(errors: ArrayLike) -> check.FloatArray:
    """Mean rank of every method over the problems: (problems, methods) -> (methods,).

    Rank 1 is the smallest error; methods that tie share the mean of their ranks.

    >>> mean_ranks([[0.1, 0.2, 0.3], [0.1, 0.3, 0.3]])
    array([1. , 2.25, 2.75])
    """
    return np.asarray(stats.rankdata(check_table(errors), axis=1).mean(axis=0))


def friedman(errors: ArrayLike) -> Friedman:
    """Friedman's test for (problems, methods), corrected for ties; for two methods see `signed_rank_p`.

    .. math:: \\chi^2_F = \\frac{12 N}{k (k + 1)} \\Big[ \\sum_j R_j^2 - \\frac{k (k + 1)^2}{4} \\Big]

    with N problems, k methods and mean ranks R_j.

    >>> found = friedman([[0.1, 0.2, 0.3], [0.2, 0.3, 0.4], [0.1, 0.5, 0.6], [0.3, 0.4, 0.7]])
    >>> round(found.statistic, 3), round(found.p, 4)
    (8.0, 0.0183)
    """
    table = check_table(errors)
    if table.shape[1] < 3:
        raise ValueError(f"friedman needs at least three methods, got {table.shape[1]}: for two, see signed_rank_p")
    ranks = stats.rankdata(table, axis=1)
    if np.ptp(ranks) == 0:  # all methods tie on all problems: nothing to test
        return Friedman(0.0, 1.0, ranks.mean(axis=0))
    found = stats.friedmanchisquare(*ranks.T)
    return Friedman(float(found.statistic), float(found.pvalue), ranks.mean(axis=0))


def nemenyi_distance(n_methods: int, n_problems: int, level: float = 0.05) -> float:
    """The critical difference: methods whose mean ranks are nearer than this are not told apart at `level`.

    .. math:: CD = \\frac{q}{\\sqrt 2} \\sqrt{\\frac{k (k + 1)}{6 N}}

    with q the quantile of the studentised range of k means.

    >>> nemenyi_distance(4, 14)  # Demšar's example; he prints 1.25
    1.2536
    """
    check.integer("n_methods", n_methods, 2)
    check.integer("n_problems", n_problems, 1)
    check.real("level", level, SMALLEST_LEVEL, 1, open_high=True)
    quantile = stats.studentized_range.ppf(1 - level, n_methods, np.inf) / np.sqrt(2)
    return float(quantile * np.sqrt(n_methods * (n_methods + 1) / (6 * n_problems)))


def cliques(mean_ranks: ArrayLike, distance: float) -> list[tuple[int, ...]]:
    """Groups of two and more methods that `distance` does not tell apart: the bars of a critical-difference diagram.

    Methods are given by number, the best first; no group lies within another.

    >>> cliques([1.0, 2.5, 1.5, 4.0], distance=1.2)
    [(0, 2), (2, 1)]
    """
    ranks = check.numbers("mean_ranks", mean_ranks)
    if ranks.ndim != 1 or not np.isfinite(ranks).all():
        raise ValueError(f"mean_ranks must be one-dimensional and finite, got shape {ranks.shape}")
    check.real("distance", distance, 0)
    order = np.argsort(ranks, kind="stable")
    found: list[tuple[int, ...]] = []
    last_end = 0
    for start in range(len(order)):
        end = start + int(np.searchsorted(ranks[order[start:]] - ranks[order[start]], distance))
        if end - start > 1 and end > last_end:  # else it is part of the group before
            found.append(tuple(int(method) for method in order[start:end]))
            last_end = end
    return found


def holm(ps: ArrayLike) -> check.FloatArray:
    """p-values adjusted for their number by Holm's step-down: reject those below the level, at any level.

    >>> holm([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    values = check.numbers("ps", ps)
    if values.ndim != 1 or not ((values >= 0) & (values <= 1)).all():
        raise ValueError(f"ps must be one-dimensional, with values from 0 to 1, got {ps!r}")
    order = np.argsort(values, kind="stable")
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(np.maximum.accumulate(values[order] * np.arange(values.size, 0, -1)), 1.0)
    return adjusted


def against_all(errors: ArrayLike, reference: int) -> check.FloatArray:
    """p of Wilcoxon's signed-rank test of method number `reference` against every other, with Holm's correction.

    (problems, methods) -> (methods,); the reference itself has p = 1.

    >>> against_all([[0.1, 0.2, 0.1], [0.2, 0.5, 0.3], [0.1, 0.3, 0.1], [0.3, 0.7, 0.2], [0.2, 0.7, 0.2]], 0)
    array([1. , 0.125, 1. ])
    """
    table = check_table(errors)
    check.integer("reference", reference, 0)
    if reference >= table.shape[1]:
        raise ValueError(f"reference={reference} is not allowed: there are {table.shape[1]} methods, counted from 0.")
    others = np.delete(np.arange(table.shape[1]), reference)
    ps = np.ones(table.shape[1])
    ps[others] = holm([signed_rank_p(table[:, reference], table[:, other]) for other in others])
    return ps


def check_table(errors: ArrayLike) -> check.FloatArray:
    """The errors as a table of problems x methods, rounded so that equal ones are equal.

    >>> check_table([[0.1 + 0.2, 0.3]])
    array([[0.3, 0.3]])
    """
    table = check.numbers("errors", errors)
    if table.ndim != 2 or 0 in table.shape:
        raise ValueError(f"errors must be a table of problems x methods, got shape {table.shape}")
    if not (np.abs(table) <= LARGEST).all():  # NaN is caught as well
        raise ValueError(
            f"errors holds NaN, infinity or values beyond {LARGEST:g}: leave out problems that a method did not finish"
        )
    return np.round(table, ROUNDING)
