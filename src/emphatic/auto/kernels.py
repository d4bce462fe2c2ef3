"""Kernel ridge classifiers: RBF networks with a unit on every sample, judged without it in closed form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from emphatic.auto.candidate import Candidate, Part
from emphatic.auto.lesson import Lesson, Query, both
from emphatic.blending.ridge import RIDGES, Features, RidgePath
from emphatic.blending.temperature import best_factor
from emphatic.check import FloatArray, IntArray


@dataclass(frozen=True)
class KernelModel:
    """sum_k c_k (exp(-rate d(x, unit k)) + 1)."""

    metric: str
    rate: float
    coefficients: NDArray[np.float32]
    constant: FloatArray

    def scores(self, query: Query) -> FloatArray:
        """(rows, K)"""
        activations = np.multiply(query.distances(self.metric), np.float32(-self.rate))
        np.exp(activations, out=activations)
        return both(activations @ self.coefficients + self.constant)


@dataclass(frozen=True)
class KernelRidge(Candidate):
    """exp(-sharpness distance / mean distance) + 1, where the 1 is a bias; the ridge is chosen by leaving one out."""

    metric: str
    sharpness: float
    most_units: int | None = None
    family: ClassVar[str] = "kernel network"

    @property
    def variants(self) -> Sequence[float]:
        return (self.sharpness,)

    def describe(self, variant: int = -1) -> str:
        shape = {"cityblock": "Laplacian", "euclidean": "exponential", "sqeuclidean": "Gaussian"}[self.metric]
        few = "" if self.most_units is None else f", {self.most_units} at the most"
        return f"{shape} units, sharpness {self.sharpness:g}{few}"

    def seconds(self, lesson: Lesson) -> float:
        n, m = len(lesson.codes), len(self._units(lesson))
        return 0.005 + 1.5e-10 * m**3 + 1.5e-10 * n * m * m + 4e-9 * n * m * len(RIDGES) * lesson.n_classes

    def n_parts(self, lesson: Lesson) -> int:
        return 1

    def learn(self, lesson: Lesson, part: int, rng: np.random.Generator) -> Part:
        units = self._units(lesson)
        shared = len(units) == len(lesson.units)
        query = lesson.query if shared else Query(lesson.inputs, np.ascontiguousarray(lesson.query.centres[:, units]))
        distance = query.distances(self.metric)
        rate = self.sharpness / (float(distance.mean()) or 1.0)
        activations = np.exp(-rate * distance)
        activations += 1.0
        features = Features.of(activations, lesson.units[units])
        targets = 2.0 * np.eye(lesson.n_classes)[lesson.codes] - 1.0
        path = RidgePath(features.Z, targets[:, 1:] if lesson.n_classes == 2 else targets, lesson.weights)
        scored = [(both(path.left_out(ridge)), ridge) for ridge in RIDGES]
        scores, ridge = min(scored, key=lambda one: best_factor(one[0], lesson.codes, lesson.weights, lesson.doubt)[1])
        coefficients = np.zeros((len(lesson.units), path.targets.shape[1]))
        coefficients[units] = features.coefficients(path.solution(ridge))
        model = KernelModel(self.metric, rate, coefficients.astype(np.float32), coefficients.sum(axis=0))
        return Part(slice(None), scores[None], model)

    def _units(self, lesson: Lesson) -> IntArray:
        """Places among the units of the lesson: all of them, or a part that is spread evenly."""
        n = len(lesson.units)
        return np.unique(np.linspace(0, n - 1, min(n, self.most_units or n)).round().astype(np.intp))

    def join(self, learnt: Sequence[Any], variant: int) -> KernelModel:
        model: KernelModel = learnt[0]
        return model
