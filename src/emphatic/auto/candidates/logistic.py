"""Logistic regression on the inputs, trained by scikit-learn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from sklearn import config_context
from sklearn.linear_model import LogisticRegression

from emphatic.auto.candidates.contract import LEAST_LOG, Candidate, Fitted
from emphatic.auto.candidates.points import Points
from emphatic.auto.candidates.training_data import Size, TrainingData, draw_rows
from emphatic.check import FloatArray, IntArray
from emphatic.fields import Array, Number, TupleOf, saved

MOST_ROWS = 100_000
"""Rows that a fit is given: coefficients of so few inputs are as good as with more."""


@saved(weights=Array(np.float64, "inputs", "classes"), biases=Array(np.float64, "classes"))
class LinearModel(NamedTuple):
    """X W + b."""

    weights: FloatArray
    biases: FloatArray

    def scores(self, points: Points) -> FloatArray:
        """(rows, K)"""
        return np.asarray(points.multiply(points.inputs, self.weights) + self.biases, dtype=np.float64)

    def check_shape(self, n_inputs: int, n_units: int, n_classes: int) -> None:
        """Raise ValueError unless it is for so many inputs and classes."""
        if self.weights.shape != (n_inputs, n_classes):
            raise ValueError(f"a linear model has weights of the shape {self.weights.shape}")


@saved(strengths=TupleOf(Number(0.0)))
@dataclass(frozen=True)
class Logistic(Candidate):
    """Multinomial logistic regression with a ridge, whose strength is chosen out of fold."""

    strengths: tuple[float, ...] = (0.01, 0.1, 1.0)
    family: ClassVar[str] = "logistic regression"

    def describe(self, variant: int = -1) -> str:
        return f"C = {self.strengths[variant]:g}"

    def seconds(self, size: Size) -> float:
        return len(self.strengths) * (0.003 + 3e-8 * min(size.n, MOST_ROWS) * size.n_inputs * size.n_classes)

    def fit(self, data: TrainingData, fold: int, rng: np.random.Generator) -> Fitted:
        rows, held_out = data.split(fold)
        rows = draw_rows(rows, MOST_ROWS, rng)
        models = [self._fit_one(data, rows, strength) for strength in self.strengths]
        points = Points(data.inputs[held_out])
        return np.array([one.scores(points) for one in models]), models

    def _fit_one(self, data: TrainingData, rows: IntArray, strength: float) -> LinearModel:
        present = np.unique(data.codes[rows])
        weights, biases = np.zeros((data.inputs.shape[1], data.n_classes)), np.full(data.n_classes, LEAST_LOG)
        biases[present] = 0.0
        if len(present) > 1:
            model = LogisticRegression(C=strength, max_iter=200, tol=1e-3)
            with config_context(assume_finite=True, skip_parameter_validation=True):  # a sixth of a small fit's time
                model.fit(data.inputs[rows], data.codes[rows], sample_weight=data.weights[rows])
            columns = present[1:] if len(present) == 2 else present
            weights[:, columns], biases[columns] = model.coef_.T, model.intercept_
        return LinearModel(weights, biases)

    def merge(self, learnt: Sequence[Any], variant: int) -> LinearModel:
        return LinearModel(*(np.mean([one[variant][k] for one in learnt], axis=0) for k in range(2)))
