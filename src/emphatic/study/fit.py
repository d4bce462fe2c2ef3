"""Fits, measured: the function that travels to the workers."""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Sequence
from functools import lru_cache
from importlib import metadata
from typing import Any

import numpy as np

import emphatic
from emphatic.inputs import take_rows
from emphatic.metrics import class_accuracies
from emphatic.study.threads import one_thread
from emphatic.study.work import Record, Task
from emphatic.together import Fit, fit_together

_CURVE_POINTS = 10
_KEPT_WARNINGS = 3


def fit_and_score(tasks: Sequence[Task]) -> list[Record]:
    """Fit on the training rows of each split, score on its test rows; an exception becomes a record too.

    Several tasks are done in step; their time is shared out evenly, and their warnings cannot be told apart.
    """
    started = time.perf_counter()
    with warnings.catch_warnings(record=True) as caught, one_thread():
        warnings.simplefilter("default")
        try:
            outcomes = _measure(tasks)
        except Exception as error:  # one bad fit must not end a night's work
            outcomes = [error for _ in tasks]
    seconds = (time.perf_counter() - started) / len(tasks)
    if caught and len(tasks) == 1 and isinstance(outcomes[0], dict):
        outcomes[0]["warnings"] = sorted({str(warning.message) for warning in caught})[:_KEPT_WARNINGS]
    return [_record(task, outcome, seconds) for task, outcome in zip(tasks, outcomes, strict=True)]


def _record(task: Task, outcome: dict[str, Any] | Exception, seconds: float) -> Record:
    if isinstance(outcome, Exception):
        message = {"message": f"{type(outcome).__name__}: {outcome}"}
        return Record(task.work, "failed", message, seconds, versions())
    return Record(task.work, "done", outcome, seconds, versions())


def _measure(tasks: Sequence[Task]) -> list[dict[str, Any] | Exception]:
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
        rests.append((X_test, y[task.split.test]))
    fitted = fit_together(fits)
    return [one if isinstance(one, Exception) else _scored(one, *rest) for one, rest in zip(fitted, rests, strict=True)]


def _transformed(task: Task) -> tuple[Any, Any]:
    transformer = task.method.transformer()
    X_train, X_test = (take_rows(task.problem.X, rows) for rows in (task.split.train, task.split.test))
    return (
        (X_train, X_test)
        if transformer is None
        else (transformer.fit_transform(X_train), transformer.transform(X_test))
    )


def _scored(estimator: Any, X: Any, y: np.ndarray) -> dict[str, Any]:
    metrics = score(estimator, X, y)
    reason = getattr(estimator, "stop_reason_", None)
    if reason is not None:
        metrics["stop_reason"] = str(reason)
    return metrics


def score(estimator: Any, X: Any, y: np.ndarray) -> dict[str, Any]:
    """The error, the accuracy of each class, and of an ensemble the error after about ten of its rounds.

    One pass over the stages gives all: the last stage is the prediction.
    """
    errors, predicted = [], None
    for predicted in estimator.staged_predict(X) if hasattr(estimator, "staged_predict") else ():
        errors.append(_error(predicted, y))
    if predicted is None:
        predicted = estimator.predict(X)
    accuracies = zip(np.unique(y), class_accuracies(y, predicted), strict=True)
    metrics: dict[str, Any] = {
        "error": _error(predicted, y),
        "class_accuracies": {str(label): float(accuracy) for label, accuracy in accuracies},
    }
    if errors:
        metrics["curve"] = [[t, errors[t - 1]] for t in curve_rounds(len(errors))]
    return metrics


def curve_rounds(n_rounds: int, n_points: int = _CURVE_POINTS) -> list[int]:
    """About `n_points` round numbers from 1 to `n_rounds`, denser at the start, where curves bend.

    >>> curve_rounds(100)
    [1, 2, 3, 5, 8, 13, 22, 36, 60, 100]
    """
    return sorted({round(float(t)) for t in np.geomspace(1, n_rounds, n_points)})


def _error(predicted: Any, y: np.ndarray) -> float:
    return float(np.mean(np.asarray(predicted) != y))


@lru_cache(maxsize=1)
def versions() -> dict[str, str]:
    """The versions a result depends on."""
    found = {"emphatic": str(getattr(emphatic, "__version__", "unknown"))}
    for package in ("numpy", "scikit-learn", "numba"):
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = "not installed"
    return found
