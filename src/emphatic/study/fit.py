"""Fits, measured: the function that travels to the workers."""

from __future__ import annotations

import json
import threading
import time
import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from emphatic.boosting.together import Fit, fit_together
from emphatic.inputs import take_rows
from emphatic.study.versions import versions
from emphatic.study.work import Record, Task
from emphatic.threads import one_thread

_KEPT_WARNINGS = 3
# Warnings, times and numbers of threads belong to a process. A Dask worker may have several threads: one fit at a time.
_one_at_a_time = threading.Lock()


class _Measured(NamedTuple):
    metrics: dict[str, Any]
    fit_cpu_seconds: float
    predict_cpu_seconds: float


def fit_and_score(tasks: Sequence[Task]) -> list[Record]:
    """Fit on the training rows of each split, score on its test rows; an exception becomes a record too.

    Several tasks are done in step; their time is shared out evenly, and their warnings cannot be told apart.
    """
    with _one_at_a_time, warnings.catch_warnings(record=True) as caught, one_thread():
        warnings.simplefilter("default")
        started = time.perf_counter()
        try:
            outcomes = _measure(tasks)
        except Exception as error:  # one bad fit must not end a night's work
            outcomes = [error for _ in tasks]
        seconds = (time.perf_counter() - started) / len(tasks)
    if caught and len(tasks) == 1 and isinstance(outcomes[0], _Measured):
        outcomes[0].metrics["warnings"] = sorted({str(warning.message) for warning in caught})[:_KEPT_WARNINGS]
    return [_record(task, outcome, seconds) for task, outcome in zip(tasks, outcomes, strict=True)]


def failed(task: Task, error: BaseException, seconds: float = 0.0) -> Record:
    """The record of work that ended in an exception."""
    return Record(task.work, "failed", {"message": f"{type(error).__name__}: {error}"}, seconds, versions())


def _record(task: Task, outcome: _Measured | Exception, seconds: float) -> Record:
    if isinstance(outcome, Exception):
        return failed(task, outcome, seconds)
    metrics, *cpu_seconds = outcome
    return Record(task.work, "done", metrics, seconds, versions(), *cpu_seconds)


def _measure(tasks: Sequence[Task]) -> list[_Measured | Exception]:
    """Metrics of every task, or what went wrong."""
    tables: dict[bytes, tuple[Any, Any]] = {}  # equal training rows, one table: what is the same object is shared
    fits, rests = [], []
    for task in tasks:
        key = task.split.train.tobytes() + task.split.test.tobytes()
        if key not in tables:
            tables[key] = _transformed(task)
        X_train, X_test = tables[key]
        y = np.asarray(task.problem.y)
        estimator = task.method.build(json.loads(task.work.setting), task.work.random_state)
        fits.append(Fit(estimator, X_train, y[task.split.train]))
        rests.append((task, X_test, y[task.split.test]))
    started = time.process_time()
    fitted = fit_together(fits)
    seconds = (time.process_time() - started) / len(tasks)
    return [
        one if isinstance(one, Exception) else _scored(one, seconds, *rest)
        for one, rest in zip(fitted, rests, strict=True)
    ]


def _transformed(task: Task) -> tuple[Any, Any]:
    transformer = task.method.transformer()
    X_train, X_test = (take_rows(task.problem.X, rows) for rows in (task.split.train, task.split.test))
    return (
        (X_train, X_test)
        if transformer is None
        else (transformer.fit_transform(X_train), transformer.transform(X_test))
    )


def _scored(estimator: Any, fit_seconds: float, task: Task, X: Any, y: np.ndarray) -> _Measured:
    started = time.process_time()
    metrics = task.method.measure(estimator, X, y)
    seconds = time.process_time() - started
    reason = getattr(estimator, "stop_reason_", None)
    if reason is not None:
        metrics = {"stop_reason": str(reason)} | metrics
    # As the store will give it back, and here, where what cannot be written down fails as part of this fit.
    return _Measured(json.loads(json.dumps(metrics, default=_plain)), fit_seconds, seconds)


def _plain(value: Any) -> Any:
    """Of NumPy's numbers and arrays, Python's."""
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    raise TypeError(
        f"measure gave a {type(value).__name__}, which a store cannot keep: give numbers, text, lists, dicts"
    )
