"""Paper 004: how its parameters were chosen, on other problems, and what two of them do on the 20.

The slides give no value for the reward, the fuzziness, the deflections and their relaxation. `ChoiceTable` tries them
on problems that are not among the 20: first those of FuzzyBoost, then, with these, readings of its chains and votes,
then the parameters of DFA. `SweepTable` then
varies one of them on the 20; nothing is chosen there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.p004.setup import (
    DEFLECTED,
    N_TREES,
    OTHERS,
    PROBLEMS,
    PaperDistances,
    asked_for,
    build,
    folds,
    fuzzy_boost,
    load_problem,
    load_sample,
)
from emphatic.study.protocol import RepeatedKFold
from emphatic.study.results import results_of
from emphatic.study.runner import Study
from emphatic.study.store import Store
from emphatic.study.tasks import Method, Setting

CHOICE_FOLDS = 5
REWARDS = (0.1, 0.3, 0.5, 0.7)

PRINTED: Setting = {"chains": "both", "samme": False}
"""Where the choice begins: independent chains, and the vote as the slides print it."""

STAGES: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "FuzzyBoost": [
        {"reward": reward, "fuzziness": fuzziness, "init": init}
        for reward, fuzziness, init in product(REWARDS, (1.25, 2.0, 3.0), ("classes", "supervised"))
    ],
    "chains and votes": [
        {"chains": chains, "samme": samme} for chains, samme in product(("both", "shared"), (False, True))
    ],
    "DFA": [
        *(
            {"n_deflections": number, "relaxation": relaxation, "aligned": True}
            for number, relaxation in product((1, 2, 4), (2.0, 10.0))
        ),
        *({"n_deflections": number, "relaxation": 10.0, "aligned": False} for number in (1, 2, 4)),
    ],
}
"""What is tried, stage by stage, each with the best of the stages before."""


@dataclass(frozen=True)
class ChoiceTable:
    """Every candidate, by its error relative to what all of its stage have on the same problem."""

    id: str = "004-parameters"
    title: str = "004: parameters of FuzzyBoost and DFA, chosen on other problems"

    def problems(self, quick: bool = False) -> Sequence[str]:
        return () if quick else OTHERS

    def stages(self, options: Options, store: Store) -> Iterator[Sequence[Study]]:
        for stage in STAGES:
            candidates = self.candidates(stage, options, store)
            yield [self.study(problem, candidates) for problem in self._asked_for(options)]

    def study(self, problem: str, candidates: Sequence[Setting]) -> Study:
        settings = [fuzzy_boost(**candidate) for candidate in candidates]
        ensembles = Method(f"{N_TREES} trees", build, settings, PaperDistances)
        return Study(self.id, [ensembles], [load_sample(problem)], RepeatedKFold(CHOICE_FOLDS, 1))

    def candidates(self, stage: str, options: Options, store: Store) -> list[Setting]:
        """What a stage compares; nothing while an earlier one is not finished."""
        best = PRINTED
        for earlier in list(STAGES)[: list(STAGES).index(stage)]:
            ranked = self.ranked([{**best, **change} for change in STAGES[earlier]], options, store)
            if not ranked:
                return []
            best = ranked[0][0]
        return [{**best, **change} for change in STAGES[stage]]

    def ranked(
        self, candidates: Sequence[Setting], options: Options, store: Store
    ) -> list[tuple[Setting, list[float]]]:
        """The candidates, best first, with their relative errors, problem by problem; none while a fit is missing."""
        table = np.array([self._errors(problem, candidates, store) for problem in self._asked_for(options)])
        if not table.size or np.isnan(table).any():
            return []
        average = table.mean(axis=1, keepdims=True)
        relative = np.divide(table, average, out=np.ones_like(table), where=average > 0)
        order = np.argsort(relative.mean(axis=0).round(12), kind="stable")
        return [(candidates[c], relative[:, c].tolist()) for c in order]

    def _errors(self, problem: str, candidates: Sequence[Setting], store: Store) -> list[float]:
        """Mean error of each candidate, NaN where it is not finished."""
        errors = results_of(self.study(problem, candidates), store).errors
        runs = [folds(errors, fuzzy_boost(**candidate)) for candidate in candidates]
        return [float(np.mean(values)) if values else np.nan for values in runs]

    def lines(self, options: Options, store: Store) -> list[Line]:
        """Best first in each stage."""
        return [
            Line(f"{len(values)} other problems", stage, describe(candidate), [100.0 * value for value in values])
            for stage in STAGES
            for candidate, values in self.ranked(self.candidates(stage, options, store), options, store)
        ]

    def caption(self, options: Options) -> str:
        return (
            "Error in % of the mean error of all lines of the same stage on the same problem: mean (std) over problems "
            f"that are not among the 20, by {CHOICE_FOLDS}-fold cross-validation. Each stage goes "
            "on with the first line of the stage before."
        )

    def _asked_for(self, options: Options) -> list[str]:
        return asked_for(OTHERS, options.problems)


def describe(candidate: Setting) -> str:
    """A candidate in words.

    >>> describe({"reward": 0.3, "n_deflections": 2, "aligned": True, "samme": False})
    'reward 0.3, 2 deflections, aligned'
    """
    words = []
    for name, value in candidate.items():
        if isinstance(value, bool):
            words += [name] if value else []
        elif name == "n_deflections":
            words.append(f"{value} deflection{'s' if value != 1 else ''}")
        else:
            words.append(f"{name} {value}")
    return ", ".join(words)


@dataclass(frozen=True)
class SweepTable:
    """The mean error over the 20 problems, while one parameter is varied."""

    id: str
    title: str
    variants: Sequence[Mapping[str, Any]]

    def problems(self, quick: bool = False) -> Sequence[str]:
        return () if quick else PROBLEMS

    def stages(self, options: Options, store: Store) -> Iterator[Sequence[Study]]:
        yield [self.study(problem) for problem in asked_for(PROBLEMS, options.problems)]

    def study(self, problem: str) -> Study:
        settings = [fuzzy_boost(**variant) for variant in self.variants]
        ensembles = Method(f"{N_TREES} trees", build, settings, PaperDistances)
        return Study(self.id, [ensembles], [load_problem(problem)], RepeatedKFold(10, 1))

    def lines(self, options: Options, store: Store) -> list[Line]:
        found = [results_of(self.study(problem), store).errors for problem in asked_for(PROBLEMS, options.problems)]
        lines = []
        for variant in self.variants:
            runs = [folds(errors, fuzzy_boost(**variant)) for errors in found]
            values = [float(np.mean(run)) for run in runs if run]
            name = "DFA" if variant.get("n_deflections") else "FuzzyBoost"
            lines.append(Line(f"{len(values)} problems", name, describe(variant), values))
        return lines

    def caption(self, options: Options) -> str:
        return (
            "Error in %, mean (std) over the problems, by one 10-fold cross-validation each; the std is between "
            "problems, not between runs. Nothing was chosen by these lines."
        )


CHOICE = ChoiceTable()
REWARD = SweepTable(
    "004-reward",
    "004: the influence of the reward",
    [{"reward": reward, **deflected} for deflected in ({}, DEFLECTED) for reward in (*REWARDS, 0.9)],
)
DEFLECTION = SweepTable(
    "004-deflections",
    "004: the influence of the number of deflections",
    [
        {**DEFLECTED, "n_deflections": number, "aligned": aligned}
        for aligned, number in product((False, True), (0, 1, 2, 4))
    ],
)
