"""The two-cluster partition of class centroids of least k-means cost."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from emphatic.check import FloatArray, IntArray

MOST_ENUMERATED = 10
"""So many centroids have 511 partitions, which are all tried; more of them are left to k-means."""

RESTARTS = 20
"""Of k-means."""

TIE = 1e-12
"""Costs closer than this, in units of the largest, are ties: rounding must not choose."""

BoolArray = NDArray[np.bool_]


def least_cost_partition(centroids: FloatArray, rng: np.random.Generator) -> BoolArray:
    r"""Which centroids, (C, features), are on the side of the first one.

    The cost of a side S is its sum of squared distances to its mean, which is
    :math:`\frac{1}{2|S|} \sum_{i,j \in S} \lVert c_i - c_j\rVert^2`. Of partitions that cost the same the one with the
    smaller side of the first centroid wins. Up to ten centroids nothing is drawn from `rng`.

    >>> import numpy as np
    >>> least_cost_partition(np.array([[0.0], [5.0], [1.0], [6.0]]), np.random.default_rng(0))
    array([ True, False,  True, False])
    """
    squares = cdist(centroids, centroids, "sqeuclidean")
    n = len(centroids)
    candidates = all_partitions(n) if n <= MOST_ENUMERATED else _by_k_means(centroids, rng)
    costs = _cost_of_sides(candidates, squares) + _cost_of_sides(~candidates, squares)
    cheap = np.flatnonzero(costs <= costs.min() + TIE * costs.max())
    return np.asarray(candidates[cheap[candidates[cheap].sum(axis=1).argmin()]])


@lru_cache(maxsize=MOST_ENUMERATED)
def all_partitions(n: int) -> BoolArray:
    """(2^(n-1) - 1, n): all ways to part n things in two, the first thing always on the side that is True.

    >>> all_partitions(3).astype(int)
    array([[1, 0, 0],
           [1, 0, 1],
           [1, 1, 0]])
    """
    codes = np.arange(2 ** (n - 1) - 1)
    others = codes[:, None] >> np.arange(n - 2, -1, -1) & 1
    return np.column_stack([np.ones(len(codes), dtype=bool), others.astype(bool)])


def _cost_of_sides(members: BoolArray, squares: FloatArray) -> FloatArray:
    inside = members.astype(np.float64)
    return np.asarray((inside @ squares * inside).sum(axis=1) / (2.0 * inside.sum(axis=1)))


def _by_k_means(centroids: FloatArray, rng: np.random.Generator) -> BoolArray:
    """Where Lloyd's iterations end from several pairs of centroids, (restarts, n), the first thing always True."""
    starts = [rng.choice(len(centroids), size=2, replace=False) for _ in range(RESTARTS)]
    found = np.array([_lloyd(centroids, pair) for pair in starts])
    return found == found[:, :1]


def _lloyd(centroids: FloatArray, pair: IntArray) -> BoolArray:
    """Which centroids end nearer to the first mean; neither side is ever empty."""
    near = _nearer(centroids, centroids[pair])
    near[pair] = [True, False]  # also where the two coincide
    while True:
        means = np.array([centroids[near].mean(axis=0), centroids[~near].mean(axis=0)])
        moved = _nearer(centroids, means)
        if moved.all() or not moved.any() or (moved == near).all():
            return near
        if _total(centroids, moved) >= _total(centroids, near):  # only rounding still moves them
            return near
        near = moved


def _nearer(centroids: FloatArray, means: FloatArray) -> BoolArray:
    distances = cdist(centroids, means, "sqeuclidean")
    return np.asarray(distances[:, 0] <= distances[:, 1])


def _total(centroids: FloatArray, near: BoolArray) -> float:
    return float(sum(((centroids[side] - centroids[side].mean(axis=0)) ** 2).sum() for side in (near, ~near)))
