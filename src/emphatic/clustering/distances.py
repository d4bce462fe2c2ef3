"""Distances between all rows: of vectors, or as they are given."""

from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from emphatic import check
from emphatic.clustering.units import Array

METRICS = ("euclidean", "sqeuclidean", "cityblock", "chebyshev", "precomputed")
"""How far apart two rows are; "precomputed": X holds the distances themselves."""

ROUNDING = 1e-8
"""Distances may differ from those in the opposite direction by this share of the largest one."""

TILE = 128
"""Rows and columns of a matrix that are compared at a time: two such tiles fit into a second-level cache."""


def check_metric(metric: Any) -> None:
    """Raise ValueError unless the metric is known."""
    check.one_of("metric", metric, METRICS)


def measure_distances(first: Array, second: Array, metric: str) -> Array:
    """Distances between the rows of two tables."""
    return cdist(first, second, metric=metric)


def check_distances(matrix: Array) -> Array:
    """Return distances (n, n) between training rows: not negative, symmetric, and 0 of each row from itself."""
    n = len(matrix)
    if matrix.shape != (n, n):
        raise ValueError(
            f'X has shape {matrix.shape}: with metric="precomputed" it must hold the distances between all pairs of '
            "rows, and so be square."
        )
    refuse_negative(matrix)
    itself = np.flatnonzero(np.diag(matrix))
    if len(itself):
        value = matrix[itself[0], itself[0]]
        raise ValueError(f"X says that row {itself[0]} is at distance {value:g} from itself: the diagonal must be 0.")
    if _is_symmetric(matrix):
        return matrix
    gaps = np.abs(matrix - matrix.T)
    i, j = np.unravel_index(gaps.argmax(), gaps.shape)
    if gaps[i, j] > ROUNDING * matrix.max():
        raise ValueError(
            f"X is not symmetric: the distance from row {i} to row {j} is {matrix[i, j]:g}, and back it is "
            f"{matrix[j, i]:g}. Use (X + X.T) / 2 if their mean is meant."
        )
    return (matrix + matrix.T) / 2


def _is_symmetric(matrix: Array) -> bool:
    """Whether it equals its transpose; compared in tiles, as a column of a large matrix is slow to read."""
    tiles = [slice(start, start + TILE) for start in range(0, len(matrix), TILE)]
    return all(
        np.array_equal(matrix[rows, columns], matrix[columns, rows].T)
        for i, rows in enumerate(tiles)
        for columns in tiles[i:]
    )


def refuse_negative(matrix: Array) -> None:
    """Raise ValueError if a distance is negative."""
    if matrix.min() < 0:
        i, j = np.unravel_index(matrix.argmin(), matrix.shape)
        raise ValueError(f"Negative values in data: X holds the distance {matrix[i, j]:g} of row {i} and column {j}.")
