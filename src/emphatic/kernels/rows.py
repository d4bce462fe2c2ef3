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

from emphatic.kernels.exponential import exponential

_exponential = njit(cache=True, error_model="numpy", nogil=True)(exponential.py_func)
"""Without fused operations: no bit may depend on the CPU, nor on whether a loop is unrolled."""

LANES = 16
"""Partial sums of `dots`: as many as fill the vectors of any CPU."""

TILE = 2048
"""Bytes of each row of B and of the result that are used for all rows of A before others are: they stay in a cache."""


@njit(cache=True, error_model="numpy", nogil=True)
def multiply(A: Any, B: Any, result: Any) -> None:
    """A B (n, m) of A (n, inputs) and B (inputs, m), for many columns; the terms of a sum are added one by one."""
    n, inputs = A.shape
    width = TILE // A.itemsize
    result[:] = 0.0
    for start in range(0, B.shape[1], width):
        columns = slice(start, min(start + width, B.shape[1]))
        for i in range(0, n - 1, 2):  # two rows and four inputs at a time, in their order: less to read and write
            row, next_row = result[i, columns], result[i + 1, columns]
            for j in range(0, inputs - 3, 4):
                a0, a1, a2, a3 = A[i, j], A[i, j + 1], A[i, j + 2], A[i, j + 3]
                c0, c1, c2, c3 = A[i + 1, j], A[i + 1, j + 1], A[i + 1, j + 2], A[i + 1, j + 3]
                b0, b1, b2, b3 = B[j, columns], B[j + 1, columns], B[j + 2, columns], B[j + 3, columns]
                for k in range(row.shape[0]):
                    row[k] = (((row[k] + a0 * b0[k]) + a1 * b1[k]) + a2 * b2[k]) + a3 * b3[k]
                    next_row[k] = (((next_row[k] + c0 * b0[k]) + c1 * b1[k]) + c2 * b2[k]) + c3 * b3[k]
            for j in range(inputs - inputs % 4, inputs):
                a0, c0, b0 = A[i, j], A[i + 1, j], B[j, columns]
                for k in range(row.shape[0]):
                    row[k] += a0 * b0[k]
                    next_row[k] += c0 * b0[k]
        for i in range(n - n % 2, n):
            row = result[i, columns]
            for j in range(inputs):
                a0, b0 = A[i, j], B[j, columns]
                for k in range(row.shape[0]):
                    row[k] += a0 * b0[k]


@njit(cache=True, error_model="numpy", nogil=True)
def squared_distances(A: Any, B: Any, result: Any) -> None:
    """(n, m): sum_j (A_ij - B_jk)^2 of A (n, inputs) and B (inputs, m), in the manner of `multiply`."""
    n, inputs = A.shape
    width = TILE // A.itemsize
    result[:] = 0.0
    for start in range(0, B.shape[1], width):
        columns = slice(start, min(start + width, B.shape[1]))
        for i in range(0, n - 1, 2):
            row, next_row = result[i, columns], result[i + 1, columns]
            for j in range(0, inputs - 3, 4):
                a0, a1, a2, a3 = A[i, j], A[i, j + 1], A[i, j + 2], A[i, j + 3]
                c0, c1, c2, c3 = A[i + 1, j], A[i + 1, j + 1], A[i + 1, j + 2], A[i + 1, j + 3]
                b0, b1, b2, b3 = B[j, columns], B[j + 1, columns], B[j + 2, columns], B[j + 3, columns]
                for k in range(row.shape[0]):
                    g0, g1, g2, g3 = a0 - b0[k], a1 - b1[k], a2 - b2[k], a3 - b3[k]
                    row[k] = (((row[k] + g0 * g0) + g1 * g1) + g2 * g2) + g3 * g3
                    h0, h1, h2, h3 = c0 - b0[k], c1 - b1[k], c2 - b2[k], c3 - b3[k]
                    next_row[k] = (((next_row[k] + h0 * h0) + h1 * h1) + h2 * h2) + h3 * h3
            for j in range(inputs - inputs % 4, inputs):
                a0, c0, b0 = A[i, j], A[i + 1, j], B[j, columns]
                for k in range(row.shape[0]):
                    row[k] += (a0 - b0[k]) * (a0 - b0[k])
                    next_row[k] += (c0 - b0[k]) * (c0 - b0[k])
        for i in range(n - n % 2, n):
            row = result[i, columns]
            for j in range(inputs):
                a0, b0 = A[i, j], B[j, columns]
                for k in range(row.shape[0]):
                    row[k] += (a0 - b0[k]) * (a0 - b0[k])


@njit(cache=True, error_model="numpy", nogil=True)
def dots(A: Any, B: Any, result: Any) -> None:
    """A B' (n, m) of A (n, inputs) and B (m, inputs), for few columns; term j is added to partial sum j mod 16."""
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


@njit(cache=True, error_model="numpy", nogil=True)
def decay(distances: Any, rate: float, result: Any) -> None:
    """exp(-rate distance), in double precision; of an exponent below -700 that of -700, which is next to nothing."""
    for i in range(distances.shape[0]):
        row, powers = distances[i], result[i]
        for k in range(row.shape[0]):
            powers[k] = _exponential(max(-rate * row[k], -700.0))


def product(A: NDArray[np.floating], B: NDArray[np.floating]) -> NDArray[np.floating]:
    """A B by the one of the two that is faster for this B; a row of A decides nothing about how others are computed."""
    dtype = np.result_type(A, B)
    result = np.empty((len(A), B.shape[1]), dtype)
    if B.shape[1] < 2 * LANES:
        dots(_plain(A, dtype), _plain(B.T, dtype), result)
    else:
        multiply(_plain(A, dtype), _plain(B, dtype), result)
    return result


def _plain(array: NDArray[np.floating], dtype: np.dtype[np.floating]) -> NDArray[np.floating]:
    """`array`, or a copy of one that is strided or read-only (a memory map): numba would compile kernels for each."""
    return np.require(array, dtype, ["C", "W"])
