"""Fuzzy k-medoids: clusters around rows of the table, from vectors or from distances alone (Krishnapuram 2001)."""

from collections.abc import Iterable
from typing import Any, ClassVar

import numpy as np
from scipy.optimize import linear_sum_assignment

from emphatic import check, fields
from emphatic.check import FloatArray, IntArray
from emphatic.clustering.alternation import MAX_ITER, TOL
from emphatic.clustering.base import FuzzyClusterer
from emphatic.clustering.distances import check_distances, check_metric, measure_distances, refuse_negative
from emphatic.clustering.medoid_starts import ROUNDING, build, check_rows, find_candidates
from emphatic.clustering.units import Array
from emphatic.fields import IfSet, saved
from emphatic.inputs import LARGEST_INPUT
from emphatic.kernels.fuzzy_c_means import weighted_sums
from emphatic.randomness import as_generator


@saved(
    cluster_centers_=IfSet(
        fields.Array(np.float64, "clusters", "features", low=-LARGEST_INPUT, high=LARGEST_INPUT)  # of vectors
    ),
    medoid_indices_=fields.Array(np.int64, "clusters", low=0, below="samples"),
)
class FuzzyKMedoids(FuzzyClusterer):
    r"""Fuzzy clusters around medoids, which are rows of the table: only distances are needed.

    With the distance :math:`r(i, k)` between two rows and the medoid :math:`k_j` of each cluster it minimises

    .. math:: J = \sum_i w_i \sum_j \mu_{ij}^m \, r(i, k_j) , \qquad \sum_j \mu_{ij} = 1 .

    Memberships are as in `FuzzyCMeans`, with r in place of the squared distance. The medoids are the *different* rows
    of least J for these memberships. A medoid belongs to its own cluster alone.

    Parameters
    ----------
    n_clusters : int, default=3
    m : float, default=2.0
        Fuzziness, above 1 and at most 10.
    metric : {"euclidean", "sqeuclidean", "cityblock", "chebyshev", "precomputed"}, default="euclidean"
        "precomputed": X holds the distances, which must be symmetric, not negative, and 0 on the diagonal. They need
        not satisfy the triangle inequality.
    init : {"build", "random"} or array of n_clusters row numbers, default="build"
        The medoids to start from. "build": the row with the least sum of distances, then one after another the row that
        makes the sum of the distances from the nearest medoid smallest. "random": distinct rows drawn by weight.
    n_init : int, default=1
        Number of random starts; the one with the lowest J is kept.
    max_iter, tol, random_state
        As in `FuzzyCMeans`.

    Attributes
    ----------
    medoid_indices_ : array of shape (n_clusters,)
        Numbers of the rows that are medoids.
    cluster_centers_ : array of shape (n_clusters, n_features)
        These rows; not with metric="precomputed".
    membership_, labels_, objective_, objectives_, n_iter_, n_features_in_
        As in `FuzzyCMeans`.

    Notes
    -----
    With metric="precomputed", new rows are described by their distances from all training rows, (n, n_samples). All
    pairs of distances are held in memory, n^2 numbers, and an iteration costs n^2 c. Of equal rows only the first may
    be a medoid. It computes in float64.

    References
    ----------
    R. Krishnapuram, A. Joshi, O. Nasraoui and L. Yi, "Low-complexity fuzzy relational clustering algorithms for web
    mining", IEEE Transactions on Fuzzy Systems 9 (2001); L. Kaufman and P. J. Rousseeuw, "Finding groups in data"
    (1990), for "build".

    Examples
    --------
    >>> from emphatic.clustering import FuzzyKMedoids
    >>> distances = [[0, 1, 8, 9], [1, 0, 7, 8], [8, 7, 0, 1], [9, 8, 1, 0]]
    >>> model = FuzzyKMedoids(2, metric="precomputed").fit(distances)
    >>> model.medoid_indices_, model.labels_
    (array([1, 2]), array([0, 0, 1, 1]))
    >>> model.predict_membership([[2, 1, 8, 9]]).round(2)
    array([[0.89, 0.11]])
    """

    _needs_all_rows: ClassVar[str] = "it compares all pairs of rows"

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        m: float = 2.0,
        metric: str = "euclidean",
        init: Any = "build",
        n_init: int = 1,
        max_iter: int = MAX_ITER,
        tol: float = TOL,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.m = m
        self.metric = metric
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def check_parameters(self) -> None:
        """Raise ValueError for a parameter that is not allowed."""
        super().check_parameters()
        check_metric(self.metric)

    def __sklearn_tags__(self) -> Any:
        """Tags of scikit-learn: with metric="precomputed", columns are rows too."""
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = tags.input_tags.positive_only = self.metric == "precomputed"
        return tags

    def _search(self, X: Array, weights: FloatArray) -> Any:
        found = check_distances(X) if self.metric == "precomputed" else measure_distances(X, X, self.metric)
        self._distances = np.ascontiguousarray(found)
        self._candidates, self._mass = find_candidates(self._distances, weights)
        return super()._search(X, weights)

    def _start(self, X: Array, weights: FloatArray) -> Iterable[IntArray]:
        if not isinstance(self.init, str):
            return [check_rows(self.init, self.n_clusters, len(X))]
        check.one_of("init", self.init, ("build", "random"))
        candidates = self._candidates
        if len(candidates) < self.n_clusters:
            raise ValueError(
                f"X has {len(candidates)} distinct rows of positive weight, but {self.n_clusters} clusters need at "
                "least as many to start from."
            )
        if self.init == "build":
            return [candidates[build(self._distances[candidates], weights, self.n_clusters)]]
        rng = as_generator(self.random_state)
        return [rng.choice(candidates, self.n_clusters, replace=False, p=self._mass) for _ in range(self.n_init)]

    def _arrange(self, X: Array) -> Array:
        if hasattr(self, "_distances"):  # while it is fitted
            return self._distances
        if self.metric == "precomputed":
            refuse_negative(X)
            return np.ascontiguousarray(X[:, self.medoid_indices_].T)
        return measure_distances(self.cluster_centers_, X, self.metric)

    def _measure(self, table: Array, prototypes: IntArray) -> Array:
        return table[prototypes]

    def _move(self, table: Array, powers: Array, prototypes: IntArray) -> IntArray:
        sums = weighted_sums(table, powers)[:, self._candidates]  # distances are the same in both directions
        lowest = sums.min(axis=1, keepdims=True)
        chosen = (sums <= lowest * (1 + ROUNDING)).argmax(axis=1)
        if len(np.unique(chosen)) < len(chosen):
            chosen = linear_sum_assignment(sums)[1]
        return self._candidates[chosen]

    def _keep(self, X: Array, prototypes: IntArray) -> None:
        self.medoid_indices_ = prototypes
        if self.metric != "precomputed":
            self.cluster_centers_ = X[prototypes]
        elif hasattr(self, "cluster_centers_"):
            del self.cluster_centers_  # of an earlier fit
        del self._distances, self._candidates, self._mass

    def _count_clusters(self) -> int:
        return len(self.medoid_indices_)

    def _recall(self) -> IntArray:
        return np.arange(len(self.medoid_indices_))
