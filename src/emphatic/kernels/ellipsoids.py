"""Kernels of Gustafson-Kessel clusters. Tables have one row per feature, (d, n), and costs one per cluster, (c, n).

Both run over blocks of samples that stay in the cache, over one half of each symmetric matrix, and over four features
at a time, so that what is read from the cache is used four times. Rows of zeros fill up the last four.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from emphatic.kernels.options import OPTIONS

Array = NDArray[Any]

BLOCK = 128
"""Samples processed at a time."""

FOUR = 4
"""Features processed at a time."""


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
    gaps, turned, weights = np.zeros((d + FOUR - 1, BLOCK)), np.empty(BLOCK), np.zeros(d + FOUR - 1)
    for start in range(0, n, BLOCK):
        size = min(BLOCK, n - start)
        for j in range(c):
            _gaps(features, start, size, centres[j], gaps)
            row = result[j, start : start + size]
            for i in range(size):
                row[i] = 0.0
            for f in range(d):
                weights[: f + 1] = whitenings[j, f, : f + 1]  # and zeros behind them
                for i in range(size):
                    turned[i] = 0.0
                for g in range(0, f + 1, FOUR):
                    w0, w1, w2, w3 = weights[g], weights[g + 1], weights[g + 2], weights[g + 3]
                    x0, x1, x2, x3 = gaps[g], gaps[g + 1], gaps[g + 2], gaps[g + 3]
                    for i in range(size):
                        turned[i] += w0 * x0[i] + w1 * x1[i] + w2 * x2[i] + w3 * x3[i]
                for i in range(size):
                    row[i] += turned[i] * turned[i]
            weights[:] = 0.0
    return result


@njit(**OPTIONS)
def covariances(features: Array, powers: Array, centres: Array) -> Array:
    """(c, d, d): sums of p_ij (x_i - v_j) (x_i - v_j)^T over the samples, not yet divided by the sum of p."""
    (d, n), c = features.shape, centres.shape[0]
    sums, result = np.zeros((c, d, d + FOUR - 1)), np.empty((c, d, d))
    gaps, weighted = np.zeros((d + FOUR - 1, BLOCK)), np.empty(BLOCK)
    for start in range(0, n, BLOCK):
        size = min(BLOCK, n - start)
        for j in range(c):
            _gaps(features, start, size, centres[j], gaps)
            power = powers[j, start : start + size]
            for f in range(d):
                one = gaps[f]
                for i in range(size):
                    weighted[i] = power[i] * one[i]
                for g in range(0, f + 1, FOUR):
                    x0, x1, x2, x3 = gaps[g], gaps[g + 1], gaps[g + 2], gaps[g + 3]
                    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
                    for i in range(size):
                        s0 += weighted[i] * x0[i]
                        s1 += weighted[i] * x1[i]
                        s2 += weighted[i] * x2[i]
                        s3 += weighted[i] * x3[i]
                    sums[j, f, g] += s0
                    sums[j, f, g + 1] += s1
                    sums[j, f, g + 2] += s2
                    sums[j, f, g + 3] += s3
    for j in range(c):
        for f in range(d):
            for g in range(f + 1):
                result[j, f, g] = sums[j, f, g]
                result[j, g, f] = sums[j, f, g]
    return result
