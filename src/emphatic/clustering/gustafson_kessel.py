"""Gustafson-Kessel clusters: ellipsoids, each with a shape of its own (with Babuska's control of their condition)."""

from collections.abc import Iterable
from typing import Any, ClassVar, NamedTuple

import numpy as np

from emphatic import check, fields
from emphatic.check import FloatArray
from emphatic.clustering.alternation import MAX_ITER, TOL
from emphatic.clustering.base import FuzzyClusterer
from emphatic.clustering.partitions import PartitionedRows
from emphatic.clustering.units import SMALLEST_MASS, Array
from emphatic.fields import saved
from emphatic.kernels import ellipsoids as kernel
from emphatic.threads import one_thread

LARGEST_CONDITION = 1e12
"""Beyond it a covariance matrix cannot be inverted without losing all digits."""


class Ellipsoids(NamedTuple):
    """Centres (c, d) and covariances (c, d, d) of the clusters."""

    centres: Array
    covariances: Array


@saved(covariances_=fields.Array(np.float64, "clusters", "features", "features", low=-np.inf, high=np.inf))
class GustafsonKessel(FuzzyClusterer):
    r"""Fuzzy clusters that are ellipsoids: long, flat or tilted, each in its own way.

    It minimises :math:`J = \sum_i w_i \sum_j \mu_{ij}^m \, d_{ij}^2` with
    :math:`d_{ij}^2 = (x_i - v_j)^T A_j (x_i - v_j)`. All clusters have the same volume, :math:`\det A_j = 1`, so

    .. math:: F_j = \frac{\sum_i w_i \mu_{ij}^m (x_i - v_j)(x_i - v_j)^T}{\sum_i w_i \mu_{ij}^m}, \qquad
        A_j = \det(F_j)^{1/d} \, F_j^{-1} .

    Memberships and centres are as in `FuzzyCMeans`, which it is when all :math:`F_j` are multiples of the identity. A
    cluster of few rows, or of rows in a plane, would have a singular :math:`F_j`. So it is controlled: it is shrunk, to
    :math:`(1 - \gamma) F_j + \gamma \det(F_0)^{1/d} I` with the covariance :math:`F_0` of the whole table, and its
    eigenvalues are raised to at least the largest one over `max_condition`.

    Parameters
    ----------
    n_clusters : int, default=3
    m : float, default=2.0
        Fuzziness, above 1 and at most 10.
    max_condition : float, default=1e6
        The largest ratio of two eigenvalues of :math:`F_j`, from 1 to 1e12: at 1e6 a cluster is at most a thousand
        times as long as wide. With 1 all clusters are spheres.
    shrinkage : float, default=0.0
        :math:`\gamma` in [0, 1]; with 1 all clusters are spheres.
    init, n_init, max_iter, tol, random_state
        As in `FuzzyCMeans`. All clusters start as spheres.

    Attributes
    ----------
    cluster_centers_ : array of shape (n_clusters, n_features)
    covariances_ : array of shape (n_clusters, n_features, n_features)
        :math:`F_j`, controlled.
    membership_, labels_, objective_, objectives_, n_iter_, n_features_in_
        As in `FuzzyCMeans`. Where covariances had to be controlled, J may rise now and then.

    Notes
    -----
    An iteration costs n c d^2; it computes in float64. A cluster without members keeps its centre and shape, and a
    cluster of equal rows is a sphere.

    References
    ----------
    D. E. Gustafson and W. C. Kessel, "Fuzzy clustering with a fuzzy covariance matrix", IEEE CDC 1979; R. Babuska,
    P. J. van der Veen and U. Kaymak, "Improved covariance estimation for Gustafson-Kessel clustering", FUZZ-IEEE 2002.

    Examples
    --------
    Two long clusters side by side, which spheres would cut in half.

    >>> import numpy as np
    >>> from emphatic.clustering import FuzzyCMeans, GustafsonKessel
    >>> X = np.random.default_rng(0).normal(size=(200, 2)) * [10, 0.5] + np.repeat([[0, 0], [0, 4]], 100, axis=0)
    >>> for model in FuzzyCMeans(2, random_state=0), GustafsonKessel(2, random_state=0):
    ...     share = (model.fit_predict(X) == np.repeat([0, 1], 100)).mean()
    ...     print(float(max(share, 1 - share)) > 0.9)
    False
    True
    """

    _falls: ClassVar[bool] = False

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        m: float = 2.0,
        max_condition: float = 1e6,
        shrinkage: float = 0.0,
        init: Any = "k-means++",
        n_init: int = 1,
        max_iter: int = MAX_ITER,
        tol: float = TOL,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.m = m
        self.max_condition = max_condition
        self.shrinkage = shrinkage
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def check_parameters(self) -> None:
        """Raise ValueError for a parameter that is not allowed."""
        super().check_parameters()
        check.real("max_condition", self.max_condition, 1, LARGEST_CONDITION)
        check.real("shrinkage", self.shrinkage, 0, 1)

    def check_saved(self) -> None:
        """Raise ValueError unless the covariances can be inverted."""
        try:
            whitenings = _whiten(self.covariances_)
        except np.linalg.LinAlgError as error:
            raise ValueError(f"covariances_ holds one that is not positive definite: {error}") from error
        if not np.isfinite(whitenings).all():
            raise ValueError("covariances_ holds one whose inverse is not finite")

    def _start(self, X: Array, weights: FloatArray) -> Iterable[Ellipsoids]:
        self._sphere = _find_volume(X, weights) if self.shrinkage > 0 else 0.0
        sphere = np.eye(X.shape[1])
        return [Ellipsoids(one, np.stack([sphere] * len(one))) for one in self._draw_centres(X, weights)]

    def _measure(self, table: Array, prototypes: Ellipsoids) -> Array:
        return kernel.squared_distances(table, prototypes.centres, _whiten(prototypes.covariances))

    def _move(self, table: Array, powers: Array, prototypes: Ellipsoids) -> Ellipsoids:
        centres = super()._move(table, powers, prototypes.centres)
        sums = kernel.covariances(table, powers, centres)
        return self._shape(powers.sum(axis=1), sums, centres, prototypes)

    def _step_partitions(self, table: PartitionedRows, prototypes: Ellipsoids) -> tuple[float, Ellipsoids]:
        loss, mass, moments = table.add_up(self._add_up, prototypes)
        centres = self._place(mass, moments, prototypes.centres)
        # covariances are around the centres as they are now: the rows are looked at a second time
        (sums,) = table.add_up(self._add_up_squares, prototypes, centres)
        return loss, self._shape(mass, sums, centres, prototypes)

    def _add_up_squares(
        self, X: Array, weights: FloatArray, prototypes: Ellipsoids, centres: Array
    ) -> tuple[FloatArray]:
        with one_thread():
            table, shares = self._ask(X, prototypes)
            return (kernel.covariances(table, shares.powers * weights, centres),)

    def _shape(self, mass: FloatArray, sums: FloatArray, centres: Array, prototypes: Ellipsoids) -> Ellipsoids:
        """Clusters at these centres, with the covariances that belong to sums of weighted squares around them."""
        mass = mass[:, None, None]
        some = mass > SMALLEST_MASS[np.dtype(np.float64)]
        covariances = np.divide(sums, mass, out=prototypes.covariances.copy(), where=some)
        return Ellipsoids(centres, np.where(some, self._control(covariances), prototypes.covariances))

    def _control(self, covariances: FloatArray) -> FloatArray:
        """The covariances, shrunk, and with eigenvalues of a limited ratio."""
        sphere = np.eye(covariances.shape[1])
        shrunk = (1.0 - self.shrinkage) * covariances + self.shrinkage * self._sphere * sphere
        if _are_conditioned(shrunk, self.max_condition):
            return shrunk
        values, vectors = np.linalg.eigh(shrunk)
        largest = values[:, -1:]
        raised = np.maximum(values, largest / self.max_condition)
        controlled = (vectors * raised[:, None, :]) @ vectors.transpose(0, 2, 1)
        flat, singular = (
            condition[:, :, None]
            for condition in (largest <= SMALLEST_MASS[np.dtype(np.float64)], values[:, :1] < raised[:, :1])
        )
        return np.where(flat, sphere, np.where(singular, controlled, shrunk))

    def _keep(self, X: Array, prototypes: Ellipsoids) -> None:
        self.cluster_centers_, self.covariances_ = prototypes
        del self._sphere

    def _recall(self) -> Ellipsoids:
        return Ellipsoids(self.cluster_centers_, self.covariances_)


def _are_conditioned(covariances: FloatArray, most: float) -> bool:
    """Whether the ratio of two eigenvalues is surely at most `most`: a bound that is cheaper than eigenvalues.

    The largest eigenvalue is at most their sum, the trace of F = L L^T, and so is that of the inverse: the trace of
    L^-T L^-1, which is the sum of the squares in L^-1.
    """
    try:
        inverses = np.linalg.inv(np.linalg.cholesky(covariances))
    except np.linalg.LinAlgError:
        return False
    largest, smallest = np.trace(covariances, axis1=1, axis2=2), 1.0 / (inverses**2).sum(axis=(1, 2))
    return bool((largest <= most * smallest).all())


def _whiten(covariances: FloatArray) -> FloatArray:
    """W for each F, lower triangular, with W^T W = A = det(F)^(1/d) F^-1."""
    factors = np.linalg.cholesky(covariances)
    logarithms = np.log(np.diagonal(factors, axis1=1, axis2=2))
    roots = np.exp(logarithms.mean(axis=1))  # det(F)^(1/2d): by logarithms, as the product could overflow
    return np.linalg.inv(factors) * roots[:, None, None]


def _find_volume(X: Array, weights: FloatArray) -> float:
    """det(F_0)^(1/d) of the covariance of the whole table."""
    covariance = np.atleast_2d(np.cov(X.T, aweights=weights, bias=True))
    values = np.linalg.eigvalsh(covariance)
    return float(np.exp(np.log(values).mean())) if values[0] > 0 else 0.0
