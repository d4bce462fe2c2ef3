"""Peers made to behave like any scikit-learn classifier."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.svm import SVC

from emphatic.check import FloatArray
from emphatic.inputs import encode_labels, take_rows


class CodedLabels(ClassifierMixin, BaseEstimator):
    """Hand the labels as 0 .. K-1 to an estimator that takes no others (XGBoost), or gives them back as a column.

    With `names_nominal`, `fit` is told as `cat_features` which columns of a frame are categories, whose holes become
    a category of their own (CatBoost).
    """

    def __init__(self, estimator: Any, names_nominal: bool = False) -> None:
        self.estimator = estimator
        self.names_nominal = names_nominal

    def fit(self, X: Any, y: Any) -> Self:
        """Fit a clone of the estimator."""
        self.classes_, codes = encode_labels(y)
        nominal = {"cat_features": _nominal(X)} if self.names_nominal else {}
        self.estimator_ = clone(self.estimator).fit(self._table(X), codes, **nominal)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Give the labels."""
        return self.classes_[np.asarray(self.estimator_.predict(self._table(X))).ravel().astype(np.intp)]

    def predict_proba(self, X: Any) -> FloatArray:
        """Give the probabilities of `classes_`."""
        return np.asarray(self.estimator_.predict_proba(self._table(X)), dtype=np.float64)

    def _table(self, X: Any) -> Any:
        if not self.names_nominal:
            return X
        filled = {name: X[name].astype(object).where(X[name].notna(), "missing") for name in _nominal(X)}
        return X.assign(**filled)


def _nominal(X: Any) -> list[str]:
    return [str(name) for name in X.columns[X.dtypes == "category"]]


class ProbableSVC(ClassifierMixin, BaseEstimator):
    """A support vector machine that predicts as SVC does, with the probabilities scikit-learn advises from 1.9 on.

    Sigmoids on cross-validated scores need every class in all folds: there are at most as many folds as the smallest
    class has members, and the row of a class with one member is taken twice.
    """

    N_FOLDS = 5

    def __init__(self, C: float = 1.0, gamma: str | float = "scale", random_state: Any = None) -> None:
        self.C = C
        self.gamma = gamma
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the machine and its calibration."""
        self.classes_, codes = encode_labels(y)
        counts = np.bincount(codes)
        rows = np.repeat(np.arange(len(codes)), np.where(counts[codes] == 1, 2, 1))
        machine = SVC(C=self.C, gamma=self.gamma, random_state=self.random_state)
        n_folds = max(2, min(self.N_FOLDS, counts.min()))
        self.calibrated_ = CalibratedClassifierCV(machine, cv=n_folds, ensemble=False)
        self.calibrated_.fit(take_rows(X, rows), codes[rows])
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Give the labels the machine itself decides for."""
        machine = self.calibrated_.calibrated_classifiers_[0].estimator
        return self.classes_[machine.predict(X)]

    def predict_proba(self, X: Any) -> FloatArray:
        """Give the calibrated probabilities of `classes_`."""
        return np.asarray(self.calibrated_.predict_proba(X))
