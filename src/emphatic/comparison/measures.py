"""What is measured of a fitted classifier on test rows."""

import time
from typing import Any

import numpy as np
from scipy.stats import gmean
from sklearn.metrics import roc_auc_score

from emphatic.answers import predict_labels, predict_probabilities
from emphatic.check import FloatArray
from emphatic.metrics import class_accuracies

SMALLEST = float(np.finfo(np.float64).eps)
"""Probabilities are clipped here before their logarithm is taken, as in scikit-learn's `log_loss`."""


def measure(estimator: Any, X: Any, y: Any) -> dict[str, Any]:
    r"""Measure error, balanced accuracy, g, ROC AUC, log loss, and CPU seconds of `predict`.

    g is the geometric mean of the accuracies of the classes in `y`.

    The ROC AUC is the mean over the classes in `y` of each against the rest, which for two classes is the usual one.
    The log loss is :math:`-\frac1n \sum_i \ln p_{y_i}(x_i)`; a class that the training rows did not have has
    probability 0. `y` must hold two classes or more.

    >>> from sklearn.dummy import DummyClassifier
    >>> dummy = DummyClassifier(strategy="prior").fit([[0], [0], [0]], ["a", "a", "b"])
    >>> found = measure(dummy, [[0], [0]], ["a", "b"])
    >>> found["error"], found["g"], found["roc_auc"], found["log_loss"]
    (0.5, 0.0, 0.5, 0.752)
    """
    labels = np.asarray(y)
    classes, codes = np.unique(labels, return_inverse=True)
    if len(classes) < 2:
        raise ValueError(f"y holds only one class ({classes.tolist()}): ROC AUC needs at least 2.")
    started = time.process_time()
    predicted = predict_labels(estimator, X)
    seconds = time.process_time() - started
    probabilities = _probabilities(estimator, X, classes)
    accuracies = class_accuracies(labels, predicted)
    return {
        "error": float(np.mean(predicted != labels)),
        "balanced_accuracy": float(np.mean(accuracies)),
        "g": float(gmean(accuracies)),
        "roc_auc": float(np.mean([roc_auc_score(codes == k, probabilities[:, k]) for k in range(len(classes))])),
        "log_loss": _log_loss(probabilities, codes),
        "predict_cpu_seconds": seconds,
    }


def log_loss(estimator: Any, X: Any, y: Any) -> float:
    """Measure the log loss alone, as in `measure`; `y` may hold one class."""
    classes, codes = np.unique(np.asarray(y), return_inverse=True)
    return _log_loss(_probabilities(estimator, X, classes), codes)


def _probabilities(estimator: Any, X: Any, classes: np.ndarray) -> FloatArray:
    """Probabilities of these classes, one per column: 0 for a class that the estimator does not know."""
    given = predict_probabilities(estimator, X)
    places = {label: k for k, label in enumerate(np.asarray(estimator.classes_).tolist())}
    columns = [given[:, places[label]] if label in places else np.zeros(len(given)) for label in classes.tolist()]
    return np.column_stack(columns)


def _log_loss(probabilities: FloatArray, codes: np.ndarray) -> float:
    likelihoods = np.clip(probabilities[np.arange(len(codes)), codes], SMALLEST, 1.0)
    return float(-np.mean(np.log(likelihoods)))
