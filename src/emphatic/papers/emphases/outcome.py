"""What a store holds of the emphasis study, by condition: errors of problems and learners by rules."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.stats import rankdata

from emphatic.check import FloatArray
from emphatic.papers.emphases.conditions import CONDITIONS, IMBALANCE
from emphatic.papers.emphases.rules import FOR_IMBALANCE, RULES
from emphatic.study import Store, Study, TaskKey

Case = tuple[str, str]
"""A problem with a learner."""

Curve = list[tuple[int, float]]
"""A measure after some of the rounds."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """One condition: `errors` is (cases, rules), means over the partitions; cases with a missing fit are left out."""

    condition: str
    rules: Sequence[str]
    cases: Sequence[Case]
    errors: FloatArray
    runs: dict[tuple[Case, str], list[dict[str, Any]]]
    """What was measured, fit by fit."""

    @property
    def learners(self) -> list[str]:
        return list(dict.fromkeys(learner for _, learner in self.cases))

    @cached_property
    def ranks(self) -> FloatArray:
        """(cases, rules), 1 the best; errors that differ by rounding tie."""
        return np.asarray(rankdata(self.errors.round(12), axis=1))

    def of_learner(self, learner: str) -> FloatArray:
        """(problems, rules): the errors with one learner."""
        return np.asarray(self.errors[[own == learner for _, own in self.cases]])

    @cached_property
    def over_learners(self) -> FloatArray:
        """(problems, rules): means over the learners, of problems that are complete with all of them.

        Tests are made of these: the learners of a problem are no independent witnesses.
        """
        number = {case: row for row, case in enumerate(self.cases)}
        problems = dict.fromkeys(problem for problem, _ in self.cases)
        every = [[(problem, learner) for learner in self.learners] for problem in problems]
        complete = [cases for cases in every if all(case in number for case in cases)]
        means = [self.errors[[number[case] for case in cases]].mean(axis=0) for cases in complete]
        return np.array(means).reshape(len(means), len(self.rules))

    def curves(self, learner: str, rule: str, measure: str) -> list[Curve]:
        """A measure over the rounds, of every fit that has one."""
        found = (self.runs[case, rule] for case in self.cases if case[1] == learner)
        return [[(int(t), value) for t, value in run[measure]] for runs in found for run in runs if run.get(measure)]


def read_outcomes(studies: Iterable[Study], store: Store) -> list[Outcome]:
    """One for each condition that has a complete case."""
    runs: dict[tuple[str, Case, str], list[dict[str, Any]]] = defaultdict(list)
    missing = set()
    for study in studies:
        [problem], [method] = study.problems, study.methods
        records = store.records(study.name, problem=problem.name, method=method.name)
        held = {record.key: record.metrics for record in records}
        for task in study.tasks():
            if task.key in held:
                runs[_place(task.key)].append(held[task.key])
            else:
                missing.add(_place(task.key))
    complete = {place: found for place, found in runs.items() if place not in missing}
    outcomes = (_arrange(condition, complete) for condition in CONDITIONS)
    return [one for one in outcomes if one.cases]


def _place(key: TaskKey) -> tuple[str, Case, str]:
    setting = json.loads(key.setting)
    return setting["condition"], (key.problem, key.method), setting["rule"]


def _arrange(condition: str, complete: dict[tuple[str, Case, str], list[dict[str, Any]]]) -> Outcome:
    rules = [*RULES, *(FOR_IMBALANCE if condition == IMBALANCE else ())]
    measure = "balanced_error" if condition == IMBALANCE else "error"
    own = {(case, rule): found for (one, case, rule), found in complete.items() if one == condition}
    cases = [case for case in dict.fromkeys(case for case, _ in own) if all((case, rule) in own for rule in rules)]
    errors = [[float(np.mean([run[measure] for run in own[case, rule]])) for rule in rules] for case in cases]
    return Outcome(condition, rules, cases, np.array(errors).reshape(len(cases), len(rules)), own)
