"""Methods on one problem: their figures, fold by fold, and tests of their differences."""

from dataclasses import dataclass, replace

import numpy as np
from scipy import stats

from emphatic.check import FloatArray
from emphatic.study.findings.figures import FIGURES
from emphatic.study.statistics import friedman, holm, mean_ranks

LEVEL = 0.95
FEWEST = 6
"""Folds, or problems, that a test needs: with five, even an exact test of pairs that all agree has p = 2 / 2^5 > 5%."""
TOO_FEW = "too few folds"


@dataclass(frozen=True, eq=False)
class Finished:
    """A method with its figures: name of the figure -> one number per fold of each repetition.

    `recalls` holds the share of the rows of each class that are predicted right, NaN in folds without the class. A
    figure that was not measured in every fold is not there.
    """

    name: str
    family: str
    note: str
    values: dict[str, FloatArray]
    recalls: dict[str, FloatArray]

    def mean(self, figure: str) -> float:
        return float(self.values[figure].mean())

    def spread(self, figure: str) -> float:
        """The standard deviation over the folds; 0 for a single one."""
        values = self.values[figure]
        return float(values.std(ddof=1)) if len(values) > 1 else 0.0

    def find_mean(self, figure: str) -> float | None:
        return self.mean(figure) if figure in self.values else None

    def mean_recalls(self) -> dict[str, float]:
        return {label: float(np.nanmean(values)) for label, values in self.recalls.items()}


@dataclass(frozen=True)
class Difference:
    """Mean error of a method minus that of the best, with a confidence interval and p corrected by Holm.

    Interval and p are None if there are too few folds.
    """

    mean: float
    low: float | None = None
    high: float | None = None
    p: float | None = None


@dataclass(frozen=True)
class Outcome:
    """Methods that finished every fold, best first; and why the others did not.

    `test_share` is the number of test rows for each training row.
    """

    finished: list[Finished]
    unfinished: dict[str, str]
    test_share: float

    @property
    def n_folds(self) -> int:
        return len(self.finished[0].values["error"])

    @property
    def figures(self) -> list[str]:
        """Names of all figures that any method has, the error first and the time of the fit last."""
        given = dict.fromkeys(figure for one in self.finished for figure in one.values)
        others = [figure for figure in given if figure not in FIGURES]
        known = [figure for figure in FIGURES if figure in given]
        return [*known[:-1], *others, *known[-1:]]

    @property
    def classes(self) -> list[str]:
        """The classes whose recalls are known."""
        return list(dict.fromkeys(label for one in self.finished for label in one.recalls))

    def errors(self) -> FloatArray:
        """(folds, methods)."""
        return np.column_stack([one.values["error"] for one in self.finished])

    def differences(self) -> list[Difference | None]:
        """Compare each method with the first, which itself has None."""
        best, *others = self.finished
        gaps = [one.values["error"] - best.values["error"] for one in others]
        if self.n_folds < FEWEST:
            return [None, *(Difference(float(gap.mean())) for gap in gaps)]
        raw = [compare_folds(gap, self.test_share) for gap in gaps]
        adjusted = holm([one.p for one in raw if one.p is not None])
        return [None, *(replace(one, p=float(p)) for one, p in zip(raw, adjusted, strict=True))]

    def ranks(self) -> FloatArray:
        """Mean rank of each method over the folds, 1 is best."""
        return mean_ranks(self.errors())

    def friedman_p(self) -> float | None:
        """p of Friedman's test that all methods are equally good; None for fewer than three, or too few folds."""
        return friedman(self.errors()).p if len(self.finished) > 2 and self.n_folds >= FEWEST else None


def compare_folds(differences: FloatArray, test_share: float) -> Difference:
    r"""Run the resampled t test with Nadeau and Bengio's correction for training parts that overlap.

    .. math:: t = \bar d \Big/ \sqrt{\big(\tfrac1J + \tfrac{n_{test}}{n_{train}}\big) s_d^2}

    for J differences d of errors on parts with `test_share` = n_test / n_train. Without the second term ("Inference for
    the generalization error", Machine Learning 52, 2003) the test finds differences where there are none.

    >>> compare_folds(np.array([0.01, 0.03, 0.02, 0.02]), test_share=1 / 3)
    Difference(mean=0.02, low=0.000, high=0.040, p=0.0491)
    """
    n, mean, std = len(differences), float(differences.mean()), float(differences.std(ddof=1))
    error = std * np.sqrt(1 / n + test_share)
    if error == 0:
        return Difference(mean, mean, mean, 1.0 if mean == 0 else 0.0)
    reach = float(stats.t.ppf((1 + LEVEL) / 2, n - 1) * error)
    return Difference(mean, mean - reach, mean + reach, float(2 * stats.t.sf(abs(mean / error), n - 1)))
