"""Where the clusters start: distinct rows of the table, drawn by weight, or an array of centres."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike
from sklearn.cluster import kmeans_plusplus

from emphatic.check import FloatArray
from emphatic.clustering.units import Array, find_unit
from emphatic.inputs import LARGEST_INPUT


def draw_starts(
    init: str, X: Array, weights: FloatArray, n_clusters: int, n_init: int, rng: np.random.Generator
) -> Iterator[Array]:
    """`n_init` times `n_clusters` distinct rows by weight, far from each other ("k-means++") or at once ("random")."""
    rows, mass = _distinct_rows(X, weights)
    if len(rows) < n_clusters:
        raise ValueError(
            f"X has {len(rows)} distinct rows of positive weight, but {n_clusters} clusters need at least as many to "
            "start from."
        )
    unit = find_unit(rows)  # k-means++ squares
    for _ in range(n_init):
        if init == "random":
            chosen = rng.choice(len(rows), size=n_clusters, replace=False, p=mass)
        else:
            seed = int(rng.integers(2**31))
            chosen = kmeans_plusplus(rows / unit, n_clusters, sample_weight=mass, random_state=seed)[1]
        yield rows[chosen]


def _distinct_rows(X: Array, weights: FloatArray) -> tuple[Array, FloatArray]:
    """The distinct rows of positive weight, and their shares of the total weight.

    They are sorted by their bytes, so the same random numbers draw the same rows whether a row has weight k or occurs
    k times.
    """
    present = weights > 0
    rows = np.ascontiguousarray(X[present]) + 0.0  # -0.0 + 0.0 is 0.0, which has other bytes
    _, first, which = np.unique(rows.view(f"V{rows.strides[0]}").ravel(), return_index=True, return_inverse=True)
    mass = np.bincount(which.ravel(), weights[present])
    return rows[first], mass / mass.sum()


def check_centres(init: ArrayLike, n_clusters: int, X: Array) -> Array:
    """`init` as an array of centres for the rows of `X`, of the same type."""
    try:
        centres = np.asarray(init, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f'init must be "k-means++", "random" or an array of centres: {error}') from error
    shape = (n_clusters, X.shape[1])
    if centres.shape != shape:
        raise ValueError(
            f"init has shape {centres.shape}: n_clusters={n_clusters} and X with {X.shape[1]} columns need {shape}."
        )
    largest = min(LARGEST_INPUT, float(np.finfo(X.dtype).max))
    if not (np.abs(centres) <= largest).all():
        raise ValueError(f"init holds NaN, infinity or values beyond +-{largest:g}: every centre must lie within.")
    return centres.astype(X.dtype)
