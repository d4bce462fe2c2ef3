"""Predictions of rows by models that were not trained on them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, clone
from sklearn.utils import check_consistent_length

from emphatic import check
from emphatic.answers import predict_labels, predict_probabilities
from emphatic.blending.folds import draw_folds
from emphatic.check import FloatArray, IntArray
from emphatic.groups import encode_groups
from emphatic.inputs import any_table, encode_labels, name_odd_column, rows_as_objects, take_rows
from emphatic.randomness import as_generator

Predict = Callable[[Any, IntArray], FloatArray]
"""Predicts a table whose rows are those at these positions of the training table, cells of which may have changed."""


@dataclass(frozen=True, eq=False)
class OutOfFold:
    """Predictions of the training rows, each by models that were trained without it.

    Attributes
    ----------
    classes : array (K,) of labels
    predicted : array (n,) of labels
    probabilities : array (n, K), or None
        None for a model that predicts labels only.
    origin : str
        How each row was predicted: "by ...".
    models, fold : the models and, for each row, the one that predicted it; None where they were not kept
    """

    classes: np.ndarray
    predicted: np.ndarray
    probabilities: FloatArray | None
    origin: str
    models: tuple[Any, ...] = ()
    fold: IntArray | None = None

    def predict(self, X: Any, rows: IntArray) -> FloatArray:
        """Predict each row by the model that was trained without it: probabilities, or 0 and 1 without them."""
        assert self.fold is not None
        answers = np.empty((len(rows), len(self.classes)))
        for number in np.unique(self.fold[rows]):
            own = np.flatnonzero(self.fold[rows] == number)
            answers[own] = answer(self.models[number], take_rows(X, own), self.classes)
        return answers


def predict_out_of_fold(
    model: Any,
    X: Any,
    y: ArrayLike,
    *,
    n_folds: int = 5,
    groups: ArrayLike | None = None,
    random_state: Any = 0,
    progress: Callable[[int, int], None] | None = None,
) -> OutOfFold:
    """Predict every row by models that were trained without it.

    A fitted model that keeps its own out-of-fold probabilities of all rows (`out_of_fold_`, as `EmphaticClassifier`
    does unless a budget was too short) gives them, whether or not it was fitted with `groups`; of any other a clone is
    fitted per fold. A class may have fewer rows than there are folds: a model whose training rows lack the class gives
    it probability 0, and where a single class is left, that class is predicted.

    Parameters
    ----------
    model : classifier
        For its own probabilities it must have been fitted to exactly these rows.
    X : DataFrame or array (n, d)
    y : array (n,) of labels
    n_folds : int, default=5
    groups : array (n,), default=None
        Rows with equal values belong together and lie in one fold; there are at most as many folds as groups.
    random_state : int, generator or None, default=0
        Deals the rows out to the folds.
    progress : function, default=None
        Called as progress(done, total) after each fold.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from emphatic.card import predict_out_of_fold
    >>> X, y = load_iris(return_X_y=True)
    >>> found = predict_out_of_fold(LogisticRegression(max_iter=1000), X, y)
    >>> found.probabilities.shape, bool((found.predicted == y).mean() > 0.9)
    ((150, 3), True)
    """
    X = any_table(BaseEstimator(), rows_as_objects(X), reset=True)
    classes, codes = encode_labels(y)
    check_consistent_length(X, codes)
    own = getattr(model, "out_of_fold_", None)
    if own is not None and not np.isnan(own).any():
        if own.shape != (len(codes), len(classes)):
            raise ValueError(
                f"the model keeps out-of-fold probabilities of shape {own.shape}, and the table has {len(codes)} rows "
                f"of {len(classes)} classes: give the rows that it was fitted to."
            )
        origin = "by fold models that were not trained on it, though their weights were chosen on all rows"
        if getattr(model, "decision_", "probability") == "probability":
            return OutOfFold(classes, classes[own.argmax(axis=1)], own, origin)
        predicted, origin = model.decide(own), f'{origin}, and its class chosen by decision="{model.decision_}"'
        return OutOfFold(classes, predicted, own, origin)
    n_folds = min(check.integer("n_folds", n_folds, at_least=2), len(codes))
    together = None if groups is None else encode_groups(groups, len(codes))
    folds = draw_folds(codes, n_folds, as_generator(random_state), together)
    fold = np.empty(len(codes), dtype=np.intp)
    predicted, probabilities, models = classes[codes], np.zeros((len(codes), len(classes))), []
    for number, rows in enumerate(folds):
        fold[rows] = number
        others = np.setdiff1d(np.arange(len(codes)), rows)
        models.append(_fit(model, take_rows(X, others), classes[codes[others]]))
        left_out = take_rows(X, rows)
        predicted[rows] = predict_labels(models[-1], left_out)
        probabilities[rows] = answer(models[-1], left_out, classes)
        if progress is not None:
            progress(number + 1, len(folds))
    known = probabilities if hasattr(model, "predict_proba") else None
    without = "it" if groups is None else "its group"
    origin = f"by a model that was not trained on {without} ({len(folds)}-fold cross-validation)"
    return OutOfFold(classes, predicted, known, origin, tuple(models), fold)


def answer(model: Any, X: Any, classes: np.ndarray) -> FloatArray:
    """Probabilities (n, K) of these classes, 0 for one that the model does not know; 0 and 1 if it has labels only."""
    places = {label: place for place, label in enumerate(classes.tolist())}
    if hasattr(model, "predict_proba"):
        given = predict_probabilities(model, X)
        sums = given.sum(axis=1, keepdims=True)
        if not ((given >= 0.0).all() and np.allclose(sums, 1.0, rtol=0.0, atol=1e-6)):
            name = type(model).__name__
            raise ValueError(f"{name}.predict_proba returned rows that are no probabilities: each must have the sum 1.")
        columns = [places[label] for label in np.asarray(model.classes_).tolist()]
        answers = np.zeros((len(given), len(classes)))
        answers[:, columns] = given / sums  # in single precision they are not quite 1
        return answers
    return np.eye(len(classes))[[places[label] for label in predict_labels(model, X).tolist()]]


class _OneClass:
    """What can be learnt of rows of one class; most classifiers refuse them."""

    def __init__(self, label: Any) -> None:
        self.classes_ = np.array([label])

    def predict(self, X: Any) -> np.ndarray:
        return np.repeat(self.classes_, X.shape[0])

    def predict_proba(self, X: Any) -> FloatArray:
        return np.ones((X.shape[0], 1))


def _fit(model: Any, X: Any, y: np.ndarray) -> Any:
    if len(np.unique(y)) == 1:
        return _OneClass(y[0])
    with name_odd_column(X):
        return clone(model).fit(X, y)
