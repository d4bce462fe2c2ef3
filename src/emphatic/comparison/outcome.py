"""What came of a comparison: the scores of every method, fold by fold, and tests of their differences."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import stats

from emphatic.check import FloatArray
from emphatic.comparison.plan import TABLE_ID, Contender
from emphatic.study.statistics import friedman, holm, mean_ranks
from emphatic.study.store import Store

FIGURES = ("error", "balanced_accuracy", "log_loss", "roc_auc", "fit_seconds")
LEVEL = 0.95


@dataclass(frozen=True, eq=False)
class Finished:
    """A method with its figures: name of the figure -> one number per fold of each repetition."""

    name: str
    family: str
    note: str
    values: dict[str, FloatArray]

    def mean(self, figure: str) -> float:
        return float(self.values[figure].mean())

    def spread(self, figure: str) -> float:
        return float(self.values[figure].std(ddof=1))


@dataclass(frozen=True)
class Difference:
    """Mean error of a method minus that of the best, with a confidence interval and p corrected by Holm."""

    mean: float
    low: float
    high: float
    p: float


@dataclass(frozen=True)
class Outcome:
    """Methods that finished every fold, best first; and why the others did not."""

    finished: list[Finished]
    unfinished: dict[str, str]
    test_share: float

    def errors(self) -> FloatArray:
        """(folds, methods)."""
        return np.column_stack([one.values["error"] for one in self.finished])

    def differences(self) -> list[Difference | None]:
        """Compare each method with the first, which itself has None."""
        best, *others = self.finished
        raw = [compare_folds(one.values["error"] - best.values["error"], self.test_share) for one in others]
        adjusted = holm([one.p for one in raw])
        return [None, *(replace(one, p=float(p)) for one, p in zip(raw, adjusted, strict=True))]

    def ranks(self) -> FloatArray:
        """Mean rank of each method over the folds, 1 is best."""
        return mean_ranks(self.errors())

    def friedman_p(self) -> float | None:
        """p of Friedman's test that all methods are equally good; None for fewer than three."""
        return friedman(self.errors()).p if len(self.finished) > 2 else None


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


def collect_outcome(contenders: Sequence[Contender], store: Store, n_folds: int) -> Outcome:
    """Collect all that the store holds of a comparison."""
    held = {record.key: record for record in store.records(TABLE_ID)}
    finished, unfinished = [], {}
    for one in contenders:
        works = [task.key for task in one.study.tasks()]
        records = [held[work] for work in works if work in held]
        if len(records) == len(works):
            rows = [{**record.metrics, "fit_seconds": record.fit_cpu_seconds or 0.0} for record in records]
            values = {figure: np.array([row[figure] for row in rows], dtype=np.float64) for figure in FIGURES}
            finished.append(Finished(one.name, one.recipe.family, one.note, values))
        else:
            unfinished[one.name] = _find_reason(set(works), store)
    finished.sort(key=lambda one: (one.mean("error"), one.mean("log_loss")))
    return Outcome(finished, unfinished, 1 / (n_folds - 1))


def _find_reason(works: set[Any], store: Store) -> str:
    """Why a fit is missing: what the first record of a failure says."""
    starts = {"failed": "", "timeout": "exceeded the time limit: ", "memory": "exceeded the memory limit: "}
    for status, text in starts.items():
        for record in store.records(TABLE_ID, status):
            if record.key in works:
                return f"{text}{record.metrics.get('message', status)}"
    return "not finished"
