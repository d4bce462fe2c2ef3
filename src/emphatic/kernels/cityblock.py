"""Kernel of cityblock distances, in the precision of its arguments."""

from typing import Any

from numba import njit


@njit(cache=True, error_model="numpy", nogil=True)
def cityblock(X: Any, centres: Any, result: Any) -> None:
    """(n, units): sum of absolute differences of the rows of X (n, inputs) and the columns of centres (inputs, units).

    The innermost loop runs over units, so that it vectorises without a sum whose order would matter.
    """
    result[:] = 0.0
    for i in range(X.shape[0]):
        row = result[i]
        for j in range(X.shape[1]):
            value, column = X[i, j], centres[j]
            for k in range(row.shape[0]):
                row[k] += abs(value - column[k])
