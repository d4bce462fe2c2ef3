"""Kernel ridge classifiers: RBF networks with a unit on every sample, each scored without it in closed form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from emphatic.auto.candidates.contract import Candidate, Fitted, FoldsLeftOut, LeftOut
from emphatic.auto.candidates.points import Points
from emphatic.auto.candidates.training_data import MANY_ROWS, MOST_KERNEL_ROWS, Size, TrainingData
from emphatic.blending.ridge import MOST_UNITS, RIDGES, Departures, Features, RidgePath, encode_targets, solve_units
from emphatic.blending.temperature import score_columns
from emphatic.check import FloatArray, IntArray
from emphatic.fields import Array, Maybe, Number, Text, Whole, saved
from emphatic.kernels.rows import decay

SHAPES = {"cityblock": "Laplacian", "euclidean": "exponential", "sqeuclidean": "Gaussian"}
"""What units are called, by the metric of their distances."""

PILOT_UNITS = 150
"""Where rows are many: these take a fiftieth of the time of a thousand, and show whether a kernel is hopeless."""

BLOCK = 4096
"""Rows that are scored at a time."""

LARGEST_COEFFICIENT = 1e30
"""In a model file: sums over all units stay finite in single precision."""


@saved(
    metric=Text(*SHAPES),
    rate=Number(0.0, LARGEST_COEFFICIENT),
    coefficients=Array(np.float32, "units", "outputs", low=-LARGEST_COEFFICIENT, high=LARGEST_COEFFICIENT),
    constant=Array(np.float64, "outputs"),
)
@dataclass(frozen=True)
class KernelModel:
    """sum_k c_k (exp(-rate d(x, unit k)) + 1)."""

    metric: str
    rate: float
    coefficients: NDArray[np.float32]
    constant: FloatArray

    def scores(self, points: Points) -> FloatArray:
        """(rows, K)"""
        # in double precision: coefficients are large and cancel, and would make much of the rounding of activations
        distances = points.distances(self.metric)
        activations = np.empty(distances.shape)
        decay(distances, self.rate, activations)
        return score_columns(points.multiply(activations, self.coefficients) + self.constant)

    def check_shape(self, n_inputs: int, n_units: int, n_classes: int) -> None:
        """Raise ValueError unless it is for so many inputs, kernels' units and classes."""
        if self.coefficients.shape != (n_units, 1 if n_classes == 2 else n_classes):
            raise ValueError(f"a kernel has coefficients of the shape {self.coefficients.shape}")


class KernelLeftOut:
    """A kernel model with what each of the examples changes in it, in closed form.

    What depends on the examples alone is solved when it is first needed: most models are never asked, and it takes a
    few percent of the time of the fit.
    """

    def __init__(self, model: KernelModel, units: IntArray, triangle: FloatArray, departures: Departures) -> None:
        self.model, self.pulls = model, departures.pulls
        self._unsolved: Any = (units, triangle, departures)
        self._influences = np.empty((0, 0))

    @property
    def influences(self) -> FloatArray:
        """(examples, units): weights of the units for the influence of an example at a point."""
        if self._unsolved is not None:
            units, triangle, departures = self._unsolved
            found = np.zeros((len(self.model.coefficients), len(self.pulls)))
            found[units] = solve_units(triangle, departures.solve())
            self._influences, self._unsolved = np.ascontiguousarray(found.T), None
        return self._influences

    def scores(self, points: Points, places: IntArray) -> FloatArray:
        """(rows, K)"""
        activations = -self.model.rate * points.distances(self.model.metric)
        np.exp(activations, out=activations)
        near = np.einsum("ij,ij->i", activations, self.influences[places]) + self.influences.sum(axis=1)[places]
        outputs = activations @ self.model.coefficients + self.model.constant
        return score_columns(outputs - near[:, None] * self.pulls[places])

    def __getstate__(self) -> dict[str, Any]:
        """For pickle, solved: the result is far smaller than what it is made of."""
        return {"model": self.model, "pulls": self.pulls, "_influences": self.influences, "_unsolved": None}


@saved(metric=Text(*SHAPES), sharpness=Number(0.0), most_units=Maybe(Whole(1)))
@dataclass(frozen=True)
class KernelRidge(Candidate):
    """exp(-sharpness distance / mean distance) + 1, where the 1 is a bias; the ridge is chosen by leave-one-out.

    Where rows belong to groups, the ridge is chosen by leaving out folds of groups.
    """

    metric: str
    sharpness: float
    most_units: int | None = None
    family: ClassVar[str] = "kernel network"
    fits_once: ClassVar[bool] = True

    def describe(self, variant: int = -1) -> str:
        shape = SHAPES[self.metric]
        limit = "" if self.most_units is None else f", at most {self.most_units}"
        return f"{shape} units, sharpness {self.sharpness:g}{limit}"

    def seconds(self, size: Size) -> float:
        n = min(size.n, MOST_KERNEL_ROWS)
        m = min(n, MOST_UNITS, self.most_units or n)
        decompositions = 1 + size.n_folds if size.has_groups else 1
        distances = 5e-10 * size.n * m * (20 + size.n_inputs)
        ridges = 4e-10 * n * m * len(RIDGES) * size.n_classes
        return 0.005 + decompositions * 1e-10 * (m**3 + n * m * m) + ridges + distances

    def make_pilot(self, size: Size) -> KernelRidge | None:
        larger = self.most_units is None or self.most_units > PILOT_UNITS
        return replace(self, most_units=PILOT_UNITS) if size.n >= MANY_ROWS and larger else None

    def fit(self, data: TrainingData, fold: int, rng: np.random.Generator) -> Fitted:
        path, features, rate = self.decompose(data)
        rows, units = data.kernel_rows, self._choose_units(data)
        own_scores, ridge = path.choose_ridge(data.codes[rows], data.weights[rows], data.smoothing)

        def make_model(solution: FloatArray) -> KernelModel:
            coefficients = np.zeros((len(data.units), path.targets.shape[1]))
            coefficients[units] = features.coefficients(solution)
            return KernelModel(self.metric, rate, coefficients.astype(np.float32), coefficients.sum(axis=0))

        model = make_model(path.solution(ridge))
        if data.groups is None:
            departures = path.leave_out(ridge, np.searchsorted(rows, data.examples))
            left_out: LeftOut = KernelLeftOut(model, units, features.triangle, departures)
            models = (model,) * len(data.folds)
        else:
            models = tuple(make_model(one.solution(ridge)) for one in path.without_folds)
            left_out = FoldsLeftOut(models, data.fold_of[data.examples], data.n_classes)
        others_left_out = FoldsLeftOut(models, data.fold_of, data.n_classes)
        scores = np.empty((len(data.codes), data.n_classes))
        scores[rows] = own_scores
        # the others were not trained on, but the rows of their groups may have been
        others = np.setdiff1d(np.arange(len(data.codes)), rows, assume_unique=True)
        for start in range(0, len(others), BLOCK):
            block = others[start : start + BLOCK]
            points = Points(data.inputs[block], data.points.centres)
            scores[block] = others_left_out.scores(points, block)
        return scores[None], (model, left_out)

    def decompose(self, data: TrainingData) -> tuple[RidgePath, Features, float]:
        """The models of all ridges, the features they are linear in, and the rate of the units."""
        rows, units = data.kernel_rows, self._choose_units(data)
        points = data.points
        if len(units) < len(data.units):
            points = Points(points.inputs, np.ascontiguousarray(points.centres[:, units]))
        distance = points.distances(self.metric)
        rate = self.sharpness / (float(distance.mean()) or 1.0)
        activations = np.exp(-rate * distance)
        activations += 1.0
        features = Features.of(activations, np.searchsorted(rows, data.units[units]))
        targets = encode_targets(data.codes[rows], data.n_classes)
        # two classes need only one output: the other is its negative
        targets = targets[:, 1:] if data.n_classes == 2 else targets
        folds = None if data.groups is None else [np.flatnonzero(np.isin(rows, fold)) for fold in data.folds]
        return RidgePath(features.Z, targets, data.weights[rows], folds), features, rate

    def _choose_units(self, data: TrainingData) -> IntArray:
        """Positions among the units of the data: all of them, or as many as allowed, spread evenly."""
        n = len(data.units)
        return np.unique(np.linspace(0, n - 1, min(n, self.most_units or n)).round().astype(np.intp))

    def merge(self, learnt: Sequence[Any], variant: int) -> KernelModel:
        models: list[KernelModel] = [model for model, _ in learnt]
        if len(models) == 1:
            return models[0]
        # passes differ in the weights of the rows: units and rate are the same
        coefficients = np.mean([one.coefficients for one in models], axis=0, dtype=np.float64)
        constant = np.mean([one.constant for one in models], axis=0)
        return replace(models[0], coefficients=np.asarray(coefficients, dtype=np.float32), constant=constant)

    def leave_out(self, data: TrainingData, learnt: Sequence[Any], variant: int) -> LeftOut:
        left_out: LeftOut = learnt[0][1]
        return left_out
