"""Kernels of Gustafson-Kessel clusters. Tables have one row per feature, (d, n), and costs one per cluster, (c, n).

Both run over blocks of samples that stay in the cache, and over one half of each symmetric matrix.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from emphatic.kernels.options import OPTIONS

Array = NDArray[Any]

BLOCK = 128
"""Samples processed at a time."""


@njit(inline="always", **OPTIONS)
def _gaps(features: Array, start: int, size: int, centre: Array, gaps: Array) -> None:
    """gaps[f, i] = x_f - v_f for the `size` samples from `start` on."""
    for f in range(features.shape[0]):
        x, v = features[f, start : start + size], centre[f]
        for i in range(size):
            gaps[f, i] = x[i] - v


@njit(**OPTIONS)
def squared_distances(features: Array, centres: Array, whitenings: Array) -> Array:
    """(c, n): |W_j (x - v_j)|^2, with a lower triangular W_j for each cluster."""
    (d, n), c = features.shape, centres.shape[0]
    result = np.empty((c, n))
    gaps, turned = np.empty((d, BLOCK)), np.empty(BLOCK)
    for start in range(0, n, BLOCK):
        size = min(BLOCK, n - start)
        for j in range(c):
            _gaps(features, start, size, centres[j], gaps)
            row = result[j, start : start + size]
            for i in range(size):
                row[i] = 0.0
            for f in range(d):
                for i in range(size):
                    turned[i] = 0.0
                for g in range(f + 1):
                    w, gap = whitenings[j, f, g], gaps[g]
                    for i in range(size):
                        turned[i] += w * gap[i]
                for i in range(size):
                    row[i] += turned[i] * turned[i]
    return result


@njit(**OPTIONS)
def covariances(features: Array, powers: Array, centres: Array) -> Array:
    """(c, d, d): sums of p_ij (x_i - v_j) (x_i - v_j)^T over the samples, not yet divided by the sum of p."""
    (d, n), c = features.shape, centres.shape[0]
    result = np.zeros((c, d, d))
    gaps, weighted = np.empty((d, BLOCK)), np.empty(BLOCK)
    for start in range(0, n, BLOCK):
        size = min(BLOCK, n - start)
        for j in range(c):
            _gaps(features, start, size, centres[j], gaps)
            power = powers[j, start : start + size]
            for f in range(d):
                one = gaps[f]
                for i in range(size):
                    weighted[i] = power[i] * one[i]
                for g in range(f + 1):
                    other = gaps[g]
                    part = 0.0
                    for i in range(size):
                        part += weighted[i] * other[i]
                    result[j, f, g] += part
    for j in range(c):
        for f in range(d):
            for g in range(f):
                result[j, g, f] = result[j, f, g]
    return result
