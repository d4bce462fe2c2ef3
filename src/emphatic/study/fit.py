"""Fitting and measuring: the function that travels to the workers."""

import json
import math
import platform
import threading
import time
import warnings
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from importlib import metadata
from typing import Any

import numpy as np

from emphatic.answers import check_labels
from emphatic.boosting.together import Failure, Fit, fit_together
from emphatic.inputs import take_rows
from emphatic.study.predictions import predict_rows
from emphatic.study.tasks import Record, Task
from emphatic.threads import one_thread
from emphatic.version import __version__

_KEPT_WARNINGS = 3
_KEPT_CHARACTERS = 2000  # of a message: a store holds many
_PACKAGES = ("numpy", "scipy", "scikit-learn", "numba")
# Warnings, times and numbers of threads belong to a process. A Dask worker may have several threads: one fit at a time.
_one_at_a_time = threading.Lock()


def fit_and_score(tasks: Sequence[Task]) -> list[Record]:
    """Fit on the training rows of each split, score on its test rows; an exception becomes a record too.

    Several tasks are fitted in step; their time is divided evenly, and their warnings cannot be told apart.
    """
    with _one_at_a_time, warnings.catch_warnings(record=True) as caught, one_thread():
        warnings.simplefilter("default")
        started = time.perf_counter()
        try:
            records = _fit_and_measure(tasks)
        except (Exception, SystemExit) as error:  # one bad fit must not end a night's work
            records = [record_failure(task, error) for task in tasks]
        seconds = (time.perf_counter() - started) / len(tasks)
    if caught and len(records) == 1 and records[0].status == "done":
        records[0].metrics["warnings"] = sorted({shorten(str(warning.message)) for warning in caught})[:_KEPT_WARNINGS]
    return [replace(record, seconds=seconds) for record in records]


def record_failure(task: Task, error: BaseException) -> Record:
    """The record of a task that ended in an exception."""
    try:
        reason = f"sys.exit was called, with {error.code!r}" if isinstance(error, SystemExit) else str(error)
    except Exception:  # whoever raises an exception may have written it, too
        reason = "its message cannot be read"
    message = shorten(f"{type(error).__name__}: {reason}")
    return Record(task.key, "failed", {"message": message}, versions=find_versions())


def shorten(text: str, n_kept: int = _KEPT_CHARACTERS) -> str:
    """The text, or its beginning and end if it is too long to keep, and how much was left out between them.

    >>> shorten("The matrix is " + "0 " * 1000 + "and singular", 40)
    'The matrix is 0 0 0  [... 1986 characters left out ...] 0 0 0 0 and singular'
    """
    if len(text) <= n_kept:
        return text
    half = n_kept // 2
    return f"{text[:half]} [... {len(text) - 2 * half} characters left out ...] {text[-half:]}"


def score(estimator: Any, X: Any, y: np.ndarray) -> dict[str, Any]:
    """The error, the accuracy of each class, and for an ensemble the error after about ten of its rounds.

    One sweep over the staged predictions gives all: the last one is the prediction.
    """
    staged = estimator.staged_predict(X) if hasattr(estimator, "staged_predict") else ()
    rights = [check_labels(estimator, predicted, len(y)) == y for predicted in staged]
    errors = [float(np.mean(~right)) for right in rights]
    right = rights[-1] if rights else check_labels(estimator, estimator.predict(X), len(y)) == y
    # Not `emphatic.metrics.class_accuracies`: checking its inputs takes longer than some fits.
    accuracies = {str(label): float(np.mean(right[y == label])) for label in np.unique(y)}
    metrics: dict[str, Any] = {"error": float(np.mean(~right)), "class_accuracies": accuracies}
    if errors:
        metrics["curve"] = [[t, errors[t - 1]] for t in choose_rounds(len(errors))]
    return metrics


def choose_rounds(n_rounds: int, n_points: int = 10) -> list[int]:
    """About `n_points` round numbers from 1 to `n_rounds`, denser at the start, where curves bend.

    >>> choose_rounds(100)
    [1, 2, 3, 5, 8, 13, 22, 36, 60, 100]
    """
    return sorted({round(float(t)) for t in np.geomspace(1, n_rounds, n_points)})


@lru_cache(maxsize=1)
def find_versions() -> dict[str, str]:
    """The versions of this library, of Python, and of the packages that compute.

    >>> sorted(find_versions())
    ['emphatic', 'numba', 'numpy', 'python', 'scikit-learn', 'scipy']
    """
    found = {"emphatic": str(__version__), "python": platform.python_version()}
    return found | {package: metadata.version(package) for package in _PACKAGES}


def _fit_and_measure(tasks: Sequence[Task]) -> list[Record]:
    tables: dict[bytes, tuple[Any, Any]] = {}  # one table for equal rows: fits in step share what is the same object
    fits, X_tests = [], []
    for task in tasks:
        rows = task.split.train.tobytes() + task.split.test.tobytes()
        if rows not in tables:
            tables[rows] = _transform(task)
        X_train, X_test = tables[rows]
        estimator = task.method.build(json.loads(task.key.setting), task.key.random_state)
        fits.append(Fit(estimator, X_train, np.asarray(task.problem.y)[task.split.train]))
        X_tests.append(X_test)
    started = time.process_time()
    fitted = fit_together(fits)
    seconds = (time.process_time() - started) / len(tasks)
    return [
        record_failure(task, one) if isinstance(one, Failure) else _measure(task, one, X_test, seconds)
        for task, one, X_test in zip(tasks, fitted, X_tests, strict=True)
    ]


def _transform(task: Task) -> tuple[Any, Any]:
    transformer = task.method.transformer()
    X_train, X_test = (take_rows(task.problem.X, rows) for rows in (task.split.train, task.split.test))
    if transformer is None:
        return X_train, X_test
    return transformer.fit_transform(X_train), transformer.transform(X_test)


def _measure(task: Task, estimator: Any, X: Any, fit_seconds: float) -> Record:
    y = np.asarray(task.problem.y)[task.split.test]
    started = time.process_time()
    metrics = (task.method.measure or score)(estimator, X, y)
    seconds = time.process_time() - started
    if not isinstance(metrics, dict):
        raise TypeError(f"measure returned a {type(metrics).__name__}; it must return a dictionary")
    reason = getattr(estimator, "stop_reason_", None)
    if reason is not None:
        metrics = {"stop_reason": str(reason)} | metrics
    # Encoded here and not only in the store, so that what cannot be written down fails as part of this fit.
    metrics = json.loads(json.dumps(metrics, default=_to_python))
    undefined = [name for name, value in metrics.items() if _holds_nan(value)]
    if undefined:
        raise ValueError(f"measure returned NaN for {', '.join(undefined)}; every measure must be a number")
    kept = predict_rows(estimator, X, task.key, task.split.test).pack() if task.keep_predictions else None
    return Record(task.key, "done", metrics, 0.0, find_versions(), fit_seconds, seconds, predictions=kept)


def _holds_nan(value: Any) -> bool:
    """Whether NaN is in a value that was decoded from JSON."""
    if isinstance(value, dict | list):
        return any(map(_holds_nan, value.values() if isinstance(value, dict) else value))
    return isinstance(value, float) and math.isnan(value)


def _to_python(value: Any) -> Any:
    """The Python equivalent of NumPy's numbers and arrays."""
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    raise TypeError(f"measure returned a {type(value).__name__}; a store keeps numbers, text, lists and dictionaries")
