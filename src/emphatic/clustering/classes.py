"""Memberships in classes: clusters that start at the classes, or are matched to them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linear_sum_assignment
from sklearn.utils.validation import check_array

from emphatic import check
from emphatic.check import FloatArray, IntArray
from emphatic.clustering.descent import Array, fuzziness, memberships, minimise, squarable
from emphatic.clustering.starts import drawn
from emphatic.randomness import as_generator


def align(membership: ArrayLike, y: ArrayLike, n_classes: int, *, sample_weight: ArrayLike | None = None) -> Array:
    r"""Memberships with the columns put in the order of the classes that they cover best.

    Clusters have no names. Of all ways to give every class a cluster of its own, the Hungarian method finds the one
    with the largest :math:`\sum_j \sum_{i: y_i = j} w_i \mu_{i \pi(j)}`.

    Parameters
    ----------
    membership : array of shape (n, n_classes)
    y : array of shape (n,)
        Codes 0 .. n_classes - 1; classes without a sample take the clusters that are left.
    n_classes : int
    sample_weight : array of shape (n,) or None

    Examples
    --------
    >>> align([[0.1, 0.9], [0.8, 0.2]], [0, 1], 2)
    array([[0.9, 0.1],
           [0.2, 0.8]])
    """
    table = check_array(membership, dtype=[np.float64, np.float32], input_name="membership")
    codes = _codes(y, n_classes, len(table))
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
    """Memberships (n, n_classes) of the samples in their own and the other classes: where FuzzyBoost starts.

    Fuzzy c-means (`FuzzyCMeans`, its default `tol` and `max_iter`) with a cluster for each class; the slides speak of
    cluster j as "class j" and do not say how one becomes the other. Here clusters are aligned to classes by `align`.

    Parameters
    ----------
    X : array of shape (n, d)
        Numeric, complete, on one scale.
    y : array of shape (n,)
        Codes 0 .. n_classes - 1; every class must have a sample (of positive weight).
    n_classes : int
    m : float, default=2.0
        Fuzziness; 1.5 where many columns make the memberships nearly equal.
    init : {"classes", "random", "supervised"}, default="classes"
        Start at the means of the classes; or at rows drawn at random, as many different ones as classes; or take the
        memberships that belong to the means of the classes, without any iteration.
    random_state : int, generator or None, default=None
        Of the random start.
    sample_weight : array of shape (n,) or None

    Notes
    -----
    Classes of equal means, such as those of identical rows, share all samples equally.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import scale
    >>> X, y = load_wine(return_X_y=True)
    >>> mu = class_memberships(scale(X), y, 3)
    >>> float((mu.argmax(axis=1) == y).mean())
    0.966
    """
    m = fuzziness(m)
    check.one_of("init", init, ("classes", "random", "supervised"))
    table = squarable("X", check_array(X, dtype=[np.float64, np.float32], input_name="X"))
    codes = _codes(y, n_classes, len(table))
    weights = check.distribution("sample_weight", sample_weight, len(table))
    means = _class_means(table, codes, weights, n_classes)
    if init == "supervised":
        return memberships(table, means, m)
    if init == "random":
        start = drawn(init, table, weights, n_classes, 1, as_generator(random_state))
    else:
        start = iter([means])
    found = minimise(table, len(table) * weights, start, m)
    return align(found.membership, codes, n_classes, sample_weight=weights)


def _class_means(X: Array, codes: IntArray, weights: FloatArray, n_classes: int) -> Array:
    absent = np.flatnonzero(np.bincount(codes, weights, minlength=n_classes) == 0)
    if len(absent):
        raise ValueError(
            f"y has no sample of positive weight of class {absent[0]}: n_classes={n_classes} needs one of each class."
        )
    means = [np.average(X[codes == j], axis=0, weights=weights[codes == j]) for j in range(n_classes)]
    return np.stack(means).astype(X.dtype)


def _codes(y: ArrayLike, n_classes: int, n: int) -> IntArray:
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
