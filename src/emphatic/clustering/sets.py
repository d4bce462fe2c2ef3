"""Sets of clusters as integers: bit k says whether cluster k belongs to the set, as in `emphatic.fusion.evidence`."""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from emphatic.check import FloatArray

SetArray = NDArray[np.int64]

MOST_CLUSTERS = {"singletons": 62, "pairs": 62, "all": 12}
"""Sets are 64-bit integers with a sign; and there are 2^12 sets of 12 clusters."""


def list_sets(n_clusters: int, focal_sets: str) -> SetArray:
    """The empty set and single clusters; with "pairs", pairs and the set of all clusters too; with "all", all sets.

    >>> list_sets(3, "pairs")
    array([0, 1, 2, 3, 4, 5, 6, 7])
    """
    most = MOST_CLUSTERS[focal_sets]
    if n_clusters > most:
        raise ValueError(f"n_clusters={n_clusters} is not allowed: at most {most}, with focal_sets={focal_sets!r}.")
    if focal_sets == "all":
        return np.arange(2**n_clusters, dtype=np.int64)
    single = [1 << k for k in range(n_clusters)]
    more = [a | b for a, b in combinations(single, 2)] + [2**n_clusters - 1] if focal_sets == "pairs" else []
    return np.unique(np.array([0, *single, *more], dtype=np.int64))


def list_members(sets: SetArray, n_clusters: int) -> FloatArray:
    """(sets, clusters): 1 where the cluster belongs to the set.

    >>> list_members(np.array([0b01, 0b11]), 2)
    array([[1., 0.],
           [1., 1.]])
    """
    return (sets[:, None] >> np.arange(n_clusters) & 1).astype(np.float64)
