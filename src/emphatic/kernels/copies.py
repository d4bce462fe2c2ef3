"""Copies inside kernels: numba takes two seconds to compile `target[:] = source`, which may have to report shapes."""

from typing import Any

from numba import njit


@njit(cache=True, inline="always")
def copy_cells(source: Any, target: Any) -> None:
    """Copy an array of two axes into another of its shape."""
    for i in range(target.shape[0]):
        for j in range(target.shape[1]):
            target[i, j] = source[i, j]
