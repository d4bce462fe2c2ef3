"""From the records of a store to outcomes."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from emphatic.study.findings.outcome import Finished, Outcome
from emphatic.study.store import Store
from emphatic.study.tasks import Record, Task, TaskKey

_STARTS = {"failed": "", "timeout": "exceeded the time limit: ", "memory": "exceeded the memory limit: "}


@dataclass(frozen=True)
class Entry:
    """A method by the name that tables show, with the keys of its fits on one problem, in the order of the folds."""

    name: str
    keys: Sequence[TaskKey]
    family: str = ""
    note: str = ""


def collect_outcome(entries: Iterable[Entry], store: Store, test_share: float) -> Outcome:
    """Collect all that the store holds of these methods on one problem."""
    finished, unfinished = [], {}
    for one in entries:
        [table_id] = {key.table_id for key in one.keys}
        held = {record.key: record for record in store.records(table_id, problem=one.keys[0].problem)}
        records = [held[key] for key in one.keys if key in held]
        if len(records) < len(one.keys):
            unfinished[one.name] = _find_reason(set(one.keys), table_id, store)
        else:
            finished.append(Finished(one.name, one.family, one.note, *_arrange(one.name, records)))
    finished.sort(key=lambda one: (one.mean("error"), one.find_mean("log_loss") or 0.0))
    return Outcome(finished, unfinished, test_share)


def measure_share(tasks: Iterable[Task]) -> float:
    """Test rows for each training row, on average."""
    return float(np.mean([len(task.split.test) / len(task.split.train) for task in tasks]))


def _arrange(name: str, records: Sequence[Record]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The figures that all records have, fold by fold, and the recalls of all classes.

    A record of an older version lacks the figures that were added since.
    """
    rows = [{**record.metrics, "fit_seconds": record.fit_cpu_seconds or 0.0} for record in records]
    shared = [figure for figure in rows[0] if all(_is_number(row.get(figure)) for row in rows)]
    if "error" not in shared:
        raise ValueError(
            f"{name} was measured without its error: a measure must return {{'error': ...}} to be compared"
        )
    by_class: list[Mapping[str, float]] = [row.get("class_accuracies", {}) for row in rows]
    labels = dict.fromkeys(label for row in by_class for label in row)
    return (
        {figure: np.array([row[figure] for row in rows], dtype=np.float64) for figure in shared},
        {label: np.array([row.get(label, np.nan) for row in by_class]) for label in labels},
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _find_reason(keys: set[TaskKey], table_id: str, store: Store) -> str:
    """Why a fit is missing: what the first record of a failure says."""
    for status, start in _STARTS.items():
        for record in store.records(table_id, status):
            if record.key in keys:
                return f"{start}{record.metrics.get('message', status)}"
    return "not finished"
