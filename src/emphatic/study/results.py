"""What a store holds of a study, arranged for choosing: errors, or other measures, by setting and run."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

import numpy as np

from emphatic.study.runner import Study
from emphatic.study.store import Store

Run = tuple[str, int, str]  # split, seed, fold
Errors = Mapping[str, Mapping[Run, float]]  # canonical setting -> run -> error


@dataclass(frozen=True)
class Results:
    """`errors` of the settings that finished every run. Settings with a missing or failed run are in `incomplete`.

    A setting is never judged on part of its runs: what failed may be just what was hard.
    """

    errors: Errors
    incomplete: tuple[str, ...]


def results_of(
    study: Study, store: Store, metric: Callable[[Mapping[str, Any]], float] = itemgetter("error")
) -> Results:
    """The results of a study with one method and one problem, runs in the order of its protocol.

    `metric` takes the number to arrange from the metrics of a record, by default the error.
    """
    [method], [problem] = study.methods, study.problems
    records = store.records(study.name, problem=problem.name, method=method.name)
    held = {record.key: metric(record.metrics) for record in records}
    errors: dict[str, dict[Run, float]] = defaultdict(dict)
    incomplete: dict[str, None] = {}  # a set that keeps its order
    for key in (task.key for task in study.tasks()):
        if key in held:
            errors[key.setting][key.split, key.seed, key.fold] = held[key]
        else:
            incomplete[key.setting] = None
    return Results({s: runs for s, runs in errors.items() if s not in incomplete}, tuple(incomplete))


def merge_results(parts: Sequence[Results], key: Callable[[str], str]) -> Results:
    """Join the results of studies that cover different splits, under settings that `key` makes equal.

    A setting that is incomplete in one of them is incomplete.
    """
    errors: dict[str, dict[Run, float]] = defaultdict(dict)
    for part in parts:
        for setting, runs in part.errors.items():
            errors[key(setting)].update(runs)
    incomplete = {key(setting): None for part in parts for setting in part.incomplete}
    return Results({s: runs for s, runs in errors.items() if s not in incomplete}, tuple(incomplete))


def best_setting(errors: Errors, distance: Callable[[str], Any], split: str | None = None) -> str:
    """The setting with the smallest mean error, over all runs or over those of one split.

    Ties (and means that differ only by rounding) go to the smallest `distance`, then to the first by name.

    >>> best_setting({"a": {("s", 0, ""): 0.2}, "b": {("s", 0, ""): 0.1}}, len)
    'b'
    """
    if not errors:
        raise ValueError("no setting has finished all its runs")

    def rank(setting: str) -> tuple[float, Any, str]:
        values = [error for run, error in errors[setting].items() if split is None or run[0] == split]
        return round(float(np.mean(values)), 12), distance(setting), setting

    return min(errors, key=rank)


def choose_per_split(
    tests: Errors, inner: Errors, distance: Callable[[str], Any]
) -> tuple[dict[Run, float], dict[str, str]]:
    """Test errors of the setting that inner cross-validation chooses, split by split; and the choice of every split.

    `tests` holds the errors on the test parts, `inner` those on the folds of the training parts. Only the second
    choose.
    """
    candidates = {setting: runs for setting, runs in inner.items() if setting in tests}
    runs = next(iter(tests.values()))
    choices = {split: best_setting(candidates, distance, split) for split in dict.fromkeys(run[0] for run in runs)}
    return {run: tests[choices[run[0]]][run] for run in runs}, choices
