"""What is measured of a fitted classifier on test rows."""

import time
from typing import Any

import numpy as np
from scipy.stats import gmean
from sklearn.metrics import average_precision_score, roc_auc_score

from emphatic.answers import predict_labels, predict_probabilities
from emphatic.check import FloatArray
from emphatic.inputs import find_rarer
from emphatic.metrics import calibration_error, class_accuracies

SMALLEST = float(np.finfo(np.float64).eps)
"""Probabilities are clipped here before their logarithm is taken, as in scikit-learn's `log_loss`."""


def find_positive(y: Any) -> Any:
    """The rarer of two classes, of which F1 and average precision are measured; None if there are more.

    Of two that are equally frequent it is the last, as scikit-learn has it.

    >>> find_positive(["yes", "no", "no"]), find_positive([0, 1, 1, 0]), find_positive([0, 1, 2])
    ('yes', 1, None)
    """
    classes, counts = np.unique(np.asarray(y), return_counts=True)
    if len(classes) != 2:
        return None
    return classes.tolist()[find_rarer(counts.tolist())]


def measure(estimator: Any, X: Any, y: Any, positive: Any = None) -> dict[str, Any]:
    r"""Measure errors, rankings, probabilities and the time of `predict` on rows `X` with labels `y`.

    - `error`; `class_accuracies`, the recall of each class in `y`; their mean `balanced_accuracy`, and geometric mean
      `g`
    - `f1` and `average_precision` of the class `positive`, or if that is None the mean over the classes in `y`
    - `roc_auc`, the mean over the classes in `y` of each against the rest, which for two classes is the usual one
    - `log_loss`, :math:`-\frac1n \sum_i \ln p_{y_i}(x_i)`; a class that the training rows lack has probability 0
    - `calibration_error`, see `emphatic.metrics.calibration_error`
    - `predict_cpu_seconds`

    `y` must hold two classes or more.

    >>> from sklearn.dummy import DummyClassifier
    >>> dummy = DummyClassifier(strategy="prior").fit([[0], [0], [0]], ["a", "a", "b"])
    >>> found = measure(dummy, [[0], [0]], ["a", "b"], positive="b")
    >>> found["error"], found["g"], found["roc_auc"], found["log_loss"]
    (0.5, 0.0, 0.5, 0.752)
    >>> found["f1"], found["average_precision"], found["class_accuracies"]
    (0.0, 0.5, {'a': 1.0, 'b': 0.0})
    """
    labels = np.asarray(y)
    classes, codes = np.unique(labels, return_inverse=True)
    if len(classes) < 2:
        raise ValueError(f"y holds only one class ({classes.tolist()}): ROC AUC needs at least 2.")
    started = time.process_time()
    predicted = predict_labels(estimator, X)
    seconds = time.process_time() - started
    # All classes, as a row may be taken for one that none of them has; those of `y` come first.
    known = [label for label in np.asarray(estimator.classes_).tolist() if label not in classes.tolist()]
    probabilities = _probabilities(estimator, X, [*classes.tolist(), *known])
    accuracies = class_accuracies(labels, predicted)
    places = [k for k, label in enumerate(classes.tolist()) if positive is None or label == positive]
    return {
        "error": float(np.mean(predicted != labels)),
        "class_accuracies": dict(zip(map(str, classes.tolist()), accuracies.tolist(), strict=True)),
        "balanced_accuracy": float(np.mean(accuracies)),
        "g": float(gmean(accuracies)),
        "f1": float(np.mean([_f1(labels == classes[k], predicted == classes[k]) for k in places])),
        "average_precision": _mean_over(average_precision_score, probabilities, codes, places),
        "roc_auc": _mean_over(roc_auc_score, probabilities, codes, range(len(classes))),
        "log_loss": _log_loss(probabilities, codes),
        "calibration_error": calibration_error(probabilities, codes),
        "predict_cpu_seconds": seconds,
    }


def log_loss(estimator: Any, X: Any, y: Any) -> float:
    """Measure the log loss alone, as in `measure`; `y` may hold one class."""
    classes, codes = np.unique(np.asarray(y), return_inverse=True)
    return _log_loss(_probabilities(estimator, X, classes.tolist()), codes)


def _probabilities(estimator: Any, X: Any, classes: list[Any]) -> FloatArray:
    """Probabilities of these classes, one per column: 0 for a class that the estimator does not know."""
    given = predict_probabilities(estimator, X)
    places = {label: k for k, label in enumerate(np.asarray(estimator.classes_).tolist())}
    columns = [given[:, places[label]] if label in places else np.zeros(len(given)) for label in classes]
    return np.column_stack(columns)


def _mean_over(score: Any, probabilities: FloatArray, codes: np.ndarray, places: Any) -> float:
    """The mean over these classes of a score of each against the rest."""
    return float(np.mean([score(codes == k, probabilities[:, k]) for k in places]))


def _f1(truth: np.ndarray, predicted: np.ndarray) -> float:
    return 2.0 * float((truth & predicted).sum()) / float(truth.sum() + predicted.sum())


def _log_loss(probabilities: FloatArray, codes: np.ndarray) -> float:
    likelihoods = np.clip(probabilities[np.arange(len(codes)), codes], SMALLEST, 1.0)
    return float(-np.mean(np.log(likelihoods)))
