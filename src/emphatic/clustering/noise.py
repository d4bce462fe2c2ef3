"""Fuzzy c-means with a noise cluster (Davé 1991)."""

from typing import Any

import numpy as np

from emphatic.check import FloatArray
from emphatic.clustering.alternation import MAX_ITER, TOL
from emphatic.clustering.noise_distance import NoiseClusterer
from emphatic.clustering.units import Array


class NoiseCMeans(NoiseClusterer):
    r"""Fuzzy c-means with one more cluster, the noise, at the same distance from every row.

    Rows that are far from all clusters go to the noise, and no longer pull the centres towards them. With a membership
    :math:`\mu_{i0}` in the noise, at the distance :math:`\delta`, and :math:`\sum_{j=0}^c \mu_{ij} = 1`, it minimises

    .. math:: J = \sum_i w_i \Big( \sum_{j=1}^c \mu_{ij}^m \lVert x_i - v_j \rVert^2 + \mu_{i0}^m \delta^2 \Big) .

    With an infinite :math:`\delta` it is `FuzzyCMeans`.

    Parameters
    ----------
    n_clusters : int, default=3
        Without the noise.
    m : float, default=2.0
        Fuzziness, above 1 and at most 10.
    noise_distance : float or "auto", default="auto"
        :math:`\delta`, in the units of X. "auto": the root of the mean squared distance between rows and centres of
        fuzzy c-means from the same starts.
    init, n_init, max_iter, tol, random_state
        As in `FuzzyCMeans`.

    Attributes
    ----------
    cluster_centers_ : array of shape (n_clusters, n_features)
    noise_distance_ : float
    membership_ : array of shape (n_samples, n_clusters)
        What a row lacks to 1 is its membership in the noise.
    labels_ : array of shape (n_samples,)
        The cluster with the largest membership; -1 where that in the noise is larger.
    objective_, objectives_, n_iter_, n_features_in_
        As in `FuzzyCMeans`.

    Notes
    -----
    It computes in float64. A cluster without members keeps its centre. The start "k-means++" likes rows that are far
    away, and a cluster may stay at an outlier: init="random" with several starts avoids it. So does a `noise_distance`
    that is known: extreme outliers make that of "auto" large.

    References
    ----------
    R. N. Davé, "Characterization and detection of noise in clustering", Pattern Recognition Letters 12 (1991).

    Examples
    --------
    >>> from emphatic.clustering import NoiseCMeans
    >>> X = [[0.0], [0.1], [0.2], [5.0], [5.1], [5.2], [90.0]]
    >>> model = NoiseCMeans(2, noise_distance=2.0, init=[[0.0], [5.0]]).fit(X)
    >>> model.labels_, model.cluster_centers_.ravel().round(1)
    (array([ 0,  0,  0,  1,  1,  1, -1]), array([0.1, 5.1]))
    """

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        m: float = 2.0,
        noise_distance: Any = "auto",
        init: Any = "k-means++",
        n_init: int = 1,
        max_iter: int = MAX_ITER,
        tol: float = TOL,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.m = m
        self.noise_distance = noise_distance
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _measure(self, table: Array, prototypes: Array) -> Array:
        squares = super()._measure(table, prototypes)
        return np.vstack([np.full(squares.shape[1], self.noise_distance_**2), squares])

    def _place(self, mass: FloatArray, moments: FloatArray, prototypes: Array) -> Array:
        return super()._place(mass[1:], moments[1:], prototypes)

    def _report(self, shares: Array) -> Array:
        return super()._report(shares[1:])
