"""How many clusters: all validity indices for each number, and the number that one of them prefers."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.metrics import silhouette_score

from emphatic import check
from emphatic.check import FloatArray, IntArray
from emphatic.clustering import validity
from emphatic.clustering.base import FuzzyClusterer
from emphatic.clustering.fuzzy_c_means import FuzzyCMeans
from emphatic.inputs import refuse_lazy
from emphatic.margins import normalise_rows
from emphatic.randomness import as_generator, seed_clone

BETTER = {
    "partition_coefficient": 1,
    "modified_partition_coefficient": 1,
    "partition_entropy": -1,
    "xie_beni_index": -1,
    "silhouette_score": 1,
    "fuzzy_silhouette_score": 1,
}
"""The indices, and whether more (1) or less (-1) of them is better."""


@dataclass(frozen=True, eq=False)
class ClusterSelection:
    """What `select_n_clusters` found.

    Attributes
    ----------
    counts : int array
        The numbers of clusters that were tried.
    indices : dict of arrays
        Each index for each of them; NaN where it is not defined.
    index : str
        The one that decided.
    n_clusters : int
        The choice.
    estimator : the fitted clusterer with so many clusters

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from emphatic.clustering import select_n_clusters
    >>> X, _ = make_blobs(150, centers=3, cluster_std=0.5, random_state=1)
    >>> found = select_n_clusters(X, range(2, 5), random_state=0)
    >>> found.n_clusters, found.choices["xie_beni_index"]
    (3, 3)
    """

    counts: IntArray
    indices: dict[str, FloatArray]
    index: str
    n_clusters: int
    estimator: Any

    @property
    def choices(self) -> dict[str, int | None]:
        """The number of clusters that each index prefers (ties: the smallest; None if it is defined for none)."""
        return {name: _choose(self.counts, values, BETTER[name]) for name, values in self.indices.items()}

    @property
    def table(self) -> Any:
        """pandas DataFrame with a row for each number of clusters, and the columns n_clusters, the indices, chosen."""
        import pandas as pd

        return pd.DataFrame({"n_clusters": self.counts, **self.indices, "chosen": self.counts == self.n_clusters})


def select_n_clusters(
    X: Any,
    n_clusters: Iterable[int] = range(2, 9),
    *,
    estimator: FuzzyClusterer | None = None,
    index: str = "fuzzy_silhouette_score",
    random_state: Any = None,
) -> ClusterSelection:
    """Fit a clusterer with several numbers of clusters, and choose the number by a validity index.

    Parameters
    ----------
    X : array of shape (n, d)
        Or distances (n, n), if the estimator takes them.
    n_clusters : iterable of int, default=range(2, 9)
        Numbers from 2 to n - 1.
    estimator : clusterer of `emphatic.clustering`, default=None
        None: `FuzzyCMeans` with the best of 3 starts.
    index : str, default="fuzzy_silhouette_score"
        One of the functions of `emphatic.clustering`, or "silhouette_score" of scikit-learn.
    random_state : int, generator or None, default=None
        For estimators without one of their own.

    Returns
    -------
    ClusterSelection
        With `table`, the choice `n_clusters` and the fitted `estimator`.

    Notes
    -----
    Memberships that do not sum to 1 (of rows that belong to the noise, or typicalities) are divided by their sum.
    The coefficient and the entropy favour few clusters, so the modified coefficient and the silhouettes are the ones
    to choose by. Xie-Beni is not defined for distances without vectors. Silhouettes cost n^2.
    Where two clusters coincide, as with many columns and a large m, the rows between them do not count for the fuzzy
    silhouette: Xie-Beni, which is then large, tells.

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from emphatic.clustering import select_n_clusters
    >>> X, _ = make_blobs(150, centers=[[0, 0], [9, 0], [0, 9], [9, 9]], random_state=0)
    >>> found = select_n_clusters(X, range(2, 7), random_state=0)
    >>> found.n_clusters, found.choices["xie_beni_index"]
    (4, 4)
    """
    check.one_of("index", index, tuple(BETTER))
    base = FuzzyCMeans(n_init=3) if estimator is None else estimator
    check.instance("estimator", base, FuzzyClusterer, "FuzzyCMeans(m=1.5)")
    refuse_lazy(base, X)
    counts = _check_counts(n_clusters)
    rng = as_generator(random_state)
    models = [seed_clone(clone(base).set_params(n_clusters=count), rng).fit(X) for count in counts]
    rows = [_rate(X, model) for model in models]
    indices = {name: np.array([row[name] for row in rows]) for name in BETTER}
    chosen = _choose(np.array(counts), indices[index], BETTER[index])
    if chosen is None:
        raise ValueError(f"index={index!r} is not defined for any of n_clusters={counts}: choose another index.")
    return ClusterSelection(np.array(counts), indices, index, chosen, models[counts.index(chosen)])


def _rate(X: Any, model: FuzzyClusterer) -> dict[str, float]:
    """All indices of a fitted clusterer; NaN where one is not defined."""
    U = normalise_rows(model.membership_.astype(np.float64))
    labels, metric = U.argmax(axis=1), getattr(model, "metric", "euclidean")
    rated = dict.fromkeys(BETTER, np.nan)
    for name in ("partition_coefficient", "modified_partition_coefficient", "partition_entropy"):
        rated[name] = getattr(validity, name)(U)
    if hasattr(model, "cluster_centers_"):
        rated["xie_beni_index"] = validity.xie_beni_index(X, U, model.cluster_centers_, m=getattr(model, "m", 2.0))
    if 1 < len(np.unique(labels)) < len(labels):
        rated["silhouette_score"] = float(silhouette_score(X, labels, metric=metric))
        if (np.ptp(U, axis=1) > 0).any():
            rated["fuzzy_silhouette_score"] = validity.fuzzy_silhouette_score(X, U, metric=metric)
    return rated


def _choose(counts: IntArray, values: FloatArray, better: int) -> int | None:
    """The number of clusters with the best value; the first of those that differ by rounding only."""
    known = np.flatnonzero(np.isfinite(values))
    if not len(known):
        return None
    scores = better * values[known]
    close = scores >= scores.max() - 1e-9 * max(abs(scores.max()), 1e-300)
    return int(counts[known[close.argmax()]])


def _check_counts(n_clusters: Iterable[int]) -> list[int]:
    if isinstance(n_clusters, str) or not hasattr(n_clusters, "__iter__"):
        raise ValueError(f"n_clusters={n_clusters!r} is not allowed: n_clusters must list integers, as range(2, 9).")
    counts = sorted({check.integer("n_clusters", count, at_least=2) for count in n_clusters})
    if not counts:
        raise ValueError("n_clusters is empty: at least one number of clusters is needed.")
    return counts
