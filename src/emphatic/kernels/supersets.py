"""Kernels of the cautious rule: sums over the sets that contain a set, and what they are sums of.

Sets are numbered so that none comes before one that contains it; `larger[starts[i] : starts[i + 1]]` are the numbers of
those that contain set i, without i. One term at a time: the result of a column does not depend on the others.
"""

import numpy as np
from numba import njit

from emphatic.check import FloatArray


@njit(cache=True)
def add_supersets(values: FloatArray, starts: np.ndarray, larger: np.ndarray) -> FloatArray:
    """(sets, columns): of each set, its value and those of all sets that contain it."""
    sums = values.copy()
    for i in range(len(values)):
        for j in larger[starts[i] : starts[i + 1]]:
            for column in range(values.shape[1]):
                sums[i, column] += values[j, column]
    return sums


@njit(cache=True)
def take_away_supersets(sums: FloatArray, starts: np.ndarray, larger: np.ndarray) -> FloatArray:
    """The values of which `sums` are the sums: the inverse of `add_supersets`."""
    values = sums.copy()
    for i in range(len(sums)):
        for j in larger[starts[i] : starts[i + 1]]:
            for column in range(sums.shape[1]):
                values[i, column] -= values[j, column]
    return values
