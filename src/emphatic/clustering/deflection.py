"""Further minima of the objective of fuzzy c-means, by deflection away from those already found (paper 004)."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linear_sum_assignment, minimize
from sklearn.utils.validation import check_array

from emphatic import check
from emphatic.check import FloatArray, IntArray
from emphatic.clustering.alternation import first_lowest
from emphatic.clustering.fuzzy_c_means import compute_memberships, minimise
from emphatic.clustering.starts import draw_starts
from emphatic.clustering.units import check_fuzziness, check_magnitude, find_unit
from emphatic.kernels import deflection as kernel
from emphatic.kernels.fuzzy_c_means import squared_distances
from emphatic.randomness import as_generator
from emphatic.threads import one_thread

SPREAD = 0.5
"""Standard deviation of the noise added to the logits of a start."""

SMALLEST_MEMBERSHIP = 1e-12
"""Smaller memberships, whose logarithm may be infinite, start as this."""

RELAXATIONS = (1e-6, 1e6)
"""Smallest and largest: beyond them tanh or its slope is lost to rounding."""

OPTIONS = {"ftol": 1e-8, "gtol": 0.0, "maxcor": 5}
"""Of L-BFGS: it ends when F, a logarithm, falls by at most 1e-8 of itself. Single slopes shrink as 1/n, so their size
is no criterion. More than 5 pairs of vectors cost more than they save."""

LARGEST_ARGUMENT = 300.0
"""Beyond this sinh could overflow; its reciprocal is 0 long before."""

SMALLEST_DISTANCE = 1e-12
"""Smaller distances to an earlier group count as this."""

NO_ERROR = 1e-12
"""Clusters whose J is below this share of the variation of the table fit it without error."""


def distance(U: ArrayLike, V: ArrayLike, aligned: bool = True) -> float:
    r"""Distance :math:`\lVert U - V \rVert_F / \sqrt n` of two groups of memberships (n, k).

    With `aligned`, the columns of V are first put in the order that is nearest to U, since clusters have no labels. It
    is 0 for equal groups and at most :math:`\sqrt 2`.

    Examples
    --------
    >>> U, V = [[1, 0], [0, 1]], [[0, 1], [1, 0]]
    >>> distance(U, V, aligned=False), distance(U, V)
    (1.41, 0.0)
    """
    first, second = (check_array(table, dtype=np.float64, input_name=name).T for name, table in (("U", U), ("V", V)))
    if max(np.abs(first).max(), np.abs(second).max()) > 1 + 1e-9:
        raise ValueError("U and V must hold memberships, which lie in [0, 1].")
    if first.shape != second.shape:
        raise ValueError(f"U has shape {first.T.shape} and V has shape {second.T.shape}: the shapes must be equal.")
    if check.one_of("aligned", aligned, (True, False)):
        second = second[match_clusters(first, second)]
    return float(np.linalg.norm(first - second) / np.sqrt(first.shape[1]))


def deflect(
    X: ArrayLike,
    k: int,
    *,
    n_deflections: int = 2,
    m: float = 2.0,
    relaxation: float = 10.0,
    aligned: bool = True,
    first: ArrayLike | None = None,
    n_starts: int = 3,
    max_iter: int = 500,
    random_state: Any = None,
) -> FloatArray:
    r"""Groups of memberships (n_deflections + 1, n, k): a minimum of J, then others, each away from those before it.

    Group 0 is the result of fuzzy c-means. Each further group minimises J divided by its distance from those before,

    .. math:: J_{g+1}(U) = J(U) \Big/ \prod_{h \le g} \tanh(\lambda s_h), \qquad
        s_h = \lVert U - U_h \rVert_F / \sqrt n,

    which is infinite at the earlier groups and hardly differs from J away from them. (The slides print the product
    :math:`J \tanh`. Since :math:`J \ge 0` and tanh 0 = 0, that would make :math:`U_h` a global minimum, of value 0.)

    1. Start from logits :math:`\log U_g` of the last group plus noise, N(0, 0.5).
    2. Minimise :math:`\log J_{g+1}` over logits, whose softmax the memberships are, by L-BFGS.
    3. Keep the best of `n_starts`; repeat from 1.

    Parameters
    ----------
    X : array of shape (n, d)
        Numeric, complete, on one scale.
    k : int
        Number of clusters.
    n_deflections : int, default=2
        The paper's s; 0 gives group 0 alone.
    m : float, default=2.0
        Fuzziness.
    relaxation : float, default=10.0
        :math:`\lambda`: groups are pushed away over a distance of about 1 / relaxation.
    aligned : bool, default=True
        Whether :math:`s_h` is the smallest distance over all orders of the clusters of :math:`U_h`. With the plain
        distance the new minimum is mostly a relabelling of the old one, which an entropy of memberships does not
        notice.
    first : array of shape (n, k) or None, default=None
        Group 0, with rows that sum to 1; None: the result of fuzzy c-means from a k-means++ start.
    n_starts : int, default=3
    max_iter : int, default=500
        Largest number of iterations of L-BFGS for each start.
    random_state : int, generator or None, default=None

    Raises
    ------
    ValueError
        Among others if the clusters fit X without error (J = 0), as with at most k distinct rows. Next to such a group
        J / tanh is still nearly 0: nothing deflects from it.

    Notes
    -----
    With g earlier groups an evaluation costs n k (d + g k), and about 25 n k numbers are held in memory. On one core a
    start takes about 1.5 s for a table of 5000 x 20 and 20 clusters, and 0.3 s for 3 clusters. Aligned distances have
    kinks where two orders are equally near, and a minimum may lie on one. Groups are in float64.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import scale
    >>> X, y = load_wine(return_X_y=True)
    >>> groups = deflect(scale(X), 3, n_deflections=1, random_state=0)
    >>> groups.shape
    (2, 178, 3)
    >>> distance(groups[0], groups[1]) > 0.2
    True
    """
    check.integer("k", k, at_least=1)
    check.integer("n_deflections", n_deflections, at_least=0)
    m = check_fuzziness(m)
    check.real("relaxation", relaxation, *RELAXATIONS)
    check.one_of("aligned", aligned, (True, False))
    check.integer("n_starts", n_starts, at_least=1)
    check.integer("max_iter", max_iter, at_least=1)
    rng = as_generator(random_state)
    table = check_magnitude(check_array(X, dtype=np.float64, input_name="X"))
    table = table / find_unit(table)
    groups = [_cluster(table, k, m, rng) if first is None else _check_memberships(first, len(table), k)]
    objective = DeflectedObjective(table, m, float(relaxation), aligned)
    with one_thread():  # the matrices are too small for more
        for _ in range(n_deflections):
            if objective.fits_without_error(groups[-1]):
                raise ValueError(
                    f"k={k} clusters fit X without error (J = 0; X may have at most {k} distinct rows), and "
                    "nothing deflects from such a minimum: use n_deflections=0 or a smaller k."
                )
            objective.deflect_from(np.stack(groups))
            groups.append(_find_next(objective, groups[-1], n_starts, max_iter, rng))
    return np.ascontiguousarray(np.stack(groups).transpose(0, 2, 1))


class DeflectedObjective:
    r"""F and its gradient with respect to logits (k n values, one row per cluster) whose softmax over clusters is U.

    .. math:: F(U) = \log J(U) - \sum_g \log \tanh(\lambda s_g), \qquad s_g = \lVert U - U_g \rVert_F / \sqrt n

    J is that of the best centres for U. Since they are best, J does not change with them to first order, and

    .. math:: \frac{\partial F}{\partial U} = \frac{m U^{m-1} \lVert x - v \rVert^2}{J}
        - \sum_g \frac{2 \lambda}{\sinh(2 \lambda s_g)} \frac{U - U_g}{n s_g} .
    """

    def __init__(self, X: FloatArray, m: float, relaxation: float, aligned: bool) -> None:
        self.rows, self.features = X, np.ascontiguousarray(X.T)
        self.m, self.relaxation, self.aligned = m, relaxation, aligned
        self.variation = float(np.square(X - X.mean(axis=0)).sum())
        # added to J, so that its logarithm is finite where clusters fit all rows exactly
        self.floor = NO_ERROR * self.variation or 1.0
        self.groups: FloatArray = np.empty((0, 0, 0))

    def deflect_from(self, groups: FloatArray) -> None:
        """Set the groups of memberships found so far, (g, k, n)."""
        self.groups = groups
        self._U, self._power, self._share = (np.empty(groups.shape[1:]) for _ in range(3))

    def fits_without_error(self, U: FloatArray) -> bool:
        """Whether J of memberships (k, n) is 0 up to rounding."""
        share = U**self.m
        return float(np.vdot(share, self._squared_distances(share))) <= self.floor

    def __call__(self, logits: FloatArray) -> tuple[float, FloatArray]:
        U = self.memberships(logits)
        n = U.shape[1]
        power = U if self.m == 2.0 else np.power(U, self.m - 1.0, out=self._power)
        share = np.multiply(U, power, out=self._share)
        attraction = self._squared_distances(share)
        J = float(np.vdot(share, attraction)) + self.floor
        attraction *= power
        attraction *= self.m / J
        value = np.log(J)
        orders = np.tile(np.arange(len(U)), (len(self.groups), 1))
        repulsions = np.empty(len(self.groups))
        for g, other in enumerate(self.groups):
            if self.aligned:
                orders[g] = match_clusters(U, other)
            s = max(np.sqrt(kernel.squared_gap(U, other, orders[g]) / n), SMALLEST_DISTANCE)
            value -= np.log(np.tanh(self.relaxation * s))
            argument = min(2.0 * self.relaxation * s, LARGEST_ARGUMENT)
            repulsions[g] = 2.0 * self.relaxation / np.sinh(argument) / (n * s)
        return float(value), kernel.gradient(U, attraction, self.groups, orders, repulsions).ravel()

    def memberships(self, logits: FloatArray) -> FloatArray:
        """Softmax over the clusters, (k, n); overwritten by the next call."""
        U, table = self._U, logits.reshape(self._U.shape)
        np.exp(np.subtract(table, table.max(axis=0), out=U), out=U)
        U /= U.sum(axis=0)
        return U

    def _squared_distances(self, share: FloatArray) -> FloatArray:
        """|x - v|^2, (k, n), to the best centres for mu^m = `share`."""
        mass = np.maximum(share.sum(axis=1), np.finfo(np.float64).tiny)  # a cluster that no one belongs to is nowhere
        return squared_distances(self.features, (share @ self.rows) / mass[:, None])


def _find_next(
    objective: DeflectedObjective, last: FloatArray, n_starts: int, max_iter: int, rng: np.random.Generator
) -> FloatArray:
    """The lowest of the minima reached from `n_starts` points near the last group."""
    logits = np.log(np.maximum(last, SMALLEST_MEMBERSHIP))
    starts = (logits + rng.normal(0.0, SPREAD, logits.shape) for _ in range(n_starts))
    options = {**OPTIONS, "maxiter": max_iter}
    found = [minimize(objective, start.ravel(), jac=True, method="L-BFGS-B", options=options) for start in starts]
    best = found[first_lowest([minimum.fun for minimum in found])]
    return objective.memberships(best.x).copy()


def _cluster(X: FloatArray, k: int, m: float, rng: np.random.Generator) -> FloatArray:
    """(k, n): the memberships that fuzzy c-means finds from one start."""
    if len(X) < k:
        raise ValueError(f"X has n_samples={len(X)} rows: k={k} needs at least as many.")
    weights = np.ones(len(X))
    centres = minimise(X, weights, draw_starts("k-means++", X, weights, k, 1, rng), m).prototypes
    return np.ascontiguousarray(compute_memberships(X, centres, m).T)


def _check_memberships(first: ArrayLike, n: int, k: int) -> FloatArray:
    """(k, n): the memberships `first`, given as (n, k)."""
    table = check_array(first, dtype=np.float64, input_name="first")
    if table.shape != (n, k):
        raise ValueError(f"first has shape {table.shape}: X with {n} rows and k={k} need ({n}, {k}).")
    if table.min() < 0 or np.abs(table.sum(axis=1) - 1.0).max() > 1e-4:
        raise ValueError("first must hold memberships: no negative values, and rows that sum to 1.")
    return np.ascontiguousarray(table.T)


def match_clusters(U: FloatArray, V: FloatArray) -> IntArray:
    """The order of the rows of `V` (k, n) in which they are nearest to those of `U`.

    |U - V P|^2 = |U|^2 + |V|^2 - 2 <U, V P>: the Hungarian method on the k x k products.
    """
    return np.asarray(linear_sum_assignment(U @ V.T, maximize=True)[1])
