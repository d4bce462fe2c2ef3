"""Kernel ridge classifiers that judge every sample without its own label, in closed form: n trainings for one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy.linalg import cholesky, eigh, solve_triangular
from scipy.spatial.distance import cdist

from emphatic.audit.temperature import tempered
from emphatic.check import FloatArray, IntArray

RIDGES = 10.0 ** np.arange(-3.0, 2.25, 0.5)
"""Regularisations that are tried, against samples of mean weight 1."""

MOST_UNITS, MOST_ACTIVATIONS = 1000, 20_000_000
"""Limits of the time, which grows with n units^2, and of the memory, 8 bytes an activation."""

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


def kernel_scores(
    X: FloatArray, codes: IntArray, n_classes: int, weights: FloatArray, kernel: Kernel, rng: np.random.Generator
) -> FloatArray:
    """Leave-one-out scores (n, K) of the regularisation with the lowest leave-one-out log loss.

    The network has a unit on every sample, or on a thousand drawn ones (fewer above 20,000 rows): the draw knows no
    labels, so that leaving out one label leaves nothing of it.
    """
    n = len(codes)
    units = np.sort(rng.permutation(n)[: min(MOST_UNITS, max(1, MOST_ACTIVATIONS // n))])
    table = features(kernel.activations(X, units), units)
    targets = 2.0 * np.eye(n_classes)[codes] - 1.0
    candidates = leave_one_out(table, targets, weights / weights.mean(), RIDGES)
    return min(candidates, key=lambda scores: tempered(scores, codes, weights)[1])


def features(activations: FloatArray, units: IntArray) -> FloatArray:
    """Z (n, units) with Z Z' equal to the kernel matrix, or to its approximation by the drawn units (Nystroem's)."""
    gram = activations[units]
    gram.flat[:: len(gram) + 1] += 1e-8 * len(gram)  # equal rows make it singular
    return np.asarray(solve_triangular(cholesky(gram, lower=True), activations.T, lower=True).T)


def leave_one_out(Z: FloatArray, targets: FloatArray, weights: FloatArray, ridges: FloatArray) -> Iterator[FloatArray]:
    r"""For every ridge, the output on each sample of the model that was trained on all others.

    Ridge regression minimises :math:`\sum_i w_i (t_i - z_i \cdot b)^2 + \rho |b|^2`. Let :math:`f_i` be its output and
    :math:`h_i = w_i\, z_i^T (Z^T W Z + \rho I)^{-1} z_i` the leverage of sample i. Without sample i the output on it is

    .. math:: f_i^{(-i)} = \frac{f_i - h_i t_i}{1 - h_i},

    and one decomposition of Z'WZ serves all ridges.
    """
    root = np.sqrt(weights)[:, None]
    eigenvalues, vectors = eigh((root * Z).T @ (root * Z))
    eigenvalues = np.maximum(eigenvalues, 0.0)
    rotated = Z @ vectors
    squares, moments = weights[:, None] * rotated**2, rotated.T @ (weights[:, None] * targets)
    for ridge in ridges:
        shrunk = 1.0 / (eigenvalues + ridge)
        leverage = np.minimum(squares @ shrunk, LARGEST_LEVERAGE)[:, None]
        fitted = rotated @ (shrunk[:, None] * moments)
        yield (fitted - leverage * targets) / (1.0 - leverage)
