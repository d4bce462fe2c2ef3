"""Ridge regression on the features of a kernel: every regularisation, and every sample left out, from one solution."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.linalg import cholesky, eigh, solve_triangular
from scipy.spatial.distance import cdist

from emphatic.check import FloatArray, IntArray

RIDGES = 10.0 ** np.arange(-3.0, 2.25, 0.5)
"""Regularisations that are tried, against samples of mean weight 1."""

LARGEST_LEVERAGE = 1.0 - 1e-6
"""A sample that alone determines its own output has the leverage 1, and nothing is left to judge it by."""


class Kernel(NamedTuple):
    """exp(-sharpness * distance / mean distance) + 1; the 1 serves as a bias."""

    metric: str
    sharpness: float

    def activations(self, X: FloatArray, units: IntArray) -> FloatArray:
        """(n, units) of all rows around the rows that `units` number."""
        distance = cdist(X, X[units], self.metric)
        return np.asarray(np.exp(-self.sharpness * distance / (distance.mean() or 1.0)) + 1.0)


class Features(NamedTuple):
    """Z (n, units) with Z Z' equal to the kernel matrix, or to its approximation by the drawn units (Nystroem's)."""

    Z: FloatArray
    triangle: FloatArray
    """Lower Cholesky factor of the units' own kernel matrix: Z is activations times its inverse, transposed."""

    @classmethod
    def of(cls, activations: FloatArray, units: IntArray) -> Features:
        """From the activations (n, units) of the units that are the rows of these numbers."""
        gram = activations[units]
        gram.flat[:: len(gram) + 1] += 1e-8 * len(gram)  # equal rows make it singular
        triangle = cholesky(gram, lower=True)
        return cls(np.asarray(solve_triangular(triangle, activations.T, lower=True).T), triangle)

    def coefficients(self, solution: FloatArray) -> FloatArray:
        """Weights of the units, (units, outputs), from those of the features."""
        return np.asarray(solve_triangular(self.triangle, solution, lower=True, trans="T"))


class RidgePath:
    r""":math:`\min_b \sum_i w_i (t_i - z_i \cdot b)^2 + \rho |b|^2` for every `ridge` by one decomposition of Z'WZ.

    Let :math:`f_i` be the output and :math:`h_i = w_i\, z_i^T (Z^T W Z + \rho I)^{-1} z_i` the leverage of sample i.
    Without sample i the output on it is

    .. math:: f_i^{(-i)} = \frac{f_i - h_i t_i}{1 - h_i}.
    """

    def __init__(self, Z: FloatArray, targets: FloatArray, weights: FloatArray) -> None:
        root = np.sqrt(weights)[:, None]
        eigenvalues, self.vectors = eigh((root * Z).T @ (root * Z))
        self.eigenvalues = np.maximum(eigenvalues, 0.0)
        self.rotated = Z @ self.vectors
        self.targets, self.weights = targets, weights
        self.moments = self.rotated.T @ (weights[:, None] * targets)

    @cached_property
    def _squares(self) -> FloatArray:
        return np.asarray(self.weights[:, None] * self.rotated**2)

    def left_out(self, ridge: float) -> FloatArray:
        """Output on each sample of the model that was trained on all others."""
        shrunk = 1.0 / (self.eigenvalues + ridge)
        leverage = np.minimum(self._squares @ shrunk, LARGEST_LEVERAGE)[:, None]
        fitted = self.rotated @ (shrunk[:, None] * self.moments)
        return np.asarray((fitted - leverage * self.targets) / (1.0 - leverage))

    def solution(self, ridge: float) -> FloatArray:
        """b, (features, outputs)."""
        return np.asarray(self.vectors @ (self.moments / (self.eigenvalues + ridge)[:, None]))


def leave_one_out(Z: FloatArray, targets: FloatArray, weights: FloatArray, ridges: FloatArray) -> Iterator[FloatArray]:
    """For every ridge, the output on each sample of the model that was trained on all others."""
    path = RidgePath(Z, targets, weights)
    return (path.left_out(ridge) for ridge in ridges)
