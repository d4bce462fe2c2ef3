"""Where medoids start: rows of which none equals another, one after another where they lower the distances most."""

import numpy as np
from numpy.typing import ArrayLike

from emphatic.check import FloatArray, IntArray
from emphatic.clustering.units import Array

ROUNDING = 1e-12
"""Sums of distances that differ by this share are equal but for rounding: the first row is taken."""


def find_candidates(distances: Array, weights: FloatArray) -> tuple[IntArray, FloatArray]:
    """The rows that may be medoids, and their shares of the weight: of equal rows the first stands for all."""
    present = np.flatnonzero(weights > 0)
    n = len(distances)
    if np.count_nonzero(distances != 0) == n * (n - 1):  # equal rows are at distance 0; to count bools is much faster
        return present, weights[present] / weights[present].sum()
    rows = distances[present] + 0.0  # -0.0 + 0.0 is 0.0, which has other bytes
    _, first, which = np.unique(rows.view(f"V{rows.strides[0]}").ravel(), return_index=True, return_inverse=True)
    order = np.argsort(first)
    mass = np.bincount(which.ravel(), weights[present])[order]
    return present[first[order]], mass / mass.sum()


def build(distances: Array, weights: FloatArray, n_clusters: int) -> list[int]:
    """Places of the rows of `distances` (candidates, n) that make the sum of least distances small, one by one."""
    nearest = np.full(distances.shape[1], np.inf)
    chosen: list[int] = []
    for _ in range(n_clusters):
        sums = np.minimum(distances, nearest) @ weights
        sums[chosen] = np.inf
        chosen.append(int((sums <= sums.min() * (1 + ROUNDING)).argmax()))
        nearest = np.minimum(nearest, distances[chosen[-1]])
    return chosen


def check_rows(init: ArrayLike, n_clusters: int, n: int) -> IntArray:
    """Return `init` as numbers of different rows."""
    rows = np.asarray(init)
    if rows.shape != (n_clusters,) or rows.dtype.kind not in "iu" or not 0 <= rows.min() <= rows.max() < n:
        raise ValueError(
            f'init={init!r:.60} is not allowed: init must be "build", "random" or {n_clusters} row numbers below {n}.'
        )
    if len(np.unique(rows)) < n_clusters:
        raise ValueError(f"init={init!r:.60} names a row twice: the medoids must be different rows.")
    return rows.astype(np.intp)
