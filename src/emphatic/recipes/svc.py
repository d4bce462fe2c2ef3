"""scikit-learn's support vector machine, with probabilities."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.svm import SVC

from emphatic.check import FloatArray
from emphatic.fitting import all_or_nothing
from emphatic.inputs import encode_labels, take_rows


class ProbableSVC(ClassifierMixin, BaseEstimator):
    """A support vector machine that predicts as SVC does, with the probabilities that scikit-learn 1.9 recommends.

    Sigmoids on cross-validated scores need every class in all folds: there are at most as many folds as the smallest
    class has rows, and the only row of a class is used twice.
    """

    N_FOLDS = 5

    def __init__(self, C: float = 1.0, gamma: str | float = "scale", random_state: Any = None) -> None:
        self.C = C
        self.gamma = gamma
        self.random_state = random_state

    @all_or_nothing
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
        """Return the labels that the machine itself decides for."""
        machine = self.calibrated_.calibrated_classifiers_[0].estimator
        return self.classes_[machine.predict(X)]

    def predict_proba(self, X: Any) -> FloatArray:
        """Return the calibrated probabilities of `classes_`."""
        return np.asarray(self.calibrated_.predict_proba(X))
