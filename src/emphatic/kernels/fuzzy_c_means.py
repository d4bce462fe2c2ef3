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
from numpy.typing import DTypeLike, NDArray

from emphatic.kernels.blocks import BLOCK, add_weighted_sums, fill_squared_distances
from emphatic.kernels.memory import empty_aligned
from emphatic.kernels.options import OPTIONS

Array = NDArray[Any]
"""float32 or float64; all arrays of a call are of one type."""


@njit(**OPTIONS)
def squared_distances(features: Array, centres: Array) -> Array:
    """(c, n): squared distances of all samples to all centres, as sums of squared differences (nothing cancels)."""
    n = features.shape[1]
    result = np.empty((centres.shape[0], n), features.dtype)
    for start in range(0, n, BLOCK):
        fill_squared_distances(features, start, min(BLOCK, n - start), centres, result, start)
    return result


@njit(**OPTIONS)
def weighted_sums(features: Array, powers: Array) -> Array:
    """(c, d): the sum of all samples for each cluster, each sample counted `powers` (c, n) times; in float64.

    With few clusters a product of matrices by BLAS takes twice the time.
    """
    (d, n), c = features.shape, powers.shape[0]
    result = np.zeros((c, d))
    for start in range(0, n, BLOCK):
        add_weighted_sums(features, start, min(BLOCK, n - start), powers, start, result)
    return result


@njit(inline="always", **OPTIONS)
def _divide(costs: Array, size: int, m: float, shares: Array, least: Array, total: Array) -> None:
    """Of the `size` samples of a block: q in place of costs, q^(1/(m-1)), the least cost, the sum of the powers."""
    c, power = costs.shape[0], 1.0 / (m - 1.0)
    cost = costs[0]
    for i in range(size):
        least[i], total[i] = cost[i], 0.0
    for j in range(1, c):
        cost = costs[j]
        for i in range(size):
            least[i] = cost[i] if cost[i] < least[i] else least[i]
    for j in range(c):
        cost, part = costs[j], shares[j]
        for i in range(size):
            cost[i] = 1.0 if cost[i] == least[i] else least[i] / cost[i]
            part[i] = cost[i]
        if m != 2.0:
            for i in range(size):
                part[i] **= power
        for i in range(size):
            total[i] += part[i]


@njit(inline="always", **OPTIONS)
def _shrink(size: int, m: float, total: Array, shrink: Array) -> None:
    """1/s in place of the sums s, and s^(1-m)."""
    for i in range(size):
        total[i] = 1.0 / total[i]
        shrink[i] = total[i]
    if m != 2.0:
        for i in range(size):
            shrink[i] **= m - 1.0


@njit(**OPTIONS)
def memberships(features: Array, centres: Array, m: float) -> Array:
    """(c, n): the membership of each sample in each cluster; a column sums to 1."""
    n, c, dtype = features.shape[1], centres.shape[0], features.dtype
    result, squares, shares = np.empty((c, n), dtype), np.empty((c, BLOCK), dtype), np.empty((c, BLOCK), dtype)
    least, total = np.empty(BLOCK, dtype), np.empty(BLOCK, dtype)
    for start in range(0, n, BLOCK):
        size = min(BLOCK, n - start)
        fill_squared_distances(features, start, size, centres, squares, 0)
        _divide(squares, size, m, shares, least, total)
        for j in range(c):
            rows, part = result[j, start : start + size], shares[j]
            for i in range(size):
                rows[i] = part[i] / total[i]
    return result


@njit(**OPTIONS)
def share(costs: Array, m: float) -> tuple[Array, Array, Array]:
    r"""For any costs (c, n): the memberships of least :math:`\sum_j \mu_j^m \, cost_j`, their powers m, and that sum.

    With squared distances as costs these are the memberships above; an infinite cost makes a membership of 0.
    """
    (c, n), dtype = costs.shape, costs.dtype
    membership, powers, losses = np.empty((c, n), dtype), np.empty((c, n), dtype), np.empty(n, dtype)
    ratios, shares = np.empty((c, BLOCK), dtype), np.empty((c, BLOCK), dtype)
    least, total, shrink = np.empty(BLOCK, dtype), np.empty(BLOCK, dtype), np.empty(BLOCK, dtype)
    for start in range(0, n, BLOCK):
        size = min(BLOCK, n - start)
        for j in range(c):
            ratios[j, :size] = costs[j, start : start + size]
        _divide(ratios, size, m, shares, least, total)
        _shrink(size, m, total, shrink)
        for i in range(size):
            losses[start + i] = shrink[i] * least[i]
        for j in range(c):
            rows, heaviness = membership[j, start : start + size], powers[j, start : start + size]
            ratio, part = ratios[j], shares[j]
            for i in range(size):
                rows[i] = part[i] * total[i]
                heaviness[i] = rows[i] * ratio[i] * shrink[i]
    return membership, powers, losses


def make_scratch(n_clusters: int, dtype: DTypeLike) -> Array:
    """Memory that `add_up` works in."""
    return empty_aligned((2 * n_clusters + 3, BLOCK), dtype)


@njit(**OPTIONS)
def add_up(blocks: Array, weights: Array, centres: Array, m: float, scratch: Array) -> tuple[float, Array, Array]:
    """J of the memberships that belong to `centres`, and of each cluster sums over all samples, by which it moves.

    (c,) of the weighted powers of the memberships, and (c, d) of these times the samples. Table and weights are as
    `arrange_blocks` makes them, of (n, d) and of (n, 1): a row that fills up a block has no weight.
    """
    (c, d), size, zero = centres.shape, blocks.shape[2], blocks.dtype.type(0.0)
    ratios, shares = scratch[:c], scratch[c : 2 * c]
    least, total, shrink = scratch[2 * c], scratch[2 * c + 1], scratch[2 * c + 2]
    objective, mass, sums = 0.0, np.zeros(c), np.zeros((c, d))  # in float64, whatever a block is in
    for b in range(blocks.shape[0]):
        block, weight = blocks[b], weights[b, 0]
        fill_squared_distances(block, 0, size, centres, ratios, 0)
        _divide(ratios, size, m, shares, least, total)
        _shrink(size, m, total, shrink)
        for i in range(size):
            shrink[i] *= weight[i]
        # A sum in a loop of its own, which writes nothing: one that writes is vectorised, and so rounded, otherwise
        # where arrays happen to lie so close together that the compiler cannot exclude that they overlap.
        part = zero
        for i in range(size):
            part += shrink[i] * least[i]
        objective += part
        for i in range(size):
            shrink[i] *= total[i]
        for j in range(c):
            powers, factors = ratios[j], shares[j]
            for i in range(size):
                powers[i] *= factors[i] * shrink[i]  # w mu^m
            part = zero
            for i in range(size):
                part += powers[i]
            mass[j] += part
        add_weighted_sums(block, 0, size, ratios, 0, sums)
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
