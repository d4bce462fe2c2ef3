"""Fuzzy c-means: a scikit-learn clusterer, and the alternation that finds memberships and centres.

Tables are (n, d), centres (c, d), memberships (n, c), all of one type, float32 or float64.
"""

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import DTypeLike

from emphatic import fields
from emphatic.check import FloatArray
from emphatic.clustering.alternation import MAX_ITER, TOL, Descent, Step, descend_from_all
from emphatic.clustering.base import FuzzyClusterer
from emphatic.clustering.partitions import PartitionedRows
from emphatic.clustering.units import SMALLEST_MASS, Array, find_unit
from emphatic.fields import IfSet, saved
from emphatic.inputs import LARGEST_INPUT
from emphatic.kernels import fuzzy_c_means as kernel
from emphatic.kernels.blocks import arrange_blocks
from emphatic.randomness import as_generator


@saved(  # in the precision of the table
    cluster_centers_=fields.Array(np.floating, "clusters", "features", low=-LARGEST_INPUT, high=LARGEST_INPUT),
    membership_=IfSet(fields.Array(np.floating, "samples", "clusters")),
)
class FuzzyCMeans(FuzzyClusterer):
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
    objectives_ : array of shape (``n_iter_``,)
        J after every iteration.
    n_iter_ : int
    n_features_in_ : int

    Notes
    -----
    A Dask array or data frame is clustered where it lies, in float64: an iteration adds up J, masses and moments over
    its partitions. Starting rows are drawn from a sample of about 20,000 rows, which is the whole table if it has no
    more. `membership_` and `labels_` are not set: `predict_membership` and `predict` are lazy.

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

    _dtypes: ClassVar[Any] = [np.float64, np.float32]

    def _search(self, X: Array, weights: FloatArray) -> Descent[Array]:
        return minimise(X, weights, self._draw_centres(X, weights), float(self.m), self.tol, self.max_iter)

    def _search_partitions(self, table: PartitionedRows) -> Descent[Array]:
        starts = list(self._draw_centres(*table.draw_sample(as_generator(self.random_state))))
        unit = find_unit(np.array([table.find_largest()]), *starts)

        def step(centres: Array) -> tuple[float, Array]:
            loss, mass, moments = table.add_up(_sum_partition, centres, float(self.m), unit)
            return loss, kernel.place(mass, moments, centres, SMALLEST_MASS[centres.dtype])

        return _descend_in_unit(step, starts, unit, self.tol, self.max_iter)

    def describe_memberships(self, X: Any) -> tuple[int, Any]:
        """A table in float32 has memberships in float32, if the centres are."""
        types = [X.dtype] if hasattr(X, "dtype") else list(X.dtypes)
        single = all(one == np.float32 for one in (*types, self.cluster_centers_.dtype))
        return self._count_clusters(), np.float32 if single else np.float64

    def _compute_shares(self, X: Array) -> Array:
        return compute_memberships(X, self.cluster_centers_, float(self.m)).T


def compute_memberships(X: Array, centres: Array, m: float) -> Array:
    """(n, c): memberships of the rows of `X` in the clusters at `centres`."""
    unit, dtype = find_unit(X, centres), np.result_type(X, centres)
    features = np.divide(X.T, unit, order="C", dtype=dtype)
    return np.ascontiguousarray(kernel.memberships(features, centres.astype(dtype) / unit, m).T)


def minimise(
    X: Array, weights: FloatArray, starts: Iterable[Array], m: float, tol: float = TOL, max_iter: int = MAX_ITER
) -> Descent[Array]:
    """The lowest of the minima that the `starts` (c, d) lead to; a step is one kernel, in the unit of the table."""
    starts = list(starts)
    unit = find_unit(X, *starts)
    blocks, shares = _arrange(X, weights, unit)
    scratch, smallest = kernel.make_scratch(len(starts[0]), X.dtype), SMALLEST_MASS[X.dtype]

    def step(centres: Array) -> tuple[float, Array]:
        objective, mass, moments = kernel.add_up(blocks, shares, centres, m, scratch)
        return objective, kernel.place(mass, moments, centres, smallest)

    return _descend_in_unit(step, starts, unit, tol, max_iter, X.dtype)


def _arrange(X: Array, weights: FloatArray, unit: float) -> tuple[Array, Array]:
    """The table and its weights as the kernels of an iteration take them."""
    return arrange_blocks(X, unit), arrange_blocks(weights.astype(X.dtype)[:, None], 1.0)


def _sum_partition(
    X: Array, weights: FloatArray, centres: Array, m: float, unit: float
) -> tuple[float, FloatArray, FloatArray]:
    blocks, shares = _arrange(X, weights, unit)
    objective, mass, moments = kernel.add_up(blocks, shares, centres, m, kernel.make_scratch(len(centres), X.dtype))
    return objective, mass, moments


def _descend_in_unit(
    step: Step[Array], starts: Sequence[Array], unit: float, tol: float, max_iter: int, dtype: DTypeLike = np.float64
) -> Descent[Array]:
    """The lowest end, by a step that measures in this unit."""
    best = descend_from_all(step, [start / unit for start in starts], tol, max_iter, dtype=dtype)
    return Descent(best.prototypes * unit, best.objectives * unit**2, best.converged)
