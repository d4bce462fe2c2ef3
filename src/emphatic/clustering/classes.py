"""Memberships in classes: clusters that start at the class means, or are matched to the classes."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linear_sum_assignment
from sklearn.utils.validation import check_array

from emphatic import check
from emphatic.check import FloatArray, IntArray
from emphatic.clustering.fuzzy_c_means import compute_memberships, minimise
from emphatic.clustering.starts import draw_starts
from emphatic.clustering.units import Array, check_fuzziness, check_magnitude
from emphatic.randomness import as_generator

INITS = ("classes", "random", "supervised", "equal")
"""Where memberships in classes come from."""


def align(membership: ArrayLike, y: ArrayLike, n_classes: int, *, sample_weight: ArrayLike | None = None) -> Array:
    r"""Memberships with their columns put in the order of the classes that they cover best.

    Clusters have no labels. Among all ways to assign each class its own cluster, the Hungarian method finds the one
    with the largest :math:`\sum_j \sum_{i: y_i = j} w_i \mu_{i \pi(j)}`.

    Parameters
    ----------
    membership : array of shape (n, n_classes)
    y : array of shape (n,)
        Codes 0 .. n_classes - 1; classes without samples take the clusters that are left over.
    n_classes : int
    sample_weight : array of shape (n,) or None

    Examples
    --------
    >>> align([[0.1, 0.9], [0.8, 0.2]], [0, 1], 2)
    array([[0.9, 0.1],
           [0.2, 0.8]])
    """
    table = check_array(membership, dtype=[np.float64, np.float32], input_name="membership")
    codes = _check_codes(y, n_classes, len(table))
    if table.shape[1] != n_classes:
        raise ValueError(f"membership has {table.shape[1]} columns: n_classes={n_classes} needs as many.")
    weights = check.distribution("sample_weight", sample_weight, len(table))
    covered = np.stack([weights[codes == j] @ table[codes == j] for j in range(n_classes)])
    return np.ascontiguousarray(table[:, linear_sum_assignment(covered, maximize=True)[1]])


def class_memberships(
    X: ArrayLike,
    y: ArrayLike,
    n_classes: int,
    *,
    m: float = 2.0,
    init: str = "classes",
    random_state: Any = None,
    sample_weight: ArrayLike | None = None,
) -> Array:
    """Memberships (n, n_classes) of the samples in their own and the other classes, from which FuzzyBoost starts.

    Fuzzy c-means (as `FuzzyCMeans` with its default `tol` and `max_iter`) with one cluster per class. The paper calls
    cluster j "class j" without saying how clusters are assigned to classes; here `align` does it.

    Parameters
    ----------
    X : array of shape (n, d)
        Numeric, without missing values, with columns on one scale.
    y : array of shape (n,)
        Codes 0 .. n_classes - 1; every class needs a sample of positive weight.
    n_classes : int
    m : float, default=2.0
        Fuzziness; with many columns memberships are nearly equal at 2, and more distinct at 1.5.
    init : {"classes", "random", "supervised", "equal"}, default="classes"
        Start at the class means, or at distinct rows drawn at random; "supervised" takes the memberships that belong
        to the class means, without any iteration. "equal": all are 1/n_classes, without any clusters.
    random_state : int, generator or None, default=None
        For `init="random"`.
    sample_weight : array of shape (n,) or None

    Notes
    -----
    Classes with equal means, such as those of identical rows, share all samples equally.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import scale
    >>> X, y = load_wine(return_X_y=True)
    >>> mu = class_memberships(scale(X), y, 3)
    >>> float((mu.argmax(axis=1) == y).mean())
    0.966
    """
    m = check_fuzziness(m)
    check.one_of("init", init, INITS)
    table = check_magnitude(check_array(X, dtype=[np.float64, np.float32], input_name="X"))
    codes = _check_codes(y, n_classes, len(table))
    weights = check.distribution("sample_weight", sample_weight, len(table))
    means = _class_means(table, codes, weights, n_classes)
    if init == "equal":
        return np.full((len(table), n_classes), 1.0 / n_classes, dtype=table.dtype)
    if init == "supervised":
        return compute_memberships(table, means, m)
    starts: Iterable[Array] = [means]
    if init == "random":
        starts = draw_starts(init, table, weights, n_classes, 1, as_generator(random_state))
    centres = minimise(table, len(table) * weights, starts, m).prototypes
    return align(compute_memberships(table, centres, m), codes, n_classes, sample_weight=weights)


def _class_means(X: Array, codes: IntArray, weights: FloatArray, n_classes: int) -> Array:
    absent = np.flatnonzero(np.bincount(codes, weights, minlength=n_classes) == 0)
    if len(absent):
        raise ValueError(
            f"y has no sample of positive weight of class {absent[0]}: n_classes={n_classes} needs one per class."
        )
    means = [np.average(X[codes == j], axis=0, weights=weights[codes == j]) for j in range(n_classes)]
    return np.stack(means).astype(X.dtype)


def _check_codes(y: ArrayLike, n_classes: int, n: int) -> IntArray:
    check.integer("n_classes", n_classes, at_least=1)
    codes = np.asarray(y)
    if codes.shape != (n,) or codes.dtype.kind not in "iu":
        raise ValueError(f"y has shape {codes.shape} and type {codes.dtype}: it must hold {n} integer codes.")
    if not 0 <= codes.min() <= codes.max() < n_classes:
        raise ValueError(
            f"y holds codes from {codes.min()} to {codes.max()}: with n_classes={n_classes} they must be in "
            f"0 .. {n_classes - 1}."
        )
    return codes.astype(np.intp)
