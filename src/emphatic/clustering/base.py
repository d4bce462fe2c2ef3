"""What all clusterers share: parameters, `fit`, memberships and labels of new rows.

A variant is a small file. It says how far rows are from prototypes (`_measure`), how they share themselves out
(`_share`) and where the prototypes move (`_move`); the loop is `emphatic.clustering.alternation`. Inside, tables have
one row per *feature*, (d, n), and costs and shares one per cluster, (c, n), so that all loops run over samples.
"""

from abc import ABC
from collections.abc import Iterable
from functools import partial
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from emphatic import check, fields
from emphatic.check import FloatArray, IntArray
from emphatic.clustering.alternation import Descent, descend_from_all
from emphatic.clustering.partitions import PartitionedRows
from emphatic.clustering.starts import check_centres, draw_starts
from emphatic.clustering.units import SMALLEST_MASS, Array, check_fuzziness, check_largest_weight, check_magnitude
from emphatic.deferred import is_deferred
from emphatic.fields import IfSet, Names, Number, Size, saved
from emphatic.fitting import all_or_nothing
from emphatic.inputs import LARGEST_INPUT, refuse_unusable_tables
from emphatic.kernels import fuzzy_c_means as kernel
from emphatic.partitions import keep_features, lazily, open_rows
from emphatic.randomness import as_generator
from emphatic.threads import one_thread
from emphatic.user_warning import warn_user


class Shares(NamedTuple):
    """How samples share themselves out among clusters (or sets of clusters, or noise), one row for each."""

    membership: Array
    powers: Array
    """(c, n): how much each sample counts for each prototype, such as the memberships to the power m."""
    losses: Array
    """(n,): what each sample adds to J."""


@saved(
    n_features_in_=Size(low=1, name="features"),
    feature_names_in_=IfSet(Names("features")),
    cluster_centers_=fields.Array(np.float64, "clusters", "features", low=-LARGEST_INPUT, high=LARGEST_INPUT),
    # of a fit in memory
    membership_=IfSet(fields.Array(np.float64, "samples", "clusters")),
    labels_=IfSet(fields.Array(np.int64, "samples", low=0, below="clusters")),
    objective_=Number(),
    objectives_=fields.Array(np.float64, "iterations"),
    n_iter_=Size(low=1, name="iterations"),
)
class FuzzyClusterer(ClusterMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """A clusterer that alternates between memberships and prototypes; unless said otherwise, these are centres."""

    n_clusters: int
    m: float
    init: Any
    n_init: int
    max_iter: int
    tol: float
    random_state: Any

    _dtypes: ClassVar[Any] = np.float64
    _falls: ClassVar[bool] = True
    """Whether J falls in every iteration, but for rounding."""
    _of_rows: ClassVar[tuple[str, ...]] = ("membership_", "labels_")
    """Fitted attributes about the training rows, which a fit to partitions does not gather."""
    _needs_all_rows: ClassVar[str] = ""
    """Why it cannot be fitted to a table in partitions; empty where sums over them are enough."""

    def check_parameters(self) -> None:
        """Raise ValueError for a parameter that is not allowed."""
        check.integer("n_clusters", self.n_clusters, at_least=1)
        if hasattr(self, "m"):
            check_fuzziness(self.m)
        check.integer("n_init", self.n_init, at_least=1)
        check.integer("max_iter", self.max_iter, at_least=1)
        check.real("tol", self.tol, 0)

    @all_or_nothing
    def fit(self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Cluster the rows of `X`; `y` is ignored, and a row of weight k counts as k rows.

        A Dask collection is clustered where it lies. What is known about its rows is for `predict` and
        `predict_membership` to tell: `labels_` and `membership_` are not set.
        """
        self.check_parameters()
        if is_deferred(X):
            return self._fit_partitions(X, sample_weight)
        X = self._check_table(X, reset=True)
        n = len(X)
        self._check_size(n)
        weights = n * check.distribution("sample_weight", sample_weight, n)
        self._take(self._search(X, weights), _mean_weight(sample_weight), X)
        self._describe_rows(X)
        return self

    def _fit_partitions(self, X: Any, sample_weight: Any) -> Self:
        if self._needs_all_rows:
            raise TypeError(
                f"{type(self).__name__} cannot be fitted to a Dask collection: {self._needs_all_rows}. Use X.compute() "
                "where the table fits in memory, or FuzzyCMeans."
            )
        rows, weights = open_rows(X, sample_weight)
        table = PartitionedRows(rows, weights)
        self._check_size(len(table))
        keep_features(self, X)
        for name in self._of_rows:
            self.__dict__.pop(name, None)
        self._take(self._search_partitions(table), table.mean_weight, None)
        return self

    def _check_size(self, n: int) -> None:
        if n < self.n_clusters:
            raise ValueError(f"X has n_samples={n} rows: n_clusters={self.n_clusters} needs at least as many.")

    def _take(self, best: Descent[Any], mean_weight: float, X: Any) -> None:
        """Set what the search has found; `X` are the rows, if they are in memory."""
        if not best.converged:
            warn_user(
                f"J still fell by more than tol={self.tol:g} of itself in iteration max_iter={self.max_iter}: increase "
                "max_iter or tol.",
                ConvergenceWarning,
            )
        self.objectives_ = best.objectives * mean_weight
        self.objective_ = float(self.objectives_[-1])
        self.n_iter_ = len(self.objectives_)
        self._keep(X, best.prototypes)

    def _describe_rows(self, X: Array) -> None:
        """Set what is kept of the training rows."""
        shares = self._compute_shares(X)
        self.membership_ = self._report(shares)
        self.labels_ = self._label(shares, self.membership_)

    def fit_predict(self, X: Any, y: Any = None, **options: Any) -> IntArray:
        """Labels of the rows of `X` that it is fitted to; those of a Dask collection are lazy."""
        if is_deferred(X):
            return self.fit(X, **options).predict(X)
        return np.asarray(super().fit_predict(X, y, **options))

    @lazily("memberships")
    def predict_membership(self, X: Any) -> Array:
        """(n, c): the membership of each row in each cluster."""
        check_is_fitted(self)
        return self._report(self._compute_shares(self._check_table(X, reset=False)))

    @lazily("clusters")
    def predict(self, X: Any) -> IntArray:
        """The cluster with the largest membership of each row (ties: the first)."""
        check_is_fitted(self)
        shares = self._compute_shares(self._check_table(X, reset=False))
        return self._label(shares, self._report(shares))

    def describe_memberships(self, X: Any) -> tuple[int, Any]:
        """How many columns the memberships of the rows of a Dask collection have, and of which type they are."""
        return self._count_clusters(), np.float64

    # the parts of which variants have their own

    def _measure(self, table: Array, prototypes: Any) -> Array:
        """(c, n): what it costs each sample to belong to each cluster; here, its squared distance from the centre."""
        return kernel.squared_distances(table, prototypes)

    def _share(self, costs: Array) -> Shares:
        """The memberships of least J for these costs; here, those that sum to 1 and enter J with the power m."""
        return Shares(*kernel.share(costs, float(self.m)))

    def _move(self, table: Array, powers: Array, prototypes: Any) -> Any:
        """The prototypes of least J for these memberships."""
        return self._place(powers.sum(axis=1), kernel.weighted_sums(table, powers), prototypes)

    def _place(self, mass: FloatArray, moments: FloatArray, prototypes: Any) -> Any:
        """The same from sums over the rows: of powers, and of powers times rows; here, means.

        A cluster without members stays.
        """
        some = mass[:, None] > SMALLEST_MASS[np.dtype(np.float64)]
        return np.divide(moments, mass[:, None], out=prototypes.copy(), where=some)

    def _start(self, X: Array, weights: FloatArray) -> Iterable[Any]:
        """Prototypes to start from."""
        return self._draw_centres(X, weights)

    def _keep(self, X: Array, prototypes: Any) -> None:
        """Set the fitted attributes that the prototypes are."""
        self.cluster_centers_ = prototypes

    def _recall(self) -> Any:
        """The prototypes again."""
        return self.cluster_centers_

    def _arrange(self, X: Array) -> Array:
        """The table as the steps take it."""
        return np.ascontiguousarray(X.T)

    def _report(self, shares: Array) -> Array:
        """(n, c): memberships as users see them."""
        return np.ascontiguousarray(shares.T)

    def _label(self, shares: Array, membership: Array) -> IntArray:
        return membership.argmax(axis=1)

    # what they have in common

    def _search(self, X: Array, weights: FloatArray) -> Descent[Any]:
        """The lowest end of all starts."""
        with one_thread():
            starts, table = list(self._start(X, weights)), self._arrange(X)
            step = partial(self._step, table, weights)
            return descend_from_all(step, starts, self.tol, self.max_iter, falls=self._falls)

    def _step(self, table: Array, weights: FloatArray, prototypes: Any) -> tuple[float, Any]:
        shares = self._share(self._measure(table, prototypes))
        return float(weights @ shares.losses), self._move(table, shares.powers * weights, prototypes)

    def _search_partitions(self, table: PartitionedRows) -> Descent[Any]:
        """`_search` in rows in partitions; it starts from a sample of them, which is all of few."""
        with one_thread():
            starts = list(self._start(*table.draw_sample(as_generator(self.random_state))))
        step = partial(self._step_partitions, table)
        return descend_from_all(step, starts, self.tol, self.max_iter, falls=self._falls)

    def _step_partitions(self, table: PartitionedRows, prototypes: Any) -> tuple[float, Any]:
        loss, mass, moments = table.add_up(self._add_up, prototypes)
        return loss, self._place(mass, moments, prototypes)

    def _add_up(self, X: Array, weights: FloatArray, prototypes: Any) -> tuple[float, FloatArray, FloatArray]:
        """J of the rows of one partition, and the sums that move the prototypes."""
        with one_thread():
            table, shares = self._ask(X, prototypes)
            powers = shares.powers * weights
            return float(weights @ shares.losses), powers.sum(axis=1), powers @ table.T

    def _compute_shares(self, X: Array) -> Array:
        """Shares of the rows of `X`, one row for each cluster."""
        with one_thread():
            return self._ask(X, self._recall())[1].membership

    def _ask(self, X: Array, prototypes: Any) -> tuple[Array, Shares]:
        """The table of the rows, and how they share themselves out."""
        table = self._arrange(X)
        return table, self._share(self._measure(table, prototypes))

    def _draw_centres(self, X: Array, weights: FloatArray) -> Iterable[Array]:
        if not isinstance(self.init, str):
            return [check_centres(self.init, self.n_clusters, X)]
        check.one_of("init", self.init, ("k-means++", "random"))
        return draw_starts(self.init, X, weights, self.n_clusters, self.n_init, as_generator(self.random_state))

    def _count_clusters(self) -> int:
        return len(self.cluster_centers_)

    def _check_table(self, X: Any, *, reset: bool) -> Array:
        refuse_unusable_tables(self, X)
        return check_magnitude(validate_data(self, X, reset=reset, dtype=self._dtypes))


def _mean_weight(sample_weight: ArrayLike | None) -> float:
    """Mean weight: 1 unless weights are given."""
    if sample_weight is None:
        return 1.0
    weights = np.asarray(sample_weight, dtype=np.float64)
    check_largest_weight(float(weights.max()))
    return float(weights.mean())
