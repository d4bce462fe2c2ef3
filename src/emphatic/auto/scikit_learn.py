"""Candidates that scikit-learn trains: logistic regression, and gradient-boosted trees."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

from emphatic.auto.candidate import LEAST_LOG, Candidate, Fitted, Points, TrainingData
from emphatic.check import FloatArray, IntArray


class LinearModel(NamedTuple):
    """X W + b."""

    weights: FloatArray
    biases: FloatArray

    def scores(self, points: Points) -> FloatArray:
        """(rows, K)"""
        return np.asarray(points.inputs @ self.weights + self.biases, dtype=np.float64)


@dataclass(frozen=True)
class Logistic(Candidate):
    """Multinomial logistic regression with a ridge, whose strength is chosen out of fold."""

    strengths: tuple[float, ...] = (0.01, 0.1, 1.0)
    family: ClassVar[str] = "logistic regression"

    def describe(self, variant: int = -1) -> str:
        return f"C = {self.strengths[variant]:g}"

    def seconds(self, data: TrainingData) -> float:
        return len(self.strengths) * (0.003 + 3e-8 * data.inputs.size * data.n_classes)

    def fit(self, data: TrainingData, fold: int, rng: np.random.Generator) -> Fitted:
        rows, held_out = data.split(fold)
        models = [self._fit_one(data, rows, strength) for strength in self.strengths]
        points = Points(data.inputs[held_out])
        return np.array([one.scores(points) for one in models]), models

    def _fit_one(self, data: TrainingData, rows: IntArray, strength: float) -> LinearModel:
        present = np.unique(data.codes[rows])
        weights, biases = np.zeros((data.inputs.shape[1], data.n_classes)), np.full(data.n_classes, LEAST_LOG)
        biases[present] = 0.0
        if len(present) > 1:
            model = LogisticRegression(C=strength, max_iter=200, tol=1e-3)
            model.fit(data.inputs[rows], data.codes[rows], sample_weight=data.weights[rows])
            columns = present[1:] if len(present) == 2 else present
            weights[:, columns], biases[columns] = model.coef_.T, model.intercept_
        return LinearModel(weights, biases)

    def merge(self, learnt: Sequence[Any], variant: int) -> LinearModel:
        return LinearModel(*(np.mean([one[variant][k] for one in learnt], axis=0) for k in range(2)))


class GradientModel(NamedTuple):
    """Ensembles of all folds, and the number of all classes."""

    ensembles: tuple[Any, ...]
    n_classes: int

    def scores(self, points: Points) -> FloatArray:
        """(rows, K): the mean of the logarithms of their probabilities."""
        total = np.full((len(points.inputs), self.n_classes), LEAST_LOG * len(self.ensembles))
        for one in self.ensembles:
            logarithms = np.log(np.maximum(one.predict_proba(points.inputs), np.exp(LEAST_LOG)))
            total[:, one.classes_] += logarithms - LEAST_LOG
        return total / len(self.ensembles)


@dataclass(frozen=True)
class GradientTrees(Candidate):
    """Histogram gradient boosting with small trees, for tables with many rows and sharp edges."""

    n_rounds: int = 60
    family: ClassVar[str] = "gradient-boosted trees"

    def describe(self, variant: int = -1) -> str:
        return f"{self.n_rounds} rounds of trees with 15 leaves"

    def seconds(self, data: TrainingData) -> float:
        n_trees = self.n_rounds * (1 if data.n_classes == 2 else data.n_classes)
        return n_trees * (1.5e-3 + 2e-9 * data.inputs.size) + 1e-7 * data.inputs.size

    def fit(self, data: TrainingData, fold: int, rng: np.random.Generator) -> Fitted:
        rows, held_out = data.split(fold)
        ensemble = HistGradientBoostingClassifier(
            max_iter=self.n_rounds,
            max_leaf_nodes=15,
            max_bins=63,
            l2_regularization=1.0,
            early_stopping=False,
            random_state=int(rng.integers(2**31)),
        )
        # finding weighted bins takes many times as long as growing the trees: weights only where they differ
        weights = data.weights[rows] if np.ptp(data.weights) else None
        ensemble.fit(data.singles[rows], data.codes[rows], sample_weight=weights)
        model = GradientModel((ensemble,), data.n_classes)
        return model.scores(Points(data.singles[held_out]))[None], model

    def merge(self, learnt: Sequence[Any], variant: int) -> GradientModel:
        return GradientModel(tuple(one for model in learnt for one in model.ensembles), learnt[0].n_classes)
