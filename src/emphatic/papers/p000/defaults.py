"""Which solver and regularisation an RBF network should have by default.

Real AdaBoost of RBF networks with the library's other defaults, on bundled problems of every kind, by stratified
5-fold cross-validation. Candidates are ranked over problems, for people who will choose nothing themselves. The tables
of paper 000 do not depend on it: their regularisation is chosen inside each training part.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import rankdata

from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.p000.ensembles import REGULARISATIONS, build
from emphatic.papers.table import PublishedTable, percent
from emphatic.study import Method, RepeatedKFold, Store, Study
from emphatic.study.tasks import Setting, canonical

SHARED = {"fraction": 0.1, "n_estimators": 50, "centres": "emphasised", "lam": 0.5}
CANDIDATES: tuple[Setting, ...] = (
    *({**SHARED, "solver": "ridge", "regularisation": value} for value in (1e-5, *REGULARISATIONS)),
    *({**SHARED, "solver": "sgd", "step_scale": scale} for scale in ("max", "mean")),
)


@dataclass(frozen=True)
class DefaultsTable(PublishedTable):
    """Candidates for the default solver, ranked on bundled problems."""

    # those of up to about 2,000 rows in which every class has a sample for each of five folds
    all_problems = (
        *("balance_scale", "breast", "breast_cancer_ljubljana", "car", "crabs", "credit", "diabetes", "german"),
        *("glass", "heart_cleveland", "heart_statlog", "hepatitis", "ionosphere", "iris", "labor", "ripley", "sonar"),
        *("soybean", "tic_tac_toe", "vehicle", "vote", "vowel", "wine"),
    )

    def problem_studies(self, problem: str, options: Options) -> Sequence[Study]:
        method = Method("Real AdaBoost", build, CANDIDATES, transformer=make_transformer)
        return [self.make_study(problem, method, RepeatedKFold(n_folds=5, n_repeats=1))]

    def lines(self, options: Options, store: Store) -> list[Line]:
        names = {
            canonical(one): f"{one['solver']} {one.get('regularisation', one.get('step_scale'))}" for one in CANDIDATES
        }
        lines, ranks = [], []
        for problem in self.chosen_problems(options):
            errors = self.problem_errors(problem, options, store)
            if len(errors) == len(names):
                ranks.append(rankdata([round(float(np.mean(list(errors[one].values()))), 12) for one in names]))
                lines += [Line(problem, "5 folds", name, percent(errors[one])) for one, name in names.items()]
        mean_ranks = [
            Line("mean rank", f"{len(ranks)} problems", name, [float(value) for value in column])
            for name, column in zip(names.values(), np.transpose(ranks), strict=False)
        ]
        return mean_ranks + lines

    def caption(self, options: Options) -> str:
        return (
            "Error in % by stratified 5-fold cross-validation, mean (std over folds); the first lines show the mean "
            "rank (std over problems) of each candidate. Real AdaBoost, 50 rounds, 10% of the samples as centres."
        )


def make_transformer() -> Any:
    """The library's own preparation of a table."""
    from emphatic.tables import TableTransformer

    return TableTransformer()


DEFAULTS = DefaultsTable("000-defaults", "Default solver and regularisation of RBF networks")
