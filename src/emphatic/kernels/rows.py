"""Products and distances of rows, in the precision of their arguments, that depend on nothing but the two rows.

A BLAS adds in an order that depends on how many rows there are, where in memory they lie, and how many threads it has:
the same row then gets other last bits in other company. Here every sum has one order. Loops vectorise because what they
run over is independent, not because sums are reordered, and a product is rounded before it is added: no compiler may
change a bit.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

LANES = 16
"""Partial sums of `dots`: as many as fill the vectors of any CPU."""


@njit(cache=True, error_model="numpy", nogil=True)
def multiply(A: Any, B: Any) -> Any:
    """A B (n, m) of A (n, inputs) and B (inputs, m), for many columns; the terms of a sum are added one by one."""
    result = np.zeros((A.shape[0], B.shape[1]), A.dtype)
    inputs = A.shape[1]
    for i in range(A.shape[0]):
        row = result[i]
        j = 0
        while j + 4 <= inputs:  # four at a time, in their order, so that a sum is read and written less often
            a0, a1, a2, a3 = A[i, j], A[i, j + 1], A[i, j + 2], A[i, j + 3]
            b0, b1, b2, b3 = B[j], B[j + 1], B[j + 2], B[j + 3]
            for k in range(row.shape[0]):
                row[k] = (((row[k] + a0 * b0[k]) + a1 * b1[k]) + a2 * b2[k]) + a3 * b3[k]
            j += 4
        while j < inputs:
            a0, b0 = A[i, j], B[j]
            for k in range(row.shape[0]):
                row[k] += a0 * b0[k]
            j += 1
    return result


@njit(cache=True, error_model="numpy", nogil=True)
def squared_distances(A: Any, B: Any) -> Any:
    """(n, m): sum_j (A_ij - B_jk)^2 of A (n, inputs) and B (inputs, m), added one by one."""
    result = np.zeros((A.shape[0], B.shape[1]), A.dtype)
    inputs = A.shape[1]
    for i in range(A.shape[0]):
        row = result[i]
        j = 0
        while j + 4 <= inputs:
            a0, a1, a2, a3 = A[i, j], A[i, j + 1], A[i, j + 2], A[i, j + 3]
            b0, b1, b2, b3 = B[j], B[j + 1], B[j + 2], B[j + 3]
            for k in range(row.shape[0]):
                g0, g1, g2, g3 = a0 - b0[k], a1 - b1[k], a2 - b2[k], a3 - b3[k]
                row[k] = (((row[k] + g0 * g0) + g1 * g1) + g2 * g2) + g3 * g3
            j += 4
        while j < inputs:
            a0, b0 = A[i, j], B[j]
            for k in range(row.shape[0]):
                gap = a0 - b0[k]
                row[k] += gap * gap
            j += 1
    return result


@njit(cache=True, error_model="numpy", nogil=True)
def dots(A: Any, B: Any) -> Any:
    """A B' (n, m) of A (n, inputs) and B (m, inputs), for few columns; term j is added to partial sum j mod 16."""
    result = np.empty((A.shape[0], B.shape[0]), A.dtype)
    sums = np.empty(LANES, A.dtype)
    inputs = A.shape[1]
    whole = inputs - inputs % LANES
    for i in range(A.shape[0]):
        for k in range(B.shape[0]):
            a, b = A[i], B[k]
            sums[:] = 0.0
            j0 = 0
            while j0 + 4 * LANES <= inputs:  # four terms of each partial sum at a time, in their order
                j1, j2, j3 = j0 + LANES, j0 + 2 * LANES, j0 + 3 * LANES
                for l in range(LANES):
                    first = (sums[l] + a[j0 + l] * b[j0 + l]) + a[j1 + l] * b[j1 + l]
                    sums[l] = (first + a[j2 + l] * b[j2 + l]) + a[j3 + l] * b[j3 + l]
                j0 += 4 * LANES
            while j0 < whole:
                for l in range(LANES):
                    sums[l] += a[j0 + l] * b[j0 + l]
                j0 += LANES
            for j in range(whole, inputs):
                sums[j - whole] += a[j] * b[j]
            total = sums[0]
            for l in range(1, LANES):
                total += sums[l]
            result[i, k] = total
    return result


def product(A: NDArray[np.floating], B: NDArray[np.floating]) -> NDArray[np.floating]:
    """A B by the one of the two that is faster for this B; a row of A decides nothing about how others are computed."""
    dtype = np.result_type(A, B)
    if B.shape[1] < 2 * LANES:
        return np.asarray(dots(_plain(A, dtype), _plain(B.T, dtype)))
    return np.asarray(multiply(_plain(A, dtype), _plain(B, dtype)))


def _plain(array: NDArray[np.floating], dtype: np.dtype[np.floating]) -> NDArray[np.floating]:
    """`array`, or a copy of one that is strided or read-only (a memory map): numba would compile kernels for each."""
    return np.require(array, dtype, ["C", "W"])
