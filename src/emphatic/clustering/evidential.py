"""Evidential c-means: masses on sets of clusters instead of memberships in clusters (Masson and Denoeux 2008)."""

from typing import Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from emphatic import check, fields
from emphatic.check import FloatArray
from emphatic.clustering.alternation import MAX_ITER, TOL
from emphatic.clustering.noise_distance import NoiseClusterer
from emphatic.clustering.sets import list_members, list_sets
from emphatic.clustering.units import Array
from emphatic.fields import IfSet, saved
from emphatic.kernels import fuzzy_c_means as kernel
from emphatic.margins import normalise_rows
from emphatic.partitions import lazily

FOCAL_SETS = ("singletons", "pairs", "all")
LARGEST_ALPHA = 10.0


@saved(
    sets_=fields.Array(np.int64, "sets", low=0),
    masses_=IfSet(fields.Array(np.float64, "samples", "sets", low=0.0)),  # of a fit in memory
)
class EvidentialCMeans(NoiseClusterer):
    r"""Clusters under Dempster-Shafer evidence: a row between two clusters has its mass on the *pair*.

    Each row has a mass :math:`m_{iA} \ge 0` on each of some sets A of clusters, and :math:`\sum_A m_{iA} = 1`. A set
    stands at the mean :math:`\bar v_A` of the centres of its clusters, and the empty set, which takes the outliers, at
    the distance :math:`\delta` from every row. It minimises

    .. math:: J = \sum_i w_i \Big( \sum_{A \ne \emptyset} |A|^\alpha \, m_{iA}^\beta \lVert x_i - \bar v_A \rVert^2
        + m_{i\emptyset}^\beta \delta^2 \Big) ,

    where :math:`\beta` is called `m`, as the exponent of the other variants. So :math:`m_{iA}` falls with the distance
    from the set and with its size, and the centres solve :math:`H V = B` with

    .. math:: H_{kl} = \sum_i w_i \sum_{A \ni k, l} |A|^{\alpha - 2} m_{iA}^\beta , \qquad
        B_k = \sum_i w_i \sum_{A \ni k} |A|^{\alpha - 1} m_{iA}^\beta \, x_i .

    With single clusters only it is `NoiseCMeans`.

    Parameters
    ----------
    n_clusters : int, default=3
        At most 62, and at most 12 with all sets.
    m : float, default=2.0
        :math:`\beta`, above 1 and at most 10.
    alpha : float, default=1.0
        :math:`\alpha` in [0, 10]: the larger, the less mass goes to large sets.
    noise_distance : float or "auto", default="auto"
        :math:`\delta`, in the units of X; see `NoiseCMeans`.
    focal_sets : {"pairs", "all", "singletons"}, default="pairs"
        The sets, besides the empty one: up to two clusters, and the set of all; all sets; single clusters.
    init, n_init, max_iter, tol, random_state
        As in `FuzzyCMeans`.

    Attributes
    ----------
    cluster_centers_ : array of shape (n_clusters, n_features)
    sets_ : int array of shape (n_sets,)
        The sets as `emphatic.fusion.evidence` has them: bit k says whether cluster k belongs to it; 0 is empty.
    masses_ : array of shape (n_samples, n_sets)
        As `predict_masses` returns them.
    membership_ : array of shape (n_samples, n_clusters)
        Pignistic probabilities: :math:`\sum_{A \ni j} m_{iA} / |A|` over :math:`1 - m_{i\emptyset}`.
    labels_ : array of shape (n_samples,)
        The cluster with the largest membership; -1 where the empty set has the largest mass of all sets.
    noise_distance_, objective_, objectives_, n_iter_, n_features_in_
        As in `NoiseCMeans`.

    Notes
    -----
    ``Masses.of(model.sets_, model.predict_masses(X), n_clusters)`` of `emphatic.fusion.evidence` gives belief,
    plausibility and combination with other sources. An iteration costs n d times the number of sets. A cluster without
    mass keeps its centre. It computes in float64.

    References
    ----------
    M.-H. Masson and T. Denoeux, "ECM: an evidential version of the fuzzy c-means algorithm", Pattern Recognition 41
    (2008).

    Examples
    --------
    >>> from emphatic.clustering import EvidentialCMeans
    >>> X = [[0.0], [0.1], [0.2], [2.6], [5.0], [5.1], [5.2], [90.0]]
    >>> model = EvidentialCMeans(2, noise_distance=3.0, init=[[0.0], [5.0]]).fit(X)
    >>> model.sets_.tolist()
    [0, 1, 2, 3]
    >>> model.masses_[[0, 3, 7]].round(1)  # in a cluster, between both, outside
    array([[0., 1., 0., 0.],
           [0., 0., 0., 1.],
           [1., 0., 0., 0.]])
    """

    _of_rows: ClassVar[tuple[str, ...]] = ("membership_", "labels_", "masses_")

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        m: float = 2.0,
        alpha: float = 1.0,
        noise_distance: Any = "auto",
        focal_sets: str = "pairs",
        init: Any = "k-means++",
        n_init: int = 1,
        max_iter: int = MAX_ITER,
        tol: float = TOL,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.m = m
        self.alpha = alpha
        self.noise_distance = noise_distance
        self.focal_sets = focal_sets
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def check_parameters(self) -> None:
        """Raise ValueError for a parameter that is not allowed."""
        super().check_parameters()
        check.real("alpha", self.alpha, 0, LARGEST_ALPHA)
        check.one_of("focal_sets", self.focal_sets, FOCAL_SETS)
        list_sets(self.n_clusters, self.focal_sets)

    def check_saved(self) -> None:
        """Raise ValueError unless the sets are those of the parameters."""
        if self.sets_.tolist() != list_sets(len(self.cluster_centers_), self.focal_sets).tolist():
            raise ValueError(f"sets_ are not those of focal_sets={self.focal_sets!r}")

    @lazily("masses")
    def predict_masses(self, X: Any) -> FloatArray:
        """(n, n_sets): the mass of each row on each of `sets_`."""
        check_is_fitted(self)
        return np.ascontiguousarray(self._compute_shares(self._check_table(X, reset=False)).T)

    def _start(self, X: Array, weights: FloatArray) -> list[Array]:
        self.sets_ = list_sets(self.n_clusters, self.focal_sets)
        return super()._start(X, weights)

    def _measure(self, table: Array, prototypes: Array) -> Array:
        members, sizes = self._describe_sets()
        squares = kernel.squared_distances(table, members @ prototypes / sizes)
        return np.vstack([np.full(squares.shape[1], self.noise_distance_**2), sizes**self.alpha * squares])

    def _place(self, mass: FloatArray, moments: FloatArray, prototypes: Array) -> Array:
        members, sizes = self._describe_sets()
        H = (members * sizes ** (self.alpha - 2) * mass[1:, None]).T @ members
        B = (members * sizes ** (self.alpha - 1)).T @ moments[1:]
        # the least move that solves it: where H is singular, as with clusters without mass, the rest stays
        return prototypes + np.linalg.lstsq(H, B - H @ prototypes, rcond=None)[0]

    def _describe_rows(self, X: Array) -> None:
        super()._describe_rows(X)
        self.masses_ = np.ascontiguousarray(self._compute_shares(X).T)

    def _report(self, shares: Array) -> Array:
        members, sizes = self._describe_sets()
        return normalise_rows(shares[1:].T @ (members / sizes))

    def _describe_sets(self) -> tuple[FloatArray, FloatArray]:
        """Which clusters belong to each set but the empty one, (S, c), and their numbers (S, 1)."""
        members = list_members(self.sets_[1:], int(self.sets_[-1]).bit_length())
        return members, members.sum(axis=1, keepdims=True)
