"""Where fuzzy c-means starts: centres drawn from the rows, or given."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike
from sklearn.cluster import kmeans_plusplus

from emphatic.base import LARGEST_INPUT
from emphatic.check import FloatArray
from emphatic.clustering.descent import Array, unit_of


def drawn(
    init: str, X: Array, weights: FloatArray, n_clusters: int, n_init: int, rng: np.random.Generator
) -> Iterator[Array]:
    """`n_init` times `n_clusters` different rows by weight, far from each other ("k-means++") or at once ("random")."""
    places, mass = _places(X, weights)
    if len(places) < n_clusters:
        raise ValueError(
            f"X has {len(places)} different rows of positive weight, and {n_clusters} clusters need at least as many "
            "to start from."
        )
    unit = unit_of(places)  # k-means++ squares
    for _ in range(n_init):
        if init == "random":
            rows = rng.choice(len(places), size=n_clusters, replace=False, p=mass)
        else:
            seed = int(rng.integers(2**31))
            rows = kmeans_plusplus(places / unit, n_clusters, sample_weight=mass, random_state=seed)[1]
        yield places[rows]


def _places(X: Array, weights: FloatArray) -> tuple[Array, FloatArray]:
    """The different rows of positive weight and their shares of it.

    They come in the order of their bytes, whatever the order of the rows. So the same are drawn, from the same random
    numbers, if a row weighs k and if it is there k times.
    """
    present = weights > 0
    rows = np.ascontiguousarray(X[present]) + 0.0  # -0.0 + 0.0 is 0.0, which has other bytes
    _, first, which = np.unique(rows.view(f"V{rows.strides[0]}").ravel(), return_index=True, return_inverse=True)
    mass = np.bincount(which.ravel(), weights[present])
    return rows[first], mass / mass.sum()


def given(init: ArrayLike, n_clusters: int, X: Array) -> Array:
    """`init` as an array of centres for the rows of `X`, of their type."""
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
        raise ValueError(f"init holds NaN, infinity or values beyond +-{largest:g}: every centre must be within.")
    return centres.astype(X.dtype)
