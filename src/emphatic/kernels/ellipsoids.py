"""Kernels of Gustafson-Kessel clusters. Tables have one row per feature, (d, n), and costs one per cluster, (c, n).

Both run over blocks of samples that stay in the cache, over one half of each symmetric matrix, and over tiles of two by
four of its entries, so that what is read from the cache is used several times. Rows of zeros fill up the last tiles.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from emphatic.kernels.options import OPTIONS

Array = NDArray[Any]

BLOCK = 128
"""Samples processed at a time."""

TWO, FOUR = 2, 4
"""Rows and columns of a tile: its sums, and what they are made of, fit into 16 vector registers."""


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
    result, gaps, turned = np.empty((c, n)), np.zeros((d + FOUR, BLOCK)), np.empty((TWO, BLOCK))
    weights = np.zeros((c, d + TWO, d + FOUR))
    weights[:, :d, :d] = whitenings
    for start in range(0, n, BLOCK):
        size = min(BLOCK, n - start)
        for j in range(c):
            _gaps(features, start, size, centres[j], gaps)
            row = result[j, start : start + size]
            for i in range(size):
                row[i] = 0.0
            for f in range(0, d, TWO):
                one, two, u, v = turned[0], turned[1], weights[j, f], weights[j, f + 1]
                for i in range(size):
                    one[i], two[i] = 0.0, 0.0
                for g in range(0, f + TWO, FOUR):
                    x0, x1, x2, x3 = gaps[g], gaps[g + 1], gaps[g + 2], gaps[g + 3]
                    u0, u1, u2, u3 = u[g], u[g + 1], u[g + 2], u[g + 3]
                    v0, v1, v2, v3 = v[g], v[g + 1], v[g + 2], v[g + 3]
                    for i in range(size):
                        one[i] += u0 * x0[i] + u1 * x1[i] + u2 * x2[i] + u3 * x3[i]
                        two[i] += v0 * x0[i] + v1 * x1[i] + v2 * x2[i] + v3 * x3[i]
                for i in range(size):
                    row[i] += one[i] * one[i] + two[i] * two[i]
    return result


@njit(**OPTIONS)
def covariances(features: Array, powers: Array, centres: Array) -> Array:
    """(c, d, d): sums of p_ij (x_i - v_j) (x_i - v_j)^T over the samples, not yet divided by the sum of p."""
    (d, n), c = features.shape, centres.shape[0]
    sums, result = np.zeros((c, d + TWO, d + FOUR)), np.empty((c, d, d))
    gaps, weighted = np.zeros((d + FOUR, BLOCK)), np.empty((TWO, BLOCK))
    for start in range(0, n, BLOCK):
        size = min(BLOCK, n - start)
        for j in range(c):
            _gaps(features, start, size, centres[j], gaps)
            power = powers[j, start : start + size]
            for f in range(0, d, TWO):
                first, second, u, v = gaps[f], gaps[f + 1], weighted[0], weighted[1]
                for i in range(size):
                    u[i], v[i] = power[i] * first[i], power[i] * second[i]
                for g in range(0, f + TWO, FOUR):
                    x0, x1, x2, x3 = gaps[g], gaps[g + 1], gaps[g + 2], gaps[g + 3]
                    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
                    t0, t1, t2, t3 = 0.0, 0.0, 0.0, 0.0
                    for i in range(size):
                        s0 += u[i] * x0[i]
                        s1 += u[i] * x1[i]
                        s2 += u[i] * x2[i]
                        s3 += u[i] * x3[i]
                        t0 += v[i] * x0[i]
                        t1 += v[i] * x1[i]
                        t2 += v[i] * x2[i]
                        t3 += v[i] * x3[i]
                    one, two = sums[j, f, g : g + FOUR], sums[j, f + 1, g : g + FOUR]
                    one[0], one[1], one[2], one[3] = one[0] + s0, one[1] + s1, one[2] + s2, one[3] + s3
                    two[0], two[1], two[2], two[3] = two[0] + t0, two[1] + t1, two[2] + t2, two[3] + t3
    for j in range(c):
        for f in range(d):
            for g in range(f + 1):
                result[j, f, g] = sums[j, f, g]
                result[j, g, f] = sums[j, f, g]
    return result
