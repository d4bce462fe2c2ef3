"""What the store holds of one row: errors of every lambda, the rounds they reached, and what was chosen."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from emphatic.papers.p000.rows import Row
from emphatic.study.results import Errors, Results, Run, best_setting, choose_per_split
from emphatic.study.tasks import canonical

EARLY = 20
"""The round at which convergence is compared."""


@dataclass(frozen=True)
class Outcome:
    """Errors by setting and run, on test parts (`tests`) and on the folds of training parts (`folds`).

    A setting is without its regularisation, which may differ between training parts: `regularisations` has that of
    each. `rounds` and `early` have the rounds reached and the error after `EARLY` rounds; they lack settings whose
    records keep no curve.
    """

    row: Row
    stand_in: bool
    tests: Results
    folds: Errors
    rounds: Errors
    early: Errors
    real_adaboost: str
    regularisations: Mapping[str, float | None]

    @property
    def is_finished(self) -> bool:
        """Whether Real AdaBoost and every other setting have all their runs."""
        return bool(self.ra) and not self.tests.incomplete

    @property
    def ra(self) -> Mapping[Run, float]:
        return self.tests.errors.get(self.real_adaboost, {})

    @property
    def fixed(self) -> Errors:
        """The settings whose lambda stays the same over the rounds."""
        return {one: errors for one, errors in self.tests.errors.items() if "lam_end" not in json.loads(one)}

    @property
    def oracle(self) -> str:
        """The setting with the smallest mean test error."""
        return best_setting(self.fixed, distance_from_ra)

    def choose_on_folds(self) -> tuple[dict[Run, float], dict[str, str]]:
        """Test errors of the lambda chosen on each training part, where there are folds; and the choices."""
        parts = {run[0] for runs in self.folds.values() for run in runs}
        tests = {
            one: {run: error for run, error in runs.items() if run[0] in parts} for one, runs in self.fixed.items()
        }
        return choose_per_split(tests, self.folds, distance_from_ra) if parts and tests else ({}, {})

    def mean(self, setting: str) -> float:
        """The mean test error in percent."""
        return 100 * mean_over(self.tests.errors[setting])

    def find(self, lam: float, **more: float) -> str:
        """The setting with this lambda, finished or not."""
        return canonical({**json.loads(self.real_adaboost), "lam": lam, **more})


def mean_over(values: Mapping[Run, float]) -> float:
    """The mean over the runs."""
    return float(np.mean(list(values.values())))


def count_rounds(metrics: Mapping[str, Any]) -> float:
    """The rounds reached: the last round of the curve; NaN if there is no curve."""
    curve = metrics.get("curve")
    return float(curve[-1][0]) if curve else float("nan")


def error_early(metrics: Mapping[str, Any]) -> float:
    """The error after `EARLY` rounds; NaN if there is no curve."""
    curve = metrics.get("curve")
    return interpolate_curve(curve, [EARLY])[0] if curve else float("nan")


def interpolate_curve(curve: Sequence[Sequence[float]], rounds: Sequence[int]) -> list[float]:
    """Errors at these rounds, from those at the recorded ones, interpolated over the logarithm of the round.

    A run that ended earlier keeps its last error.

    >>> interpolate_curve([[1, 0.3], [100, 0.1]], [10, 1000])
    [0.2, 0.1]
    """
    recorded, errors = np.transpose(curve)
    return [float(error) for error in np.interp(np.log(rounds), np.log(recorded), errors).round(12)]


def distance_from_ra(setting: str) -> float:
    """From Real AdaBoost, in lambdas: the tie-break of every choice."""
    values = json.loads(setting)
    return round(abs(values["lam"] - 0.5) + abs(values.get("lam_cen", 0.5) - 0.5), 9)


def drop_regularisation(setting: str) -> str:
    """The regularisation may differ between splits, the rest of a setting does not."""
    return canonical({name: value for name, value in json.loads(setting).items() if name != "regularisation"})


def without_nan(errors: Errors) -> Errors:
    """Only the settings whose runs all have a number."""
    return {setting: runs for setting, runs in errors.items() if not np.isnan(list(runs.values())).any()}
