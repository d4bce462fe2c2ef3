"""Inner products of rows with each other, by half the work: a BLAS forms all of them, most also in its `syrk`."""

import numpy as np
from numba import njit

from emphatic.check import FloatArray
from emphatic.kernels.options import OPTIONS

AT_A_TIME = 3
"""Rows in a group. The nine sums of two groups and their six factors fit in the sixteen registers of AVX2."""


@njit(**OPTIONS)
def add_gram(rows: FloatArray, length: int, gram: FloatArray) -> None:
    """Add the inner products of the first `length` entries of `rows` to `gram`, in its lower triangle.

    The number of rows is a multiple of three. Some products above the diagonal are added, too: do not read there.
    """
    for k in range(0, rows.shape[0], AT_A_TIME):
        a0, a1, a2 = rows[k], rows[k + 1], rows[k + 2]
        for j in range(0, k + 1, AT_A_TIME):
            b0, b1, b2 = rows[j], rows[j + 1], rows[j + 2]
            s00, s01, s02, s10, s11, s12, s20, s21, s22 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
            for i in range(length):
                x0, x1, x2 = a0[i], a1[i], a2[i]
                y0, y1, y2 = b0[i], b1[i], b2[i]
                s00 += x0 * y0
                s10 += x1 * y0
                s20 += x2 * y0
                s01 += x0 * y1
                s11 += x1 * y1
                s21 += x2 * y1
                s02 += x0 * y2
                s12 += x1 * y2
                s22 += x2 * y2
            gram[k, j] += s00
            gram[k, j + 1] += s01
            gram[k, j + 2] += s02
            gram[k + 1, j] += s10
            gram[k + 1, j + 1] += s11
            gram[k + 1, j + 2] += s12
            gram[k + 2, j] += s20
            gram[k + 2, j + 1] += s21
            gram[k + 2, j + 2] += s22


@njit(**OPTIONS)
def mirror(gram: FloatArray, size: int) -> FloatArray:
    """The first `size` rows and columns of a matrix of which only the lower triangle is known."""
    full = np.empty((size, size))
    for k in range(size):
        for j in range(k + 1):
            full[k, j] = full[j, k] = gram[k, j]
    return full
