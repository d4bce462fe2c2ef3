"""Blocks of samples that stay in the first-level cache: how tables are arranged in them, distances from centres, sums.

A block has one row per feature, and every inner loop runs over its samples: it vectorises. Four features are taken at a
time, so that what is read and written for each centre is read and written once for all four.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from emphatic.kernels.memory import empty_aligned
from emphatic.kernels.options import OPTIONS

Array = NDArray[Any]
"""float32 or float64; all arrays of a call are of one type."""

BLOCK = 128
"""Samples processed at a time: with some tens of features and clusters they fit in the first-level cache."""

FOUR = 4
"""Features that are taken at a time."""


def arrange_blocks(X: Array, unit: float = 1.0, block: int = BLOCK, multiple: int = 1) -> Array:
    """(blocks, d, block): the rows of `X` (n, d), measured in `unit`; rows of zeros fill up the last block.

    So do columns of zeros, up to a multiple of some number of columns.
    """
    n, d = X.shape
    n_whole, rest = divmod(n, block)
    result = empty_aligned((n_whole + (rest > 0), -(-d // multiple) * multiple, block), X.dtype)
    np.divide(X[: n - rest].reshape(n_whole, block, d).transpose(0, 2, 1), unit, out=result[:n_whole, :d])
    if rest:
        np.divide(X[n - rest :].T, unit, out=result[-1, :d, :rest])
        result[-1, :d, rest:] = 0.0
    result[:, d:] = 0.0
    return result


@njit(inline="always", **OPTIONS)
def fill_squared_distances(features: Array, start: int, size: int, centres: Array, result: Array, at: int) -> None:
    """result[j, at + i] = |x - v_j|^2 for the `size` samples of `features` (d, n) from `start` on.

    As sums of squared differences: nothing cancels.
    """
    d, stop, end = features.shape[0], start + size, at + size
    tiled = d - d % FOUR
    for j in range(centres.shape[0]):
        row = result[j, at:end]
        for i in range(size):
            row[i] = 0.0
    for f in range(0, tiled, FOUR):
        x0, x1 = features[f, start:stop], features[f + 1, start:stop]
        x2, x3 = features[f + 2, start:stop], features[f + 3, start:stop]
        for j in range(centres.shape[0]):
            row, v = result[j, at:end], centres[j]
            v0, v1, v2, v3 = v[f], v[f + 1], v[f + 2], v[f + 3]
            for i in range(size):
                g0, g1, g2, g3 = x0[i] - v0, x1[i] - v1, x2[i] - v2, x3[i] - v3
                row[i] += (g0 * g0 + g1 * g1) + (g2 * g2 + g3 * g3)
    for f in range(tiled, d):
        x = features[f, start:stop]
        for j in range(centres.shape[0]):
            row, v0 = result[j, at:end], centres[j, f]
            for i in range(size):
                row[i] += (x[i] - v0) * (x[i] - v0)


@njit(inline="always", **OPTIONS)
def add_weighted_sums(features: Array, start: int, size: int, powers: Array, at: int, sums: Array) -> None:
    """sums[j, f] += sum_i powers[j, at + i] x_f, over the same samples; `sums` are in float64."""
    d, stop, end, zero = features.shape[0], start + size, at + size, features.dtype.type(0.0)
    tiled = d - d % FOUR
    for f in range(0, tiled, FOUR):
        x0, x1 = features[f, start:stop], features[f + 1, start:stop]
        x2, x3 = features[f + 2, start:stop], features[f + 3, start:stop]
        for j in range(powers.shape[0]):
            p, total = powers[j, at:end], sums[j]
            s0, s1, s2, s3 = zero, zero, zero, zero
            for i in range(size):
                s0 += p[i] * x0[i]
                s1 += p[i] * x1[i]
                s2 += p[i] * x2[i]
                s3 += p[i] * x3[i]
            total[f] += s0
            total[f + 1] += s1
            total[f + 2] += s2
            total[f + 3] += s3
    for f in range(tiled, d):
        x = features[f, start:stop]
        for j in range(powers.shape[0]):
            p, s0 = powers[j, at:end], zero
            for i in range(size):
                s0 += p[i] * x[i]
            sums[j, f] += s0
