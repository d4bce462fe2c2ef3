"""Who is alike: the rows to look at beside a suspicious one."""

from __future__ import annotations

import numpy as np
from sklearn.neighbors import NearestNeighbors

from emphatic.check import FloatArray, IntArray

SHOWN = 10
"""Neighbours of every sample; as many as there are in a smaller table."""


def nearest_rows(inputs: FloatArray) -> IntArray:
    """(n, k): positions of the nearest other rows, nearest first.

    >>> import numpy as np
    >>> nearest_rows(np.array([[0.0], [1.0], [3.0]]))
    array([[1, 2],
           [0, 2],
           [1, 0]])
    """
    search = NearestNeighbors(n_neighbors=min(SHOWN, len(inputs) - 1)).fit(inputs)
    return np.asarray(search.kneighbors(return_distance=False), dtype=np.intp)
