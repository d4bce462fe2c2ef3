"""What a fitted classifier answers, checked: one from elsewhere may answer NaN, or not for every row."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from emphatic.check import FloatArray
from emphatic.missing import is_missing


def predict_labels(classifier: Any, X: Any) -> np.ndarray:
    """The labels that a fitted classifier predicts: one per row, none missing."""
    return check_labels(classifier, classifier.predict(X), _count_rows(X))


def predict_probabilities(classifier: Any, X: Any) -> FloatArray:
    """The probabilities that a fitted classifier predicts: finite numbers, one column per class."""
    given = np.asarray(classifier.predict_proba(X), dtype=np.float64)
    allowed = _count_rows(X), len(classifier.classes_)
    if given.shape != allowed:
        raise ValueError(
            f"{type(classifier).__name__}.predict_proba returned an array of shape {given.shape}: it must be "
            f"{allowed}, one row per row of X and one column per class."
        )
    return check_finite(classifier, "predict_proba", given)


def check_labels(classifier: Any, predicted: Any, n: int) -> np.ndarray:
    """Return what `predict` returned for `n` rows as an array: one label per row, none missing.

    >>> check_labels(object(), ["yes", "no"], 2)
    array(['yes', 'no'], dtype='<U3')
    """
    given = np.asarray(predicted)
    if given.shape != (n,):
        answer = repr(predicted) if given.ndim == 0 else f"an array of shape {given.shape}"
        raise ValueError(
            f"{type(classifier).__name__}.predict returned {answer} for {n} rows: it must return one label per row."
        )
    n_missing = _count_missing(given)
    if n_missing:
        raise ValueError(
            f"{type(classifier).__name__}.predict returned NaN or None for {n_missing} of {n} rows: it must return a "
            "label for every row."
        )
    return given


def check_finite(classifier: Any, method: str, answer: FloatArray) -> FloatArray:
    """Return what a method of a classifier answered, which must hold finite numbers only."""
    finite = np.isfinite(answer)
    if not finite.all():
        n_wrong = int((~finite.reshape(len(answer), -1)).any(axis=1).sum())
        raise ValueError(
            f"{type(classifier).__name__}.{method} returned NaN or infinity for {n_wrong} of {len(answer)} rows: every "
            "value must be a finite number."
        )
    return answer


@contextmanager
def name_errors(name: Any, classifier: Any) -> Iterator[None]:
    """Errors of a member of an ensemble, such as about missing values, begin with its name or number."""
    try:
        yield
    except (ValueError, TypeError) as error:
        kind = ValueError if isinstance(error, ValueError) else TypeError
        raise kind(f"member {name!r} ({type(classifier).__name__}): {error}") from error


def _count_rows(X: Any) -> int:
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def _count_missing(labels: np.ndarray) -> int:
    if labels.dtype.kind in "fcmM":
        return int(np.isnan(labels).sum())
    return sum(map(is_missing, labels)) if labels.dtype == object else 0
