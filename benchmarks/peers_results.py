"""What the store holds of `benchmarks.peers`, arranged: problems by methods."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from emphatic.study.statistics import mean_ranks
from emphatic.study.tasks import Record

METRICS = {"error": 1, "balanced_accuracy": -1, "g": -1, "roc_auc": -1, "log_loss": 1}
"""1 if small is good, else -1."""

COSTS = ("fit_cpu_seconds", "predict_cpu_seconds", "n_candidates")
OURS = "EmphaticClassifier"

Runs = dict[str, dict[str, Mapping[str, Any]]]
"""Problem -> partition -> what was recorded."""


@dataclass(frozen=True)
class Results:
    """`means[metric]` is (problems, methods), over the partitions that all methods have finished on a problem.

    Only methods that have finished a partition of every problem are here: the others are in `unfinished`, with the
    number of problems they lack. `refusals` counts the fits, of those that are here, that ended in an error and were
    scored as the class frequencies.
    """

    problems: tuple[str, ...]
    methods: tuple[str, ...]
    n_partitions: tuple[int, ...]
    means: Mapping[str, np.ndarray]
    unfinished: Mapping[str, int]
    refusals: Mapping[str, int]

    def part(self, names: Iterable[str]) -> Results:
        """Of some problems."""
        rows = [i for i, name in enumerate(self.problems) if name in set(names)]
        return Results(
            tuple(self.problems[i] for i in rows),
            self.methods,
            tuple(self.n_partitions[i] for i in rows),
            {metric: table[rows] for metric, table in self.means.items()},
            self.unfinished,
            self.refusals,
        )

    def ranks(self, metric: str) -> np.ndarray:
        """Mean rank of every method, 1 the best."""
        return mean_ranks(METRICS[metric] * self.means[metric])


def results(records: Iterable[Record], problems: Sequence[str], flipped: float, max_train: int) -> dict[bool, Results]:
    """Arranged records; False: all at their defaults, True: peers tuned, beside ours as they are."""
    found = collect_runs(records, problems, flipped, max_train)
    defaults = {method: runs for (method, tuned), runs in found.items() if not tuned}
    tuned = {f"{method}, tuned": runs for (method, is_tuned), runs in found.items() if is_tuned}
    if tuned and OURS in defaults:
        for name, runs in tuned.items():
            _fill(runs, defaults.get(name.removesuffix(", tuned"), {}), defaults[OURS])
        tuned = {OURS: defaults[OURS], **tuned}
    return {is_tuned: arrange(runs, problems) for is_tuned, runs in ((False, defaults), (True, tuned)) if runs}


def collect_runs(
    records: Iterable[Record], problems: Sequence[str], flipped: float, max_train: int
) -> dict[tuple[str, bool], Runs]:
    """By method, and whether it was tuned."""
    found: dict[tuple[str, bool], Runs] = {}
    for record in records:
        setting, work = json.loads(record.key.setting), record.key
        if setting["flipped"] == flipped and work.split.endswith(f"-of-{max_train}") and work.problem in problems:
            key = (work.method, setting.get("tuned", False))
            found.setdefault(key, {}).setdefault(work.problem, {})[work.split] = values_of(record)
    return found


def _fill(tuned: Runs, defaults: Runs, budgets: Runs) -> None:
    """A search whose budget ends before the defaults are fitted keeps the defaults: it need not be run to be known."""
    for problem, splits in defaults.items():
        for split, values in splits.items():
            budget = budgets.get(problem, {}).get(split)
            if budget is not None and values["fit_cpu_seconds"] > budget["fit_cpu_seconds"]:
                tuned.setdefault(problem, {}).setdefault(split, values)


def values_of(record: Record) -> dict[str, Any]:
    """What is compared."""
    return {
        "n_candidates": 0,
        **record.metrics,
        "refused": "refusal" in record.metrics,
        "fit_cpu_seconds": record.fit_cpu_seconds,
    }


def arrange(runs: Mapping[str, Mapping[str, Mapping[str, Any]]], problems: Sequence[str]) -> Results:
    """By method and problem."""
    at_hand = [problem for problem in problems if any(problem in of for of in runs.values())]
    lacking = {method: len(at_hand) - len(of) for method, of in runs.items()}
    methods = [method for method, lacks in lacking.items() if lacks == 0]
    shared = {problem: _shared([runs[method][problem] for method in methods]) for problem in at_hand}
    rows = [problem for problem, splits in shared.items() if splits]

    def values(problem: str, method: str, name: str) -> list[Any]:
        return [runs[method][problem][split][name] for split in shared[problem]]

    means = {
        name: np.array([[np.mean(values(row, method, name)) for method in methods] for row in rows])
        for name in (*METRICS, *COSTS)
    }
    refusals = {method: sum(sum(values(row, method, "refused")) for row in rows) for method in methods}
    return Results(
        tuple(rows),
        tuple(methods),
        tuple(len(shared[row]) for row in rows),
        means,
        {method: lacks for method, lacks in lacking.items() if lacks},
        {method: count for method, count in refusals.items() if count},
    )


def _shared(runs: Sequence[Mapping[str, Any]]) -> list[str]:
    """Partitions that all have finished."""
    return sorted(set.intersection(*map(set, runs))) if runs else []
