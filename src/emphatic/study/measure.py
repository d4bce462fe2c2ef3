"""What is measured of a fitted classifier, unless its method measures something else."""

from __future__ import annotations

from typing import Any

import numpy as np

_CURVE_POINTS = 10


def score(estimator: Any, X: Any, y: np.ndarray) -> dict[str, Any]:
    """The error, the accuracy of each class, and of an ensemble the error after about ten of its rounds.

    One pass over the stages gives all: the last stage is the prediction.
    """
    errors, predicted = [], None
    for predicted in estimator.staged_predict(X) if hasattr(estimator, "staged_predict") else ():
        errors.append(_error(predicted, y))
    if predicted is None:
        predicted = estimator.predict(X)
    # Not `emphatic.metrics.class_accuracies`: what it checks of its inputs takes longer than some fits.
    right = np.asarray(predicted) == y
    accuracies = {str(label): float(np.mean(right[y == label])) for label in np.unique(y)}
    metrics: dict[str, Any] = {"error": _error(predicted, y), "class_accuracies": accuracies}
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
