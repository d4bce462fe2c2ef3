"""What a store holds of the ensembles of paper 002: accuracies, differences to published ones, training times."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from emphatic.papers.p002.problems import FIGURES, NETWORKS, POLICIES, find_published
from emphatic.papers.table import group_repetitions
from emphatic.study import Record, Store, Study, TaskKey
from emphatic.study.tasks import Setting, canonical

Figures = Mapping[str, Sequence[float]]
"""a, a+, a- and g in every repetition, in %."""

Place = tuple[str, str]
"""A problem and a method, the latter by the paper's name."""

TAKEN: dict[str, Callable[[Mapping[str, Any]], float]] = {
    "a": lambda metrics: 1 - metrics["error"],
    "a+": lambda metrics: metrics["class_accuracies"]["1"],
    "a-": lambda metrics: metrics["class_accuracies"]["-1"],
}
"""From the metrics of a fit."""


@dataclass
class Measured:
    """What is finished, by place: figures, processor seconds of the fits, and all metrics of every fit."""

    figures: dict[Place, Figures] = field(default_factory=dict)
    seconds: dict[Place, list[float]] = field(default_factory=dict)
    metrics: dict[Place, list[dict[str, Any]]] = field(default_factory=dict)

    def mean(self, problem: str, method: str, figure: str) -> float:
        """Mean over the repetitions; NaN if they are not finished."""
        figures = self.figures.get((problem, method))
        return float(np.mean(figures[figure])) if figures else np.nan


def read_study(study: Study, store: Store, name_method: Callable[[Setting], str]) -> Measured:
    """What a study with one method and one problem has finished; `name_method` gives a setting its name.

    A setting counts as finished when all its runs are: what is missing may be just what was hard.
    """
    [problem], [method] = study.problems, study.methods
    held = {record.key: record for record in store.records(study.name, problem=problem.name, method=method.name)}
    keys: dict[str, list[TaskKey]] = {}
    for task in study.tasks():
        keys.setdefault(task.key.setting, []).append(task.key)
    found = Measured()
    for setting in method.settings:
        own = keys[canonical(setting)]
        if all(key in held for key in own):
            place = problem.name, name_method(setting)
            records = [held[key] for key in own]
            found.figures[place] = average_folds(records)
            found.metrics[place] = [record.metrics for record in records]
            found.seconds[place] = [one.fit_cpu_seconds for one in records if one.fit_cpu_seconds is not None]
    return found


def average_folds(records: Sequence[Record]) -> Figures:
    """The accuracies of a repetition are averages over its folds, and its g is that of these averages."""
    found = {}
    for figure, take in TAKEN.items():
        runs = {(one.key.split, one.key.seed, one.key.fold): take(one.metrics) for one in records}
        found[figure] = np.array([100 * np.mean(folds) for folds in group_repetitions(runs)])
    found["g"] = np.sqrt(found["a+"] * found["a-"])
    return {figure: values.tolist() for figure, values in found.items()}


def name_ensemble(setting: Setting) -> str:
    """The paper's name of an ensemble."""
    return POLICIES[setting["policy"]] if "policy" in setting else NETWORKS


def join(parts: Sequence[Measured]) -> Measured:
    """Several in one."""
    whole = Measured()
    for part in parts:
        whole.figures |= part.figures
        whole.seconds |= part.seconds
        whole.metrics |= part.metrics
    return whole


def measure_differences(found: Mapping[Place, Figures]) -> dict[Place, list[float]]:
    """Absolute differences to the published a, a+, a- and g."""
    return {
        (problem, method): [
            abs(float(np.mean(figures[figure])) - find_published(problem, method, figure)[0]) for figure in FIGURES
        ]
        for (problem, method), figures in found.items()
    }
