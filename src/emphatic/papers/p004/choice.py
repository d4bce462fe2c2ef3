"""Table 004-parameters: how parameters that the slides leave open were chosen, on other problems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.p004.ensembles import fuzzy_boost_setting
from emphatic.papers.p004.problems import OTHERS, load_sample
from emphatic.papers.p004.trees_table import TreesTable
from emphatic.papers.table import Step, setting_percent
from emphatic.study import Store, Study
from emphatic.study.results import results_of
from emphatic.study.tasks import Setting

CHOICE_FOLDS = 5
REWARDS = (0.1, 0.3, 0.5, 0.7)
PRINTED: Setting = {"chains": "both", "samme": False}
"""Where the choice of parameters begins: independent chains, and the vote as the slides print it."""

CANDIDATES: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "FuzzyBoost": [
        {"reward": reward, "fuzziness": fuzziness, "init": init}
        for reward, fuzziness, init in product(REWARDS, (1.25, 2.0, 3.0), ("classes", "supervised"))
    ],
    "chains and votes": [
        {"chains": chains, "samme": samme} for chains, samme in product(("both", "shared"), (False, True))
    ],
    "DFA": [
        *({"n_deflections": n, "relaxation": value, "aligned": True} for n, value in product((1, 2, 4), (2.0, 10.0))),
        *({"n_deflections": n, "relaxation": 10.0, "aligned": False} for n in (1, 2, 4)),
    ],
}
"""What each step of the choice tries, together with the best of the steps before."""


class ChoiceTable(TreesTable):
    """How parameters were chosen: each candidate by its error relative to all candidates of its step.

    The slides give no value for the reward, the fuzziness, the deflections and their relaxation. They are chosen on
    problems that are not among the 20: first those of FuzzyBoost, then, with these, readings of its chains and votes,
    then the parameters of DFA.
    """

    all_problems = OTHERS

    def load(self, problem: str) -> Any:
        return load_sample(problem)

    def steps(self, options: Options) -> list[Step]:
        return [Step(partial(self._step_studies, name, options)) for name in CANDIDATES]

    def _step_studies(self, step: str, options: Options, store: Store) -> list[Study]:
        return self._studies(self.candidates(step, options, store), options)

    def _studies(self, candidates: Sequence[Setting], options: Options) -> list[Study]:
        settings = [fuzzy_boost_setting(**candidate) for candidate in candidates]
        return [self.study(problem, settings, CHOICE_FOLDS) for problem in self.chosen_problems(options)]

    def candidates(self, step: str, options: Options, store: Store) -> list[Setting]:
        """What a step compares; nothing while an earlier step is unfinished."""
        best = PRINTED
        for name, changes in CANDIDATES.items():
            candidates: list[Setting] = [{**best, **change} for change in changes]
            if name == step:
                return candidates
            ranked = self._rank(candidates, options, store)
            if not ranked:
                return []
            best = ranked[0][0]
        raise KeyError(step)

    def _rank(self, candidates: Sequence[Setting], options: Options, store: Store) -> list[tuple[Setting, list[float]]]:
        """The candidates, best first, with their relative errors on each problem; none while a fit is missing."""
        table = []
        for study in self._studies(candidates, options):
            errors = results_of(study, store).errors
            runs = [setting_percent(errors, fuzzy_boost_setting(**candidate)) for candidate in candidates]
            if not runs or not all(runs):
                return []
            table.append([float(np.mean(values)) for values in runs])
        if not table:
            return []
        means = np.array(table)
        average = means.mean(axis=1, keepdims=True)
        relative = np.divide(means, average, out=np.ones_like(means), where=average > 0)  # all 1 where none errs
        order = np.argsort(relative.mean(axis=0).round(12), kind="stable")
        return [(candidates[c], relative[:, c].tolist()) for c in order]

    def lines(self, options: Options, store: Store) -> list[Line]:
        """Best first in each step."""
        return [
            Line(f"{len(values)} other problems", step, describe(candidate), [100.0 * value for value in values])
            for step in CANDIDATES
            for candidate, values in self._rank(self.candidates(step, options, store), options, store)
        ]

    def caption(self, options: Options) -> str:
        return (
            "Error in % of the mean error of all lines of the same step on the same problem: mean (std) over problems "
            f"that are not among the 20, by {CHOICE_FOLDS}-fold cross-validation. Each step continues with the first "
            "line of the step before."
        )


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
