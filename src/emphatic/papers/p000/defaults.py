"""Which solver and which regularisation an RBF network should have by default: measured, not guessed.

Real AdaBoost of RBF networks with the library's other defaults, on bundled problems of every kind, by stratified
5-fold cross-validation. It ranks candidates over problems, for people who will choose nothing themselves. The tables of
paper 000 do not rest on it: their regularisation is chosen inside each training part.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from scipy.stats import rankdata

from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.p000.setup import REGULARISATIONS, build
from emphatic.study.protocol import RepeatedKFold
from emphatic.study.results import results_of
from emphatic.study.runner import Study
from emphatic.study.store import Store
from emphatic.study.tasks import Method, Setting

# Those of up to about 2,000 rows in which every class has a member for each of five folds.
PROBLEMS = (
    *("balance_scale", "breast", "breast_cancer_ljubljana", "car", "crabs", "credit", "diabetes", "german", "glass"),
    *("heart_cleveland", "heart_statlog", "hepatitis", "ionosphere", "iris", "labor", "ripley", "sonar", "soybean"),
    *("tic_tac_toe", "vehicle", "vote", "vowel", "wine"),
)
SHARED = {"fraction": 0.1, "n_estimators": 50, "centres": "emphasised", "lam": 0.5}
CANDIDATES: tuple[Setting, ...] = (
    *({**SHARED, "solver": "ridge", "regularisation": value} for value in (1e-5, *REGULARISATIONS)),
    *({**SHARED, "solver": "sgd", "step_scale": scale} for scale in ("max", "mean")),
)


@dataclass(frozen=True)
class DefaultsTable:
    """Candidates for the default solver, ranked on bundled problems."""

    id: str = "000-defaults"
    title: str = "Default solver and regularisation of RBF networks"

    def problems(self, quick: bool = False) -> Sequence[str]:
        return [] if quick else list(PROBLEMS)

    def stages(self, options: Options, store: Store) -> Iterator[Sequence[Study]]:
        yield [self._study(name) for name in self._chosen(options)]

    def lines(self, options: Options, store: Store) -> list[Line]:
        names = [_text(setting) for setting in CANDIDATES]
        lines, ranks = [], []
        for problem in self._chosen(options):
            errors = results_of(self._study(problem), store).errors
            values = {_text(json.loads(setting)): list(runs.values()) for setting, runs in errors.items()}
            if len(values) < len(names):
                continue
            ranks.append(rankdata([round(float(np.mean(values[name])), 12) for name in names]))
            lines += [Line(problem, "5 folds", name, [100 * value for value in values[name]]) for name in names]
        mean_ranks = [
            Line("mean rank", f"{len(ranks)} problems", name, [float(value) for value in column])
            for name, column in zip(names, np.transpose(ranks), strict=False)
        ]
        return mean_ranks + lines

    def caption(self, options: Options) -> str:
        return (
            "Error in % by stratified 5-fold cross-validation, mean (std over folds), and first the mean rank (std "
            "over problems) of each candidate. Real AdaBoost, 50 rounds, centres for 10% of the samples."
        )

    def _chosen(self, options: Options) -> list[str]:
        return [name for name in PROBLEMS if not options.problems or name in options.problems]

    def _study(self, name: str) -> Study:
        method = Method("Real AdaBoost", build, CANDIDATES, transformer=_table)
        return Study(self.id, [method], [_load(name)], RepeatedKFold(n_folds=5, n_repeats=1))


def _text(setting: Setting) -> str:
    return f"{setting['solver']} {setting.get('regularisation', setting.get('step_scale'))}"


def _table() -> Any:
    from emphatic.tables import TableTransformer

    return TableTransformer()


@cache
def _load(name: str) -> Any:
    from emphatic.datasets import load

    return load(name)


DEFAULTS = DefaultsTable()
