"""Fuzzy c-means by entropy: memberships are a softmax of squared distances (Li and Mukaidono 1995, Miyamoto 1997)."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from scipy.special import logsumexp

from emphatic import check
from emphatic.check import FloatArray
from emphatic.clustering.alternation import MAX_ITER, TOL
from emphatic.clustering.base import FuzzyClusterer, Shares
from emphatic.clustering.units import Array
from emphatic.fields import Number, saved

AUTO = 0.5
"""The temperature "auto" as a share of the mean variance of the columns: well below 2, where clusters begin to part."""


@saved(temperature_=Number(above=0.0, high=np.inf))
class EntropyCMeans(FuzzyClusterer):
    r"""Fuzzy clusters whose memberships are kept from being crisp by their entropy instead of an exponent.

    It minimises, at the temperature T and with :math:`\sum_j \mu_{ij} = 1`,

    .. math:: J = \sum_i w_i \sum_j \big( \mu_{ij} \lVert x_i - v_j \rVert^2 + T \mu_{ij} \log (c \, \mu_{ij}) \big) ,

    so memberships are a softmax, :math:`\mu_{ij} \propto \exp(-\lVert x_i - v_j \rVert^2 / T)`, and centres are means
    with the memberships as weights. Towards T = 0 it is k-means. Rows far from all clusters belong to the nearest one
    alone, where those of `FuzzyCMeans` belong to all equally.

    Parameters
    ----------
    n_clusters : int, default=3
    temperature : float or "auto", default="auto"
        T > 0, in the squared units of X. "auto": half of the mean variance of the columns.
    init, n_init, max_iter, tol, random_state
        As in `FuzzyCMeans`.

    Attributes
    ----------
    cluster_centers_ : array of shape (n_clusters, n_features)
    temperature_ : float
    membership_, labels_, objective_, objectives_, n_iter_, n_features_in_
        As in `FuzzyCMeans`.

    Notes
    -----
    The constant :math:`\log c` in J, which the papers leave out, only keeps J from being negative. The memberships are
    those of a mixture of Gaussians with equal weights and the covariance T/2 times the identity. When T is above twice
    the largest variance of the table in any direction, all centres coincide. It computes in float64. A cluster without
    members keeps its centre.

    References
    ----------
    R.-P. Li and M. Mukaidono, "A maximum-entropy approach to fuzzy clustering", FUZZ-IEEE 1995; S. Miyamoto and
    M. Mukaidono, "Fuzzy c-means as a regularization and maximum entropy approach", IFSA 1997.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from emphatic.clustering import EntropyCMeans
    >>> X, y = load_iris(return_X_y=True)
    >>> model = EntropyCMeans(3, temperature=0.5, random_state=0).fit(X)
    >>> model.membership_[50].round(2).tolist()  # between two species
    [0.0, 0.64, 0.36]
    """

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        temperature: Any = "auto",
        init: Any = "k-means++",
        n_init: int = 1,
        max_iter: int = MAX_ITER,
        tol: float = TOL,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.temperature = temperature
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def check_parameters(self) -> None:
        """Raise ValueError for a parameter that is not allowed."""
        super().check_parameters()
        if isinstance(self.temperature, str):
            check.one_of("temperature", self.temperature, ("auto",))
        else:
            check.real("temperature", self.temperature, 0, open_low=True)

    def _start(self, X: Array, weights: FloatArray) -> Iterable[Array]:
        self.temperature_ = _find_temperature(self.temperature, X, weights)
        return super()._start(X, weights)

    def _share(self, costs: Array) -> Shares:
        # A tiny temperature may make -cost / T infinite, of which the exponential is 0, as it should be
        with np.errstate(over="ignore"):
            least = costs.min(axis=0)
            exponents = (least - costs) / self.temperature_
            total = logsumexp(exponents, axis=0)
            membership = np.exp(exponents - total)
        losses = least + self.temperature_ * (np.log(len(costs)) - total)
        return Shares(membership, membership, losses)


def _find_temperature(value: Any, X: Array, weights: FloatArray) -> float:
    if not isinstance(value, str):
        return float(value)
    gaps = X - np.average(X, axis=0, weights=weights)
    variance = float(np.average((gaps**2).mean(axis=1), weights=weights))
    return AUTO * variance if variance > 0 else 1.0  # with one distinct row there is one cluster, whatever T is
