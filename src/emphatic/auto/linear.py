"""Logistic regression: little to learn, hard to mislead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from sklearn.linear_model import LogisticRegression

from emphatic.auto.candidate import Candidate, Part
from emphatic.auto.lesson import ABSENT, Lesson, Query
from emphatic.check import FloatArray


class LinearModel(NamedTuple):
    """X W + b."""

    weights: FloatArray
    biases: FloatArray

    def scores(self, query: Query) -> FloatArray:
        """(rows, K)"""
        return np.asarray(query.inputs @ self.weights + self.biases, dtype=np.float64)


@dataclass(frozen=True)
class Logistic(Candidate):
    """Multinomial logistic regression with a ridge; its strength is chosen out of fold."""

    strengths: tuple[float, ...] = (0.01, 0.1, 1.0)
    family: ClassVar[str] = "logistic regression"

    @property
    def variants(self) -> Sequence[float]:
        return self.strengths

    def describe(self, variant: int = -1) -> str:
        return f"C = {self.strengths[variant]:g}"

    def seconds(self, lesson: Lesson) -> float:
        return len(self.strengths) * (0.003 + 3e-8 * lesson.inputs.size * lesson.n_classes)

    def learn(self, lesson: Lesson, part: int, rng: np.random.Generator) -> Part:
        rows, held_out = lesson.all_but(part), lesson.folds[part]
        models = [self._fit(lesson, rows, strength) for strength in self.strengths]
        query = Query(lesson.inputs[held_out], lesson.inputs[:0].T)
        return Part(held_out, np.array([one.scores(query) for one in models]), models)

    def _fit(self, lesson: Lesson, rows: Any, strength: float) -> LinearModel:
        present = np.unique(lesson.codes[rows])
        weights, biases = np.zeros((lesson.inputs.shape[1], lesson.n_classes)), np.full(lesson.n_classes, ABSENT)
        biases[present] = 0.0
        if len(present) > 1:
            model = LogisticRegression(C=strength, max_iter=200, tol=1e-3)
            model.fit(lesson.inputs[rows], lesson.codes[rows], sample_weight=lesson.weights[rows])
            columns = present[1:] if len(present) == 2 else present
            weights[:, columns], biases[columns] = model.coef_.T, model.intercept_
        return LinearModel(weights, biases)

    def join(self, learnt: Sequence[Any], variant: int) -> LinearModel:
        return LinearModel(*(np.mean([one[variant][k] for one in learnt], axis=0) for k in range(2)))
