"""Fuzzy c-means as a scikit-learn clusterer."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from emphatic import check
from emphatic.base import LARGEST_INPUT
from emphatic.check import FloatArray, IntArray
from emphatic.clustering.descent import MAX_ITER, TOL, Array, fuzziness, memberships, minimise, squarable
from emphatic.clustering.starts import drawn, given
from emphatic.inputs import refuse_sparse
from emphatic.randomness import as_generator


class FuzzyCMeans(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    r"""Clusters that share their points: fuzzy c-means (paper 004, the objective :math:`J_o` of its slides).

    Every point :math:`x_i` belongs to every cluster j with a membership :math:`\mu_{ij} \ge 0`, and
    :math:`\sum_j \mu_{ij} = 1`. Memberships and centres :math:`v_j` are to minimise

    .. math:: J = \sum_i w_i \sum_j \mu_{ij}^m \lVert x_i - v_j \rVert^2 .

    1. Start from centres.
    2. The best memberships for given centres:
       :math:`\mu_{ij} = 1 \big/ \sum_k (\lVert x_i - v_j \rVert^2 / \lVert x_i - v_k \rVert^2)^{1/(m-1)}`. A point on a
       centre belongs to it alone; centres that coincide there share it equally.
    3. The best centres for given memberships: :math:`v_j = \sum_i w_i \mu_{ij}^m x_i / \sum_i w_i \mu_{ij}^m`. A
       cluster without members (its powers all underflow, with m near 1) keeps its centre.
    4. Back to 2, until J falls by less than `tol` of itself. It never rises.

    Parameters
    ----------
    n_clusters : int, default=3
        c; at most the number of samples.
    m : float, default=2.0
        Fuzziness, above 1 and at most 10: near 1 the clusters are those of k-means, and the larger it is the more equal
        are the memberships.
    init : {"k-means++", "random"} or array of shape (n_clusters, n_features), default="k-means++"
        Starting centres: rows drawn by weight, far from each other or at once, or these. Rows that are drawn differ,
        and it is an error if X has fewer different ones than clusters. An array of centres may hold equal ones: they
        stay equal.
    n_init : int, default=1
        Starts that are drawn; the lowest J counts.
    max_iter : int, default=300
        Largest number of iterations; a `ConvergenceWarning` says that it was reached.
    tol : float, default=1e-6
        See step 4. With 0 the iterations go on until rounding hides that J falls.
    random_state : int, generator or None, default=None
        Of the starts.

    Attributes
    ----------
    cluster_centers_ : array of shape (n_clusters, n_features)
    membership_ : array of shape (n_samples, n_clusters)
        Of the training rows; `predict_membership` gives the same for them.
    labels_ : array of shape (n_samples,)
        The cluster with the largest membership, the first of equal ones.
    objective_ : float
        J of `membership_` and `cluster_centers_`.
    objectives_ : array of shape (n_iter_,)
        J after every iteration.
    n_iter_ : int
    n_features_in_ : int

    Notes
    -----
    A table in float32 is clustered in float32 (sums over more than 128 rows in float64), and so are the results. An
    iteration costs n c d. The starting rows are drawn from the sorted table, which costs n log n, so that a row of
    weight k counts as k equal rows even there. One thread.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from emphatic.clustering import FuzzyCMeans
    >>> X, y = load_iris(return_X_y=True)
    >>> model = FuzzyCMeans(3, random_state=0).fit(X)
    >>> model.membership_[50].round(2).tolist()  # between two species
    [0.04, 0.5, 0.45]
    >>> model.objective_, model.n_iter_
    (60.5, 15)
    """

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        m: float = 2.0,
        init: Any = "k-means++",
        n_init: int = 1,
        max_iter: int = MAX_ITER,
        tol: float = TOL,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.m = m
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Cluster the rows of `X`; `y` is ignored, `sample_weight` counts a row as that many."""
        self._check_parameters()
        X = self._check_table(X, reset=True)
        n = len(X)
        if n < self.n_clusters:
            raise ValueError(f"X has n_samples={n} rows: n_clusters={self.n_clusters} needs at least as many.")
        weights = n * check.distribution("sample_weight", sample_weight, n)
        best = minimise(X, weights, self._starts(X, weights), float(self.m), self.tol, self.max_iter)
        if not best.converged:
            warnings.warn(
                f"J still fell by more than tol={self.tol:g} of itself in iteration max_iter={self.max_iter}: allow "
                "more iterations, or a larger tol.",
                ConvergenceWarning,
                stacklevel=2,
            )
        self.cluster_centers_ = best.centres
        self.objectives_ = best.objectives * _mean(sample_weight)
        self.objective_ = float(self.objectives_[-1])
        self.n_iter_ = len(self.objectives_)
        self.membership_ = best.membership
        self.labels_ = self.membership_.argmax(axis=1)
        return self

    def predict_membership(self, X: Any) -> Array:
        """(n, c): the share of each row that each cluster has."""
        check_is_fitted(self)
        return memberships(self._check_table(X, reset=False), self.cluster_centers_, float(self.m))

    def predict(self, X: Any) -> IntArray:
        """The cluster with the largest membership of each row, the first of equal ones."""
        return self.predict_membership(X).argmax(axis=1)

    def _starts(self, X: Array, weights: FloatArray) -> Iterable[Array]:
        if not isinstance(self.init, str):
            return [given(self.init, self.n_clusters, X)]
        check.one_of("init", self.init, ("k-means++", "random"))
        return drawn(self.init, X, weights, self.n_clusters, self.n_init, as_generator(self.random_state))

    def _check_parameters(self) -> None:
        check.integer("n_clusters", self.n_clusters, at_least=1)
        fuzziness(self.m)
        check.integer("n_init", self.n_init, at_least=1)
        check.integer("max_iter", self.max_iter, at_least=1)
        check.real("tol", self.tol, 0)

    def _check_table(self, X: Any, *, reset: bool) -> Array:
        refuse_sparse(self, X)
        return squarable("X", validate_data(self, X, reset=reset, dtype=[np.float64, np.float32]))


def _mean(sample_weight: ArrayLike | None) -> float:
    """Mean weight: 1 unless weights are given."""
    if sample_weight is None:
        return 1.0
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.max() > LARGEST_INPUT:
        raise ValueError(f"sample_weight holds values beyond {LARGEST_INPUT:g}, with which J can overflow: scale them.")
    return float(weights.mean())
