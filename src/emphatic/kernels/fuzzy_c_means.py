r"""Kernels of fuzzy c-means. Tables have one row per *feature*, (d, n), and memberships one per cluster, (c, n).

So every inner loop runs over samples and vectorises. They are processed in blocks that stay in the cache: an iteration
reads the table once.

With :math:`q_{ij} = \min_k |x_i - v_k|^2 / |x_i - v_j|^2`, and 1 for the nearest centres themselves, the update is

.. math::

    s_i = \sum_j q_{ij}^{1/(m-1)}, \qquad \mu_{ij} = q_{ij}^{1/(m-1)} / s_i, \qquad
    \mu_{ij}^m = \mu_{ij} \, q_{ij} \, s_i^{1-m}, \qquad
    \textstyle\sum_j \mu_{ij}^m |x_i - v_j|^2 = s_i^{1-m} \min_k |x_i - v_k|^2,

so that the power m of a membership costs no power. On a centre q is 1 for it (and for all that coincide with it) and 0
for the others: such a point needs no case of its own, nor does one so far away that its squared distances overflow.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from emphatic.kernels.options import OPTIONS

Array = NDArray[Any]
"""float32 or float64; all arrays of a call are of one type."""

BLOCK = 128
"""Samples processed at a time: with some tens of features and clusters they fit in the first-level cache."""

FOUR = 4
"""Features that are summed at a time."""


@njit(inline="always", **OPTIONS)
def _squared_distances(features: Array, start: int, size: int, centres: Array, result: Array) -> None:
    """result[j, i] = |x - v_j|^2 for the `size` samples from `start` on."""
    for j in range(centres.shape[0]):
        row = result[j]
        for i in range(size):
            row[i] = 0.0
        for f in range(features.shape[0]):
            x, v = features[f, start : start + size], centres[j, f]
            for i in range(size):
                gap = x[i] - v
                row[i] += gap * gap


@njit(**OPTIONS)
def squared_distances(features: Array, centres: Array) -> Array:
    """(c, n): squared distances of all samples to all centres, as sums of squared differences (nothing cancels)."""
    n = features.shape[1]
    result = np.empty((centres.shape[0], n), features.dtype)
    for start in range(0, n, BLOCK):
        size = min(BLOCK, n - start)
        _squared_distances(features, start, size, centres, result[:, start : start + size])
    return result


@njit(**OPTIONS)
def weighted_sums(features: Array, powers: Array) -> Array:
    """(c, d): the sum of all samples for each cluster, each sample counted `powers` (c, n) times; in float64.

    Four features at a time, so that a block of powers is read once for them: with few clusters a product of matrices by
    BLAS takes twice the time.
    """
    (d, n), c = features.shape, powers.shape[0]
    result, tiled = np.zeros((c, d)), d - d % FOUR
    for start in range(0, n, BLOCK):
        stop = min(start + BLOCK, n)
        for j in range(c):
            p = powers[j, start:stop]
            for f in range(0, tiled, FOUR):
                x0, x1 = features[f, start:stop], features[f + 1, start:stop]
                x2, x3 = features[f + 2, start:stop], features[f + 3, start:stop]
                s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
                for i in range(stop - start):
                    s0 += p[i] * x0[i]
                    s1 += p[i] * x1[i]
                    s2 += p[i] * x2[i]
                    s3 += p[i] * x3[i]
                sums = result[j, f : f + FOUR]
                sums[0], sums[1], sums[2], sums[3] = sums[0] + s0, sums[1] + s1, sums[2] + s2, sums[3] + s3
            for f in range(tiled, d):
                x, s = features[f, start:stop], 0.0
                for i in range(stop - start):
                    s += p[i] * x[i]
                result[j, f] += s
    return result


@njit(inline="always", **OPTIONS)
def _ratios(squares: Array, size: int, m: float, ratios: Array, powers: Array, least: Array, total: Array) -> None:
    """q, q^(1/(m-1)), the least squared distance and the sum of the powers, of a block of samples."""
    for i in range(size):
        least[i], total[i] = squares[0, i], 0.0
    for j in range(1, squares.shape[0]):
        for i in range(size):
            least[i] = squares[j, i] if squares[j, i] < least[i] else least[i]
    power = 1.0 / (m - 1.0)
    for j in range(squares.shape[0]):
        for i in range(size):
            ratios[j, i] = 1.0 if squares[j, i] == least[i] else least[i] / squares[j, i]
            powers[j, i] = ratios[j, i]
        if m != 2.0:
            for i in range(size):
                powers[j, i] **= power
        for i in range(size):
            total[i] += powers[j, i]


@njit(**OPTIONS)
def memberships(features: Array, centres: Array, m: float) -> Array:
    """(c, n): the membership of each sample in each cluster; a column sums to 1."""
    n, c = features.shape[1], centres.shape[0]
    result = np.empty((c, n), features.dtype)
    squares, ratios = np.empty((c, BLOCK), features.dtype), np.empty((c, BLOCK), features.dtype)
    least, total = np.empty(BLOCK, features.dtype), np.empty(BLOCK, features.dtype)
    for start in range(0, n, BLOCK):
        size = min(BLOCK, n - start)
        part = result[:, start : start + size]
        _squared_distances(features, start, size, centres, squares)
        _ratios(squares, size, m, ratios, part, least, total)
        for j in range(c):
            for i in range(size):
                part[j, i] /= total[i]
    return result


@njit(**OPTIONS)
def share(costs: Array, m: float) -> tuple[Array, Array, Array]:
    r"""For any costs (c, n): the memberships of least :math:`\sum_j \mu_j^m \, cost_j`, their powers m, and that sum.

    With squared distances as costs these are the memberships above; an infinite cost makes a membership of 0.
    """
    (c, n), dtype = costs.shape, costs.dtype
    membership, powers, losses = np.empty((c, n), dtype), np.empty((c, n), dtype), np.empty(n, dtype)
    part, ratios, shares = np.empty((c, BLOCK), dtype), np.empty((c, BLOCK), dtype), np.empty((c, BLOCK), dtype)
    least, total, shrink = np.empty(BLOCK, dtype), np.empty(BLOCK, dtype), np.empty(BLOCK, dtype)
    for start in range(0, n, BLOCK):
        size = min(BLOCK, n - start)
        for j in range(c):
            part[j, :size] = costs[j, start : start + size]
        _ratios(part, size, m, ratios, shares, least, total)
        for i in range(size):
            total[i] = 1.0 / total[i]
            shrink[i] = total[i]
        if m != 2.0:
            for i in range(size):
                shrink[i] **= m - 1.0
        for i in range(size):
            losses[start + i] = shrink[i] * least[i]
        for j in range(c):
            rows, heaviness = membership[j, start : start + size], powers[j, start : start + size]
            for i in range(size):
                rows[i] = shares[j, i] * total[i]
                heaviness[i] = rows[i] * ratios[j, i] * shrink[i]
    return membership, powers, losses


@njit(**OPTIONS)
def add_up(features: Array, weights: Array, centres: Array, m: float) -> tuple[float, Array, Array]:
    """J of the memberships that belong to `centres`, and of each cluster sums over all samples, by which it moves.

    (c,) of the weighted powers of the memberships, and (c, d) of these times the samples.
    """
    (d, n), c, dtype = features.shape, centres.shape[0], features.dtype
    squares, ratios, powers = np.empty((c, BLOCK), dtype), np.empty((c, BLOCK), dtype), np.empty((c, BLOCK), dtype)
    least, total, shrink = np.empty(BLOCK, dtype), np.empty(BLOCK, dtype), np.empty(BLOCK, dtype)
    objective, mass, sums = 0.0, np.zeros(c), np.zeros((c, d))  # in float64, whatever a block is in
    for start in range(0, n, BLOCK):
        size = min(BLOCK, n - start)
        _squared_distances(features, start, size, centres, squares)
        _ratios(squares, size, m, ratios, powers, least, total)
        for i in range(size):
            total[i] = 1.0 / total[i]
            shrink[i] = total[i]
        if m != 2.0:
            for i in range(size):
                shrink[i] **= m - 1.0
        for i in range(size):
            shrink[i] *= weights[start + i]
        # A sum in a loop of its own, which writes nothing: one that writes is vectorised, and so rounded, otherwise
        # where arrays happen to lie so close together that the compiler cannot exclude that they overlap.
        part = dtype.type(0.0)
        for i in range(size):
            part += shrink[i] * least[i]
        for i in range(size):
            shrink[i] *= total[i]
        objective += part
        for j in range(c):
            shares, heaviness = powers[j], ratios[j]
            for i in range(size):
                shares[i] *= heaviness[i] * shrink[i]  # w mu^m
            part = dtype.type(0.0)
            for i in range(size):
                part += shares[i]
            mass[j] += part
            for f in range(d):
                x = features[f, start : start + size]
                part = dtype.type(0.0)
                for i in range(size):
                    part += shares[i] * x[i]
                sums[j, f] += part
    return objective, mass, sums


@njit(**OPTIONS)
def place(mass: Array, sums: Array, centres: Array, smallest: float) -> Array:
    """The centres that belong to the sums of `add_up`.

    A cluster of a mass below `smallest` has, but for rounding, no members: its centre stays where it is.
    """
    following = centres.copy()
    for j in range(centres.shape[0]):
        if mass[j] > smallest:
            for f in range(centres.shape[1]):
                following[j, f] = sums[j, f] / mass[j]
    return following


@njit(**OPTIONS)
def step(features: Array, weights: Array, centres: Array, m: float, smallest: float) -> tuple[float, Array]:
    """J of the memberships that belong to `centres`, and the centres that belong to those memberships."""
    objective, mass, sums = add_up(features, weights, centres, m)
    return objective, place(mass, sums, centres, smallest)
