"""Possibilistic c-means: how typical a row is of each cluster, without regard to the others (Krishnapuram, Keller)."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from emphatic import check, fields
from emphatic.check import FloatArray
from emphatic.clustering.alternation import MAX_ITER, TOL
from emphatic.clustering.base import FuzzyClusterer, Shares
from emphatic.clustering.fuzzy_c_means import minimise
from emphatic.clustering.units import SMALLEST_MASS, Array
from emphatic.fields import saved
from emphatic.kernels import fuzzy_c_means as kernel
from emphatic.kernels.possibilistic import typicality


@saved(widths_=fields.Array(np.float64, "clusters", above=0.0, high=np.inf))
class PossibilisticCMeans(FuzzyClusterer):
    r"""Clusters of typical rows: possibilistic c-means.

    A row has a typicality :math:`u_{ij}` in [0, 1] for each cluster; those of a row need not sum to 1, and are small
    for an outlier. With a width :math:`\eta_j` for each cluster it minimises

    .. math:: J = \sum_i w_i \sum_j \big( u_{ij}^m \lVert x_i - v_j \rVert^2 + \eta_j (1 - u_{ij})^m \big) ,

    so :math:`u_{ij} = 1 / (1 + (\lVert x_i - v_j \rVert^2 / \eta_j)^{1/(m-1)})`, which is 1/2 at the distance
    :math:`\sqrt{\eta_j}`, and centres are means with the weights :math:`u_{ij}^m`.

    Parameters
    ----------
    n_clusters : int, default=3
    m : float, default=2.0
        Above 1 and at most 10: near 1 typicalities are 1 inside of the width and 0 outside.
    widths : "auto", float or array of shape (n_clusters,), default="auto"
        :math:`\eta_j`, in squared units of X. "auto": from the memberships :math:`\mu` and centres of fuzzy c-means,
        :math:`\sum_i w_i \mu_{ij}^m \lVert x_i - v_j \rVert^2 / \sum_i w_i \mu_{ij}^m`; it then starts at these
        centres, and the widths stay as they are.
    init, n_init, max_iter, tol, random_state
        As in `FuzzyCMeans`. With widths="auto" they are used for fuzzy c-means as well.

    Attributes
    ----------
    cluster_centers_ : array of shape (n_clusters, n_features)
    widths_ : array of shape (n_clusters,)
    membership_ : array of shape (n_samples, n_clusters)
        Typicalities: rows do not sum to 1.
    labels_, objective_, objectives_, n_iter_, n_features_in_
        As in `FuzzyCMeans`.

    Notes
    -----
    Clusters do not know of each other, so two may end at the same place: compare `cluster_centers_`. A cluster of equal
    rows, whose width would be 0, takes the smallest width of the others (1 if there is none). It computes in float64.

    References
    ----------
    R. Krishnapuram and J. M. Keller, "A possibilistic approach to clustering", IEEE Transactions on Fuzzy Systems 1
    (1993).

    Examples
    --------
    >>> from emphatic.clustering import PossibilisticCMeans
    >>> X = [[0.0], [0.1], [0.2], [5.0], [5.1], [5.2], [90.0]]
    >>> model = PossibilisticCMeans(2, widths=1.0, init=[[0.0], [5.0]]).fit(X)
    >>> model.cluster_centers_.ravel().round(1), model.membership_[-1].round(3)
    (array([0.1, 5.1]), array([0., 0.]))
    """

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        m: float = 2.0,
        widths: Any = "auto",
        init: Any = "k-means++",
        n_init: int = 1,
        max_iter: int = MAX_ITER,
        tol: float = TOL,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.m = m
        self.widths = widths
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def check_parameters(self) -> None:
        """Raise ValueError for a parameter that is not allowed."""
        super().check_parameters()
        if isinstance(self.widths, str):
            check.one_of("widths", self.widths, ("auto",))
        else:
            _check_widths(self.widths, self.n_clusters)

    def _start(self, X: Array, weights: FloatArray) -> list[Array]:
        m, starts = float(self.m), list(self._draw_centres(X, weights))
        if not isinstance(self.widths, str):
            self.widths_ = _check_widths(self.widths, self.n_clusters)
            return starts
        centres = minimise(X, weights, starts, m, self.tol, self.max_iter).prototypes
        squares = kernel.squared_distances(self._arrange(X), centres)
        self.widths_ = _find_widths(squares, kernel.share(squares, m)[1] * weights)
        return [centres]

    def _share(self, costs: Array) -> Shares:
        return Shares(*typicality(costs, self.widths_, float(self.m)))


def _check_widths(widths: ArrayLike, n_clusters: int) -> FloatArray:
    given = check.numbers("widths", widths)
    if given.shape not in ((), (n_clusters,)):
        raise ValueError(f"widths has shape {given.shape}: it must be a number or have shape ({n_clusters},).")
    if not ((given > 0) & (given < np.inf)).all():  # NaN is caught as well
        raise ValueError(f"widths={widths!r} is not allowed: every width must be a finite number above 0.")
    return np.broadcast_to(given, (n_clusters,)).copy()


def _find_widths(squares: Array, powers: Array) -> FloatArray:
    mass = powers.sum(axis=1)
    empty = mass <= SMALLEST_MASS[np.dtype(np.float64)]
    widths = np.divide((powers * squares).sum(axis=1), mass, out=np.zeros(len(mass)), where=~empty)
    positive = widths[widths > 0]
    return np.where(widths > 0, widths, positive.min() if len(positive) else 1.0)
