"""Kernels of the deflected objective of fuzzy c-means; memberships have one row per cluster, (k, n).

The rest of an evaluation is NumPy's: its exponential vectorises and its matrix products are BLAS'.
"""

import numpy as np
from numba import njit

from emphatic.check import FloatArray, IntArray
from emphatic.kernels.fuzzy_c_means import BLOCK
from emphatic.kernels.options import OPTIONS


@njit(**OPTIONS)
def squared_gap(U: FloatArray, other: FloatArray, order: IntArray) -> float:
    """sum (U - other[order])^2, as a sum of squares: U may come as near to another group as it likes."""
    total = 0.0
    for j in range(U.shape[0]):
        for i in range(U.shape[1]):
            total += (U[j, i] - other[order[j], i]) ** 2
    return total


@njit(**OPTIONS)
def gradient(
    U: FloatArray, attraction: FloatArray, groups: FloatArray, orders: IntArray, repulsions: FloatArray
) -> FloatArray:
    """U (G - sum_j U G): the gradient in the logits whose softmax U is, from that in the memberships,

    G = attraction - sum_g repulsions[g] (U - groups[g, orders[g]]).
    """
    k, n = U.shape
    result, mean = np.empty((k, n)), np.empty(BLOCK)
    for start in range(0, n, BLOCK):
        size = min(BLOCK, n - start)
        mean[:] = 0.0
        for j in range(k):
            u, slope = U[j, start : start + size], result[j, start : start + size]
            pull = attraction[j, start : start + size]
            for i in range(size):
                slope[i] = pull[i]
            for g in range(len(repulsions)):
                other, strength = groups[g, orders[g, j], start : start + size], repulsions[g]
                for i in range(size):
                    slope[i] -= strength * (u[i] - other[i])
            for i in range(size):
                mean[i] += u[i] * slope[i]
        for j in range(k):
            u, slope = U[j, start : start + size], result[j, start : start + size]
            for i in range(size):
                slope[i] = u[i] * (slope[i] - mean[i])
    return result
