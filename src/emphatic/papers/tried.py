"""What the store holds of a table, setting by setting: the matter of the charts that go beyond its lines."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from emphatic.papers.options import Options
from emphatic.papers.registry import Table
from emphatic.study.store import Store
from emphatic.study.tasks import Record, canonical

SYMBOLS = {
    "lam": "λ",
    "lam_cen": "λ_cen",
    "alpha": "α",
    "beta": "β",
    "fraction": "K",
    "n_estimators": "T",
    "n_hidden": "H",
}
_BY_SPLIT = "regularisation"  # of paper 000: chosen for each training part, so it tells no two candidates apart


@dataclass(frozen=True)
class Tried:
    """A setting on a problem: its test errors in percent, run by run, and how its mean error went with the rounds."""

    problem: str
    method: str
    setting: Mapping[str, Any]
    errors: Sequence[float]
    curve: Sequence[tuple[int, float]]

    @property
    def mean(self) -> float:
        return float(np.mean(self.errors))

    @property
    def standard_error(self) -> float:
        return float(np.std(self.errors, ddof=1) / np.sqrt(len(self.errors))) if len(self.errors) > 1 else 0.0


def tried_settings(table: Table, options: Options, store: Store) -> list[Tried]:
    """All settings with all test runs of a table in the store; those with a missing run are left out."""
    runs = [
        task.key
        for studies in table.stages(options, store)
        for study in studies
        for task in study.tasks()
        if not task.key.fold
    ]
    held = {record.key: record for name in {work.table_id for work in runs} for record in store.records(name)}
    candidates: dict[tuple[str, str, str], list[Record | None]] = defaultdict(list)
    for work in dict.fromkeys(runs):
        known = {name: value for name, value in json.loads(work.setting).items() if name != _BY_SPLIT}
        candidates[work.problem, work.method, canonical(known)].append(held.get(work))
    found = []
    for (problem, method, setting), records in candidates.items():
        done = [record for record in records if record is not None]
        if len(done) == len(records):
            errors = [100 * record.metrics["error"] for record in done]
            found.append(Tried(problem, method, json.loads(setting), errors, _mean_curve(done)))
    return found


def setting_text(setting: Mapping[str, Any], names: Sequence[str]) -> str:
    """These parameters of a setting, as a reader of the papers knows them.

    >>> setting_text({"lam": 0.5, "fraction": 0.1, "solver": "ridge"}, ["fraction", "lam"])
    'K 0.1, λ 0.5'
    """
    return ", ".join(f"{SYMBOLS.get(name, name)} {setting[name]}" for name in names if name in setting)


def _mean_curve(records: Sequence[Record]) -> list[tuple[int, float]]:
    """Over the runs, at the rounds of the longest. Growth may end early: such a run keeps its last error.

    Between the rounds of a run its error is taken to go straight, over the logarithm of the round.
    """
    curves = [np.array(record.metrics.get("curve", ()), dtype=float).reshape(-1, 2) for record in records]
    if not all(map(len, curves)):
        return []
    rounds = max(curves, key=lambda curve: curve[-1, 0])[:, 0]
    errors = [np.interp(np.log(rounds), np.log(curve[:, 0]), curve[:, 1]) for curve in curves]
    return [(int(t), 100 * float(error)) for t, error in zip(rounds, np.mean(errors, axis=0), strict=True)]
