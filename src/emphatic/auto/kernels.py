"""Kernel ridge classifiers: RBF networks with a unit on every sample, each scored without it in closed form."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from emphatic.auto.candidate import Candidate, Fitted, FoldsLeftOut, LeftOut, Points, TrainingData
from emphatic.blending.ridge import RIDGES, Departures, Features, RidgePath, encode_targets, solve_units
from emphatic.blending.temperature import score_columns
from emphatic.check import FloatArray, IntArray
from emphatic.fields import Array, Maybe, Number, Text, Whole, saved

SHAPES = {"cityblock": "Laplacian", "euclidean": "exponential", "sqeuclidean": "Gaussian"}
"""What units are called, by the metric of their distances."""

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
        activations = np.multiply(points.distances(self.metric), -self.rate, dtype=np.float64)
        np.exp(activations, out=activations)
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

    def seconds(self, data: TrainingData) -> float:
        n, m = len(data.codes), len(self._choose_units(data))
        decompositions = 1 if data.groups is None else 1 + len(data.folds)
        return 0.005 + decompositions * 1.5e-10 * (m**3 + n * m * m) + 4e-9 * n * m * len(RIDGES) * data.n_classes

    def fit(self, data: TrainingData, fold: int, rng: np.random.Generator) -> Fitted:
        path, features, rate = self.decompose(data)
        scores, ridge = path.choose_ridge(data.codes, data.weights, data.smoothing)
        units = self._choose_units(data)

        def make_model(solution: FloatArray) -> KernelModel:
            coefficients = np.zeros((len(data.units), path.targets.shape[1]))
            coefficients[units] = features.coefficients(solution)
            return KernelModel(self.metric, rate, coefficients.astype(np.float32), coefficients.sum(axis=0))

        model = make_model(path.solution(ridge))
        if data.groups is None:
            left_out: LeftOut = KernelLeftOut(model, units, features.triangle, path.leave_out(ridge, data.examples))
        else:
            models = tuple(make_model(one.solution(ridge)) for one in path.without_folds)
            left_out = FoldsLeftOut(models, data.fold_of_examples, data.n_classes)
        return scores[None], (model, left_out)

    def decompose(self, data: TrainingData) -> tuple[RidgePath, Features, float]:
        """The models of all ridges, the features they are linear in, and the rate of the units."""
        units = self._choose_units(data)
        points = data.points
        if len(units) < len(data.units):
            points = Points(data.inputs, np.ascontiguousarray(points.centres[:, units]))
        distance = points.distances(self.metric)
        rate = self.sharpness / (float(distance.mean()) or 1.0)
        activations = np.exp(-rate * distance)
        activations += 1.0
        features = Features.of(activations, data.units[units])
        targets = encode_targets(data.codes, data.n_classes)
        # two classes need only one output: the other is its negative
        targets = targets[:, 1:] if data.n_classes == 2 else targets
        folds = None if data.groups is None else data.folds
        return RidgePath(features.Z, targets, data.weights, folds), features, rate

    def _choose_units(self, data: TrainingData) -> IntArray:
        """Positions among the units of the data: all of them, or as many as allowed, spread evenly."""
        n = len(data.units)
        return np.unique(np.linspace(0, n - 1, min(n, self.most_units or n)).round().astype(np.intp))

    def merge(self, learnt: Sequence[Any], variant: int) -> KernelModel:
        model: KernelModel = learnt[0][0]
        return model

    def leave_out(self, data: TrainingData, learnt: Sequence[Any], variant: int) -> LeftOut:
        left_out: LeftOut = learnt[0][1]
        return left_out
