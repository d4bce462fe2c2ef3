"""Further minima of the objective of fuzzy c-means, by deflection (paper 004)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import minimize
from sklearn.utils.validation import check_array

from emphatic import check
from emphatic.check import FloatArray
from emphatic.clustering.deflected import DeflectedObjective, best_order
from emphatic.clustering.descent import fuzziness, minimise, squarable, unit_of
from emphatic.clustering.starts import drawn
from emphatic.randomness import as_generator
from emphatic.threads import one_thread

SPREAD = 0.5
"""Standard deviation of the noise on the logits of a start."""

SMALLEST_MEMBERSHIP = 1e-12
"""Smaller ones, whose logarithm may be infinite, start as this."""

RELAXATIONS = (1e-6, 1e6)
"""Least and largest: beyond them tanh or its slope is lost to rounding."""

OPTIONS = {"ftol": 1e-8, "gtol": 0.0, "maxcor": 5}
"""Of L-BFGS: it ends when F, a logarithm, falls by no more than 1e-8 of itself. Single slopes go with 1/n: their size
says nothing. And more than 5 pairs of vectors cost more than they save."""


def distance(U: ArrayLike, V: ArrayLike, aligned: bool = True) -> float:
    r"""Distance :math:`\lVert U - V \rVert_F / \sqrt n` of two groups of memberships (n, k).

    With `aligned`, after the columns of V are put in the order that is nearest to U: clusters have no names. It is 0
    for equal groups and at most :math:`\sqrt 2`.

    Examples
    --------
    >>> U, V = [[1, 0], [0, 1]], [[0, 1], [1, 0]]
    >>> distance(U, V, aligned=False), distance(U, V)
    (1.41, 0.0)
    """
    first, second = (check_array(table, dtype=np.float64, input_name=name).T for name, table in (("U", U), ("V", V)))
    if first.shape != second.shape:
        raise ValueError(f"U has shape {first.T.shape} and V {second.T.shape}: they must have the same.")
    if aligned:
        second = second[best_order(first, second)]
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
    r"""Groups of memberships (n_deflections + 1, n, k): a minimum of J, and others away from all before them.

    Group 0 is what fuzzy c-means finds. Every further one minimises J divided by how far it is from those before,

    .. math:: J_{g+1}(U) = J(U) \Big/ \prod_{h \le g} \tanh(\lambda s_h), \qquad
        s_h = \lVert U - U_h \rVert_F / \sqrt n,

    which is infinite at the earlier groups and hardly differs from J away from them. (The slides print the product
    :math:`J \tanh`. Since :math:`J \ge 0` and tanh 0 = 0, that would make :math:`U_h` a global minimum, of value 0.)

    1. Start from logits :math:`\log U_g` of the last group plus noise, N(0, 0.5).
    2. Minimise :math:`\log J_{g+1}` over logits, whose softmax the memberships are, by L-BFGS.
    3. Keep the best of `n_starts`; back to 1.

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
        Whether :math:`s_h` is the least distance over all orders of the clusters of :math:`U_h`. With the plain
        distance the new minimum is mostly a relabelling of the old one, and an entropy of memberships does not see
        labels.
    first : array of shape (n, k) or None, default=None
        Group 0, if not that of fuzzy c-means from a start by k-means++: rows are distributions.
    n_starts : int, default=3
    max_iter : int, default=500
        Largest number of iterations of L-BFGS for each start.
    random_state : int, generator or None, default=None

    Raises
    ------
    ValueError
        Among others if clusters fit X without error, J = 0, as with at most k different rows. Next to such a group
        J / tanh is still nearly 0: nothing deflects from it.

    Notes
    -----
    With g earlier groups an evaluation costs n k (d + g k), and all together holds some 25 n k numbers. On one core a
    start takes about 1.5 s for 5000 x 20 and 20 clusters, and 0.3 s for 3. Aligned distances have kinks where two
    orders are equally near, and a minimum may lie on one. Groups are in float64, computed with one BLAS thread.

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
    m = fuzziness(m)
    check.real("relaxation", relaxation, *RELAXATIONS)
    check.one_of("aligned", aligned, (True, False))
    check.integer("n_starts", n_starts, at_least=1)
    check.integer("max_iter", max_iter, at_least=1)
    rng = as_generator(random_state)
    table = squarable("X", check_array(X, dtype=np.float64, input_name="X"))
    table = table / unit_of(table)
    groups = [_first(table, k, m, rng) if first is None else _given(first, len(table), k)]
    objective = DeflectedObjective(table, m, float(relaxation), aligned)
    with one_thread():  # the products are too small for more
        for _ in range(n_deflections):
            if objective.fits_without_error(groups[-1]):
                raise ValueError(
                    f"k={k} clusters fit X without error (J = 0; X may have no more than {k} different rows), and "
                    "nothing deflects from there: n_deflections must be 0, or k smaller."
                )
            objective.deflect_from(np.stack(groups))
            groups.append(_lowest(objective, groups[-1], n_starts, max_iter, rng))
    return np.ascontiguousarray(np.stack(groups).transpose(0, 2, 1))


def _lowest(
    objective: DeflectedObjective, last: FloatArray, n_starts: int, max_iter: int, rng: np.random.Generator
) -> FloatArray:
    """The lowest minimum of `n_starts` next to the last group."""
    logits = np.log(np.maximum(last, SMALLEST_MEMBERSHIP))
    starts = (logits + rng.normal(0.0, SPREAD, logits.shape) for _ in range(n_starts))
    options = {**OPTIONS, "maxiter": max_iter}
    found = [minimize(objective, start.ravel(), jac=True, method="L-BFGS-B", options=options) for start in starts]
    best = min(found, key=lambda minimum: minimum.fun)
    return objective.memberships(best.x).copy()


def _first(X: FloatArray, k: int, m: float, rng: np.random.Generator) -> FloatArray:
    """(k, n): what fuzzy c-means finds from one start."""
    if len(X) < k:
        raise ValueError(f"X has n_samples={len(X)} rows: k={k} needs at least as many.")
    weights = np.ones(len(X))
    found = minimise(X, weights, drawn("k-means++", X, weights, k, 1, rng), m)
    return np.ascontiguousarray(found.membership.T)


def _given(first: ArrayLike, n: int, k: int) -> FloatArray:
    """(k, n): memberships that a user gives as (n, k)."""
    table = check_array(first, dtype=np.float64, input_name="first")
    if table.shape != (n, k):
        raise ValueError(f"first has shape {table.shape}: X with {n} rows and k={k} need ({n}, {k}).")
    if table.min() < 0 or np.abs(table.sum(axis=1) - 1.0).max() > 1e-4:
        raise ValueError("first must hold memberships: no value below 0, and rows that sum to 1.")
    return np.ascontiguousarray(table.T)
