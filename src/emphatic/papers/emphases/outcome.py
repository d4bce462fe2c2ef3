"""What a store holds of the emphasis study, by condition: errors of cases (a problem with a learner) by rules."""

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
from emphatic.study import Store, Study
from emphatic.study.statistics import improvability

Case = tuple[str, str]  # problem, learner


@dataclass(frozen=True, eq=False)
class Outcome:
    """One condition: `errors` is (cases, rules), means over the partitions; cases with a missing fit are left out."""

    condition: str
    rules: Sequence[str]
    cases: Sequence[Case]
    errors: FloatArray
    curves: dict[tuple[str, str], dict[str, list[list[list[float]]]]]
    """By learner and rule, by measure: a curve for each fit."""

    @cached_property
    def ranks(self) -> FloatArray:
        """(cases, rules), 1 the best; errors that differ by rounding tie."""
        return np.asarray(rankdata(self.errors.round(12), axis=1))

    @cached_property
    def improvability(self) -> FloatArray:
        """(rules,): by how many percent the best rule's error is lower, on average."""
        return improvability(self.errors)

    def of_learner(self, learner: str) -> Outcome:
        """The cases of one learner."""
        rows = [number for number, case in enumerate(self.cases) if case[1] == learner]
        return Outcome(self.condition, self.rules, [self.cases[row] for row in rows], self.errors[rows], self.curves)

    def column(self, rule: str) -> FloatArray:
        """The errors of a rule."""
        return np.asarray(self.errors[:, list(self.rules).index(rule)])


def read_outcomes(studies: Iterable[Study], store: Store) -> list[Outcome]:
    """One for each condition that has a complete case."""
    runs: dict[tuple[str, Case, str], list[dict[str, Any]]] = defaultdict(list)
    wanted: dict[tuple[str, Case, str], int] = defaultdict(int)
    for study in studies:
        [problem], [method] = study.problems, study.methods
        held = {record.key: record for record in store.records(study.name, problem=problem.name, method=method.name)}
        for task in study.tasks():
            key = _key_of(task.key)
            wanted[key] += 1
            if task.key in held:
                runs[key].append(held[task.key].metrics)
    complete = {key: found for key, found in runs.items() if len(found) == wanted[key]}
    outcomes = (_arrange(condition, complete) for condition in CONDITIONS)
    return [one for one in outcomes if one.cases]


def _key_of(key: Any) -> tuple[str, Case, str]:
    setting = json.loads(key.setting)
    return setting["condition"], (key.problem, key.method), setting["rule"]


def _arrange(condition: str, complete: dict[tuple[str, Case, str], list[dict[str, Any]]]) -> Outcome:
    rules = [*RULES, *(FOR_IMBALANCE if condition == IMBALANCE else ())]
    measure = "balanced_error" if condition == IMBALANCE else "error"
    seen = dict.fromkeys(case for one, case, _ in complete if one == condition)
    cases = [case for case in seen if all((condition, case, rule) in complete for rule in rules)]
    errors = [
        [float(np.mean([run[measure] for run in complete[condition, case, rule]])) for rule in rules] for case in cases
    ]
    curves: dict[tuple[str, str], dict[str, list[list[list[float]]]]] = defaultdict(lambda: defaultdict(list))
    for case in cases:
        for rule in rules:
            for run in complete[condition, case, rule]:
                for name in ("curve", "margins", "effective_shares"):
                    if run.get(name):
                        curves[case[1], rule][name].append(run[name])
    return Outcome(condition, rules, cases, np.array(errors).reshape(len(cases), len(rules)), curves)
