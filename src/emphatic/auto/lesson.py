"""What all candidates of one search learn from, and what they share: inputs, folds, units and their distances."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from emphatic.blending.folds import deal
from emphatic.check import FloatArray, IntArray
from emphatic.kernels.cityblock import cityblock

Single = NDArray[np.float32]

ABSENT = -7.0
"""Log odds of a class that the training rows lack, or that a model denies: about one in a thousand."""

N_FOLDS = 5
MOST_UNITS, MOST_ACTIVATIONS = 1000, 30_000_000
"""Limits of kernels: of the time, which grows with n units^2, and of the memory, 8 bytes an activation."""


@dataclass(frozen=True)
class Lesson:
    """A prepared table with its labels.

    Attributes
    ----------
    inputs : (n, inputs), bounded numbers
    codes : labels 0 .. n_classes - 1
    weights : of the samples, with mean 1
    folds : rows of each fold, the same for all candidates
    units : rows on which kernels have their units; all of them, or a draw that knows no labels
    """

    inputs: FloatArray
    codes: IntArray
    n_classes: int
    weights: FloatArray
    folds: tuple[IntArray, ...]
    units: IntArray

    @classmethod
    def of(
        cls, inputs: FloatArray, codes: IntArray, n_classes: int, weights: FloatArray, rng: np.random.Generator
    ) -> Lesson:
        """A lesson of weights with any sum; folds and units are drawn."""
        n = len(codes)
        n_units = min(n, MOST_UNITS, max(1, MOST_ACTIVATIONS // n))
        folds = tuple(deal(codes, min(N_FOLDS, n), rng))
        return cls(inputs, codes, n_classes, weights / weights.mean(), folds, np.sort(rng.permutation(n)[:n_units]))

    @property
    def doubt(self) -> float:
        """Two labels that might as well be others: no few samples make a model certain."""
        return 2.0 / (len(self.codes) + 2.0)

    @cached_property
    def query(self) -> Query:
        """The training rows as rows to be asked about, in double precision."""
        return Query(self.inputs, np.ascontiguousarray(self.inputs[self.units].T))

    @cached_property
    def singles(self) -> Single:
        """Inputs in single precision, which networks and trees are content with."""
        return self.inputs.astype(np.float32)

    def all_but(self, fold: int) -> IntArray:
        """Rows of all folds but one."""
        return np.setdiff1d(np.arange(len(self.codes)), self.folds[fold])


class Query:
    """Rows to be asked about; distances to the units are computed once for all members that need them."""

    def __init__(self, inputs: NDArray[np.floating], centres: NDArray[np.floating]) -> None:
        self.inputs, self.centres = inputs, centres
        self._distances: dict[str, NDArray[np.floating]] = {}

    def distances(self, metric: str) -> NDArray[np.floating]:
        """(rows, units), in the precision of the inputs."""
        if metric not in self._distances:
            self._distances[metric] = self._compute(metric)
        return self._distances[metric]

    def _compute(self, metric: str) -> NDArray[np.floating]:
        if metric == "cityblock":
            return np.asarray(cityblock(self.inputs, self.centres))
        if metric == "euclidean":
            return np.sqrt(self.distances("sqeuclidean"))
        squares = -2.0 * (self.inputs @ self.centres)
        squares += np.einsum("ij,ij->i", self.inputs, self.inputs)[:, None]
        squares += np.einsum("ij,ij->j", self.centres, self.centres)
        return np.maximum(squares, 0.0, out=squares)


def both(score: NDArray[np.floating]) -> FloatArray:
    """Two columns (-f, f) of one; more columns as they are."""
    return np.asarray(np.hstack([-score, score]) if score.shape[1] == 1 else score, dtype=np.float64)
