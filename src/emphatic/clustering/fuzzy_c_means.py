"""Fuzzy c-means: a scikit-learn clusterer, and the alternation that finds memberships and centres.

Tables are (n, d), centres (c, d), memberships (n, c), all of one type, float32 or float64.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import kmeans_plusplus
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from emphatic import check, fields
from emphatic.base import LARGEST_INPUT
from emphatic.check import FloatArray, IntArray
from emphatic.fields import IfSet, Names, Number, Size, saved
from emphatic.fitting import all_or_nothing
from emphatic.inputs import refuse_unusable_tables
from emphatic.kernels import fuzzy_c_means as kernel
from emphatic.randomness import as_generator
from emphatic.user_warning import warn_user

Array = NDArray[Any]
"""float32 or float64."""

TOL, MAX_ITER = 1e-6, 300
"""The alternation ends when J falls by less than this share of itself, or after so many iterations."""

LARGEST_FUZZINESS = 10.0
"""There all memberships are nearly equal, and the tenth power of a small one is still above 0 in float32."""

SMALLEST_MASS = {np.dtype(np.float32): 1e-30, np.dtype(np.float64): 1e-290}
"""A sum of weighted powers of memberships below this has lost digits to underflow."""


@saved(
    n_features_in_=Size(low=1, name="features"),
    feature_names_in_=IfSet(Names("features")),
    cluster_centers_=fields.Array(np.floating, "clusters", "features", low=-LARGEST_INPUT, high=LARGEST_INPUT),
    membership_=fields.Array(np.floating, "samples", "clusters"),
    labels_=fields.Array(np.int64, "samples", low=0, below="clusters"),
    objective_=Number(),
    objectives_=fields.Array(np.float64, "iterations"),
    n_iter_=Size(low=1, name="iterations"),
)
class FuzzyCMeans(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    r"""Clusters that share their points: fuzzy c-means (paper 004, the objective :math:`J_o` of its slides).

    Every point :math:`x_i` belongs to every cluster j with a membership :math:`\mu_{ij} \ge 0`, and
    :math:`\sum_j \mu_{ij} = 1`. Memberships and centres :math:`v_j` minimise

    .. math:: J = \sum_i w_i \sum_j \mu_{ij}^m \lVert x_i - v_j \rVert^2 .

    1. Choose starting centres.
    2. Compute the best memberships for these centres:
       :math:`\mu_{ij} = 1 \big/ \sum_k (\lVert x_i - v_j \rVert^2 / \lVert x_i - v_k \rVert^2)^{1/(m-1)}`. A point on a
       centre belongs to it alone; centres that coincide there share it equally.
    3. Compute the best centres for them: :math:`v_j = \sum_i w_i \mu_{ij}^m x_i / \sum_i w_i \mu_{ij}^m`. A cluster
       without members (with m near 1 all its powers may underflow) keeps its centre.
    4. Repeat from 2 until J falls by less than `tol` of itself. J never rises.

    Parameters
    ----------
    n_clusters : int, default=3
        c; at most the number of samples.
    m : float, default=2.0
        Fuzziness, above 1 and at most 10: near 1 the clusters are those of k-means; larger values make the memberships
        more equal.
    init : {"k-means++", "random"} or array of shape (n_clusters, n_features), default="k-means++"
        Starting centres: distinct rows drawn by weight, far from each other ("k-means++") or at once ("random"), or an
        array. It is an error if X has fewer distinct rows than clusters. Equal centres in an array stay equal.
    n_init : int, default=1
        Number of random starts; the one with the lowest J is kept.
    max_iter : int, default=300
        Maximum number of iterations; a `ConvergenceWarning` is issued when it is reached.
    tol : float, default=1e-6
        See step 4. With 0 the iterations continue until J no longer falls in floating point.
    random_state : int, generator or None, default=None
        For the random starts.

    Attributes
    ----------
    cluster_centers_ : array of shape (n_clusters, n_features)
    membership_ : array of shape (n_samples, n_clusters)
        Memberships of the training rows, as `predict_membership` returns them.
    labels_ : array of shape (n_samples,)
        The cluster with the largest membership (ties: the first).
    objective_ : float
        J of `membership_` and `cluster_centers_`.
    objectives_ : array of shape (n_iter_,)
        J after every iteration.
    n_iter_ : int
    n_features_in_ : int

    Notes
    -----
    A table in float32 is clustered in float32 (sums over more than 128 rows in float64), with results in float32. An
    iteration costs n c d. Starting rows are drawn from the sorted table, which costs n log n, so that a row of weight k
    counts as k equal rows there too. Only one thread is used.

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

    def check_parameters(self) -> None:
        """Raise ValueError for a parameter that is not allowed."""
        check.integer("n_clusters", self.n_clusters, at_least=1)
        check_fuzziness(self.m)
        check.integer("n_init", self.n_init, at_least=1)
        check.integer("max_iter", self.max_iter, at_least=1)
        check.real("tol", self.tol, 0)

    @all_or_nothing
    def fit(self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Cluster the rows of `X`; `y` is ignored, and a row of weight k counts as k rows."""
        self.check_parameters()
        X = self._check_table(X, reset=True)
        n = len(X)
        if n < self.n_clusters:
            raise ValueError(f"X has n_samples={n} rows: n_clusters={self.n_clusters} needs at least as many.")
        weights = n * check.distribution("sample_weight", sample_weight, n)
        best = minimise(X, weights, self._starts(X, weights), float(self.m), self.tol, self.max_iter)
        if not best.converged:
            warn_user(
                f"J still fell by more than tol={self.tol:g} of itself in iteration max_iter={self.max_iter}: increase "
                "max_iter or tol.",
                ConvergenceWarning,
            )
        self.cluster_centers_ = best.centres
        self.objectives_ = best.objectives * _mean_weight(sample_weight)
        self.objective_ = float(self.objectives_[-1])
        self.n_iter_ = len(self.objectives_)
        self.membership_ = best.membership
        self.labels_ = self.membership_.argmax(axis=1)
        return self

    def predict_membership(self, X: Any) -> Array:
        """(n, c): the membership of each row in each cluster."""
        check_is_fitted(self)
        return compute_memberships(self._check_table(X, reset=False), self.cluster_centers_, float(self.m))

    def predict(self, X: Any) -> IntArray:
        """The cluster with the largest membership of each row (ties: the first)."""
        return self.predict_membership(X).argmax(axis=1)

    def _starts(self, X: Array, weights: FloatArray) -> Iterable[Array]:
        if not isinstance(self.init, str):
            return [check_centres(self.init, self.n_clusters, X)]
        check.one_of("init", self.init, ("k-means++", "random"))
        return draw_starts(self.init, X, weights, self.n_clusters, self.n_init, as_generator(self.random_state))

    def _check_table(self, X: Any, *, reset: bool) -> Array:
        refuse_unusable_tables(self, X)
        return check_magnitude(validate_data(self, X, reset=reset, dtype=[np.float64, np.float32]))


class Minimum(NamedTuple):
    """The end of the alternation."""

    centres: Array
    objectives: FloatArray
    """J after every iteration."""
    converged: bool
    membership: Array


def check_fuzziness(m: Any) -> float:
    """Return the exponent of the memberships, which must be above 1."""
    return check.real("m", m, 1, LARGEST_FUZZINESS, open_low=True)


def check_magnitude(table: Array) -> Array:
    """Return the table X, whose squares must be finite."""
    if _largest(table) > LARGEST_INPUT:
        raise ValueError(
            f"X holds values beyond +-{LARGEST_INPUT:g}, whose squares can overflow: scale the columns first."
        )
    return table


def _largest(table: Array) -> float:
    return max(float(table.max()), -float(table.min()))


def find_unit(*tables: Array) -> float:
    """The largest power of two up to the largest magnitude in `tables`; 1 if all values are 0.

    Dividing by it is exact and brings the tables within +-2: squares neither overflow nor vanish, whatever the units.
    """
    largest = max(_largest(table) for table in tables)
    return float(np.ldexp(1.0, np.frexp(largest)[1] - 1)) if largest > 0 else 1.0


def minimise(
    X: Array, weights: FloatArray, starts: Iterable[Array], m: float, tol: float = TOL, max_iter: int = MAX_ITER
) -> Minimum:
    """The lowest of the minima that the `starts` (c, d) lead to."""
    starts = list(starts)
    unit = find_unit(X, *starts)
    features, shares = np.divide(X.T, unit, order="C"), weights.astype(X.dtype)
    found = [_descend(features, shares, start / unit, m, tol, max_iter) for start in starts]
    number = first_lowest([objectives[-1] for _, objectives, _ in found], X.dtype)
    centres, objectives, converged = found[number]
    membership = np.ascontiguousarray(kernel.memberships(features, centres, m).T)
    return Minimum(centres * unit, np.array(objectives) * unit**2, converged, membership)


def first_lowest(values: Sequence[float], dtype: DTypeLike = np.float64) -> int:
    """The place of the lowest value; the first one of those that differ from it by rounding only.

    Starts that lead to one minimum reach it with their clusters in different orders: which of them is the lowest in the
    last bit depends on the CPU.

    >>> first_lowest([2.0, 1.0 + 1e-15, 1.0])
    1
    """
    lowest = min(values)
    tolerance = 1000 * float(np.finfo(dtype).eps) * abs(lowest)
    return next(place for place, value in enumerate(values) if value <= lowest + tolerance)


def _descend(
    features: Array, weights: Array, centres: Array, m: float, tol: float, max_iter: int
) -> tuple[Array, list[float], bool]:
    """Alternate between memberships and centres until J falls by less than `tol` of itself.

    In exact arithmetic J never rises. An iteration in which it rises does so by rounding, at the minimum: the centres
    stay as they are, and it is the last.
    """
    smallest = SMALLEST_MASS[features.dtype]
    objective, following = kernel.step(features, weights, centres, m, smallest)
    objectives: list[float] = []
    while len(objectives) < max_iter:
        before = objective
        objective, after = kernel.step(features, weights, following, m, smallest)
        if objective <= before:
            centres, following = following, after
        else:
            objective = before
        objectives.append(objective)
        if before - objective <= tol * before:
            return centres, objectives, True
    return centres, objectives, False


def compute_memberships(X: Array, centres: Array, m: float) -> Array:
    """(n, c): memberships of the rows of `X` in the clusters at `centres`."""
    unit, dtype = find_unit(X, centres), np.result_type(X, centres)
    features = np.divide(X.T, unit, order="C", dtype=dtype)
    return np.ascontiguousarray(kernel.memberships(features, centres.astype(dtype) / unit, m).T)


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


def _mean_weight(sample_weight: ArrayLike | None) -> float:
    """Mean weight: 1 unless weights are given."""
    if sample_weight is None:
        return 1.0
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.max() > LARGEST_INPUT:
        raise ValueError(f"sample_weight holds values beyond {LARGEST_INPUT:g}, with which J can overflow: scale them.")
    return float(weights.mean())
