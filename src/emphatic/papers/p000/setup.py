"""Paper 000: its rows, its grids, and how its ensembles are built."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from emphatic.papers.options import Options
from emphatic.papers.published import find
from emphatic.study.protocol import InnerFolds, PredefinedOrPartitions
from emphatic.study.tasks import Setting

PAPER = "000"
REAL_ADABOOST = "RA (lambda=0.5)"
# Kwok's generator is not known: five Gaussians with the printed counts stand in, and are never compared.
PROBLEMS = {
    "Abalone": "abalone",
    "Breast": "breast",
    "Image": "image",
    "Ionosphere": "ionosphere",
    "Kwok": "five_gaussians_not_kwok",
    "Ripley": "ripley",
}
LAMBDAS = tuple(round(0.1 * step, 1) for step in range(11))
QUICK_LAMBDAS = (0.2, 0.5, 0.8)
QUICK_ROWS = {("ripley", 10), ("ripley", 2), ("ionosphere", 10)}
REGULARISATIONS = (1e-4, 1e-3, 1e-2, 1e-1)
FOLD_REPEATS = 3  # of the folds of a predefined training part, which is only one; ten partitions need no repeats


@dataclass(frozen=True)
class Row:
    """One row of a printed table."""

    dataset: str
    percent: int
    n_estimators: int

    @property
    def problem(self) -> str:
        return PROBLEMS[self.dataset]


def printed_rows(table: str) -> list[Row]:
    """The rows of a table as printed: fractions and rounds are read from the published numbers themselves.

    >>> printed_rows("IV")
    [Row(dataset='Abalone', percent=10, n_estimators=100), Row(dataset='Kwok', percent=10, n_estimators=100)]
    """
    values = find(PAPER, table, method=REAL_ADABOOST)
    return [Row(value.dataset, int(value.setting["K%"]), int(value.setting["T"])) for value in values]


@cache
def load_problem(name: str) -> Any:
    """The problem with the classes and sizes of paper 000."""
    from emphatic.datasets import load

    return load(name, paper=PAPER)


def inner_folds(row: Row, options: Options) -> InnerFolds:
    """Five folds of every training part; drawn several times where there is only one training part."""
    only_one = load_problem(row.problem).train is not None
    repeats = FOLD_REPEATS if only_one and not options.quick else 1
    return InnerFolds(PredefinedOrPartitions(options.runs), n_folds=5, n_repeats=repeats)


def build(setting: Setting, random_state: int) -> Any:
    """The ensemble of a setting.

    "emphasised" centres follow the emphasis of the output weights, "uniform" ones follow none, "separate" ones their
    own.
    """
    from emphatic import RBFNetworkClassifier, RealAdaBoostClassifier
    from emphatic.emphasis import Mixed, Uniform
    from emphatic.learners import SampledCentres

    solver = {name: setting[name] for name in ("solver", "regularisation", "step_scale") if name in setting}
    design = {"emphasised": None, "uniform": Uniform(), "separate": Mixed(setting.get("lam_cen", 0.5))}
    return RealAdaBoostClassifier(
        RBFNetworkClassifier(SampledCentres(setting["fraction"]), **solver),
        Mixed(setting["lam"]),
        design_emphasis=design[setting["centres"]],
        n_estimators=setting["n_estimators"],
        random_state=random_state,
    )
