"""One fit, measured: the function that travels to the workers."""

from __future__ import annotations

import json
import time
import warnings
from functools import lru_cache
from importlib import metadata
from typing import Any

import numpy as np

import emphatic
from emphatic.base import take_rows
from emphatic.study.threads import one_thread
from emphatic.study.work import Record, Task

_CURVE_POINTS = 10
_KEPT_WARNINGS = 3


def fit_and_score(task: Task) -> Record:
    """Fit on the training rows of the split, score on its test rows; an exception becomes a record too."""
    started = time.perf_counter()
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("default")
            metrics = _measure(task)
        status = "done"
        if caught:
            metrics["warnings"] = sorted({str(warning.message) for warning in caught})[:_KEPT_WARNINGS]
    except Exception as error:  # one bad fit must not end a night's work
        status, metrics = "failed", {"message": f"{type(error).__name__}: {error}"}
    return Record(task.work, status, metrics, time.perf_counter() - started, versions())


def _measure(task: Task) -> dict[str, Any]:
    split, y = task.split, np.asarray(task.problem.y)
    estimator = task.method.build(json.loads(task.work.setting), task.work.random_state)
    transformer = task.method.transformer()
    X_train, X_test = take_rows(task.problem.X, split.train), take_rows(task.problem.X, split.test)
    with one_thread():
        if transformer is not None:
            X_train = transformer.fit_transform(X_train)
            X_test = transformer.transform(X_test)
        estimator.fit(X_train, y[split.train])
        metrics = score(estimator, X_test, y[split.test])
    reason = getattr(estimator, "stop_reason_", None)
    if reason is not None:
        metrics["stop_reason"] = str(reason)
    return metrics


def score(estimator: Any, X: Any, y: np.ndarray) -> dict[str, Any]:
    """The error, and for an ensemble grown round by round also the error after about ten of its rounds.

    One pass over the stages gives both: the last stage is the prediction.
    """
    if not hasattr(estimator, "staged_predict"):
        return {"error": _error(estimator.predict(X), y)}
    errors = [_error(predicted, y) for predicted in estimator.staged_predict(X)]
    if not errors:
        return {"error": _error(estimator.predict(X), y)}
    return {"error": errors[-1], "curve": [[t, errors[t - 1]] for t in curve_rounds(len(errors))]}


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
