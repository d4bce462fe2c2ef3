"""Kernel ridge regression: every regularisation, and every sample left out, from one decomposition."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.linalg import solve_triangular
from scipy.spatial.distance import cdist

from emphatic.blending.temperature import fit_factor, score_columns
from emphatic.check import FloatArray, IntArray

RIDGES = 10.0 ** np.arange(-3.0, 2.25, 0.5)
"""Regularisations that are tried, against samples of mean weight 1."""

MOST_UNITS = 1000
"""Time grows with n units^2."""

LARGEST_LEVERAGE = 1.0 - 1e-6
"""A sample that alone determines its own output has the leverage 1, and nothing is left to judge it by."""


class Kernel(NamedTuple):
    """exp(-sharpness * distance / mean distance) + 1; the 1 serves as a bias."""

    metric: str
    sharpness: float

    def activations(self, X: FloatArray, units: IntArray) -> FloatArray:
        """(n, units) of all rows around those at the positions `units`."""
        distance = self.measure(X, X[units])
        return self.activate(distance, distance.mean())

    def measure(self, X: FloatArray, centres: FloatArray) -> FloatArray:
        """Distances (n, units) of the rows from the centres of the units."""
        return np.asarray(cdist(X, centres, self.metric))

    def activate(self, distance: FloatArray, mean: float) -> FloatArray:
        """Activations at these distances; `mean` is the mean distance of the rows that the units were drawn from."""
        return np.asarray(np.exp(-self.sharpness * distance / (mean or 1.0)) + 1.0)


def draw_units(n: int, most_activations: int, rng: np.random.Generator) -> IntArray:
    """Rows that become units: all of n, or as many as time (`MOST_UNITS`) and memory (activations) allow.

    The draw knows no labels, so that leaving out a sample's label leaves no trace of it.
    """
    return np.sort(rng.permutation(n)[: min(MOST_UNITS, max(1, most_activations // n))])


class Features(NamedTuple):
    """Z (n, units) with Z Z' equal to the kernel matrix, or to its Nystroem approximation by the drawn units."""

    Z: FloatArray
    triangle: FloatArray
    """Lower Cholesky factor of the units' own kernel matrix: Z is activations times its inverse, transposed."""

    @classmethod
    def of(cls, activations: FloatArray, units: IntArray) -> Features:
        """From the activations (n, units) of the units that are the rows at these positions."""
        gram = activations[units]
        gram.flat[:: len(gram) + 1] += 1e-8 * len(gram)  # equal rows make it singular
        triangle = np.asarray(np.linalg.cholesky(gram), dtype=np.float64)
        return cls(np.asarray(solve_triangular(triangle, activations.T, lower=True).T), triangle)

    def coefficients(self, solution: FloatArray) -> FloatArray:
        """Weights of the units, (units, outputs), from those of the features."""
        return solve_units(self.triangle, solution)


def solve_units(triangle: FloatArray, solution: FloatArray) -> FloatArray:
    """Weights of the units, (units, outputs), from those of the features that `triangle` made."""
    return np.asarray(solve_triangular(triangle, solution, lower=True, trans="T"))


def encode_targets(codes: IntArray, n_classes: int) -> FloatArray:
    """(n, K): 1 for the class of a sample, -1 for the others."""
    return np.asarray(2.0 * np.eye(n_classes)[codes] - 1.0)


class Departures(NamedTuple):
    r"""Without sample i the output at any z is :math:`f(z) - (z \cdot a_i)\, p_i`.

    Here :math:`a_i = (Z^T W Z + \rho I)^{-1} z_i`, and the pull :math:`p_i = w_i (t_i - f_i) / (1 - h_i)`.
    """

    vectors: FloatArray
    rotated: FloatArray
    pulls: FloatArray
    """(samples, outputs)"""

    def solve(self) -> FloatArray:
        """The a_i as columns, (features, samples): a product that takes time, and is rarely needed."""
        return np.asarray(self.vectors @ self.rotated.T)


class RidgePath:
    r""":math:`\min_b \sum_i w_i (t_i - z_i \cdot b)^2 + \rho |b|^2` for every `ridge` by one decomposition of Z'WZ.

    Let :math:`f_i` be the output and :math:`h_i = w_i\, z_i^T (Z^T W Z + \rho I)^{-1} z_i` the leverage of sample i.
    Without sample i the output on it is

    .. math:: f_i^{(-i)} = \frac{f_i - h_i t_i}{1 - h_i}.

    Where samples belong together, leaving out one is not enough: with `folds` (rows of each), the samples of a fold are
    left out together, and each fold has a decomposition of its own.
    """

    def __init__(
        self, Z: FloatArray, targets: FloatArray, weights: FloatArray, folds: Sequence[IntArray] | None = None
    ) -> None:
        root = np.sqrt(weights)[:, None]
        # NumPy's, as other threads run meanwhile; during SciPy's they wait
        eigenvalues, self.vectors = np.linalg.eigh((root * Z).T @ (root * Z))
        self.eigenvalues = np.maximum(eigenvalues, 0.0)
        self.rotated = Z @ self.vectors
        self.targets, self.weights = targets, weights
        self.moments = self.rotated.T @ (weights[:, None] * targets)
        self.Z, self.folds = Z, folds

    @cached_property
    def _squares(self) -> FloatArray:
        return np.asarray(self.weights[:, None] * self.rotated**2)

    def leave_one_out(self, ridge: float) -> FloatArray:
        """Output on each sample of the model that is trained on all others."""
        fitted, leverage = self._fit(ridge)
        return np.asarray((fitted - leverage * self.targets) / (1.0 - leverage))

    def leave_out(self, ridge: float, rows: IntArray) -> Departures:
        """How the model would change without one of these samples, anywhere."""
        fitted, leverage = self._fit(ridge)
        pulls = self.weights[:, None] * (self.targets - fitted) / (1.0 - leverage)
        return Departures(self.vectors, self.rotated[rows] / (self.eigenvalues + ridge), pulls[rows])

    def _fit(self, ridge: float) -> tuple[FloatArray, FloatArray]:
        """Output on each sample (n, outputs), and its leverage (n, 1)."""
        shrunk = 1.0 / (self.eigenvalues + ridge)
        leverage = np.minimum(self._squares @ shrunk, LARGEST_LEVERAGE)[:, None]
        return np.asarray(self.rotated @ (shrunk[:, None] * self.moments)), np.asarray(leverage)

    @cached_property
    def without_folds(self) -> list[RidgePath]:
        """The same without the samples of each fold."""
        rows = [np.setdiff1d(np.arange(len(self.Z)), fold) for fold in self.folds or ()]
        return [RidgePath(self.Z[rest], self.targets[rest], self.weights[rest]) for rest in rows]

    def respond_left_out(self, ridge: float) -> FloatArray:
        """Output on each sample of the model that is trained without it, and without its fold if there are folds."""
        return self.leave_one_out(ridge) if self.folds is None else self.leave_fold_out(ridge)

    def leave_fold_out(self, ridge: float) -> FloatArray:
        """Output on each sample of the model that is trained on all other folds."""
        scores = np.empty_like(self.targets)
        for fold, path in zip(self.folds or (), self.without_folds, strict=True):
            scores[fold] = self.Z[fold] @ path.solution(ridge)
        return scores

    def solution(self, ridge: float) -> FloatArray:
        """b, (features, outputs)."""
        return np.asarray(self.vectors @ (self.moments / (self.eigenvalues + ridge)[:, None]))

    def choose_ridge(self, codes: IntArray, weights: FloatArray, smoothing: float = 0.0) -> tuple[FloatArray, float]:
        """Left-out scores (n, K) of the ridge whose left-out scores have the lowest log loss, and that ridge."""
        candidates = ((score_columns(self.respond_left_out(ridge)), ridge) for ridge in RIDGES)
        return min(candidates, key=lambda one: fit_factor(one[0], codes, weights, smoothing)[1])
