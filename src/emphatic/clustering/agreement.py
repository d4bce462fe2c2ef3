"""How well two fuzzy partitions of the same rows agree: the fuzzy adjusted Rand index of Campello (2007)."""

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_array

from emphatic.check import FloatArray
from emphatic.clustering.validity import ROUNDING

BLOCK = 64
"""Rows whose pairs with all others are looked at together."""


def fuzzy_adjusted_rand_score(first: ArrayLike, second: ArrayLike) -> float:
    r"""The adjusted Rand index of two fuzzy partitions, by Campello; for crisp ones that of scikit-learn.

    How far two rows are in the *same* cluster, and how far in *different* ones, is, with memberships u,

    .. math:: s(i, k) = \max_j \min(u_{ij}, u_{kj}) , \qquad t(i, k) = \max_{j \ne l} \min(u_{ij}, u_{kl}) .

    Over all pairs of rows, a is the sum of :math:`\min(s_1, s_2)`, b of :math:`\min(s_1, t_2)`, c of
    :math:`\min(t_1, s_2)` and d of :math:`\min(t_1, t_2)`, where 1 and 2 are the partitions. The index is
    :math:`2 (a d - b c) / ((a + b)(b + d) + (a + c)(c + d))`: about 0 for partitions that have nothing to do with each
    other, and 1 for equal crisp ones.

    Parameters
    ----------
    first, second : arrays of shape (n, c), or labels of shape (n,)
        Memberships in [0, 1]; the numbers of clusters may differ. Labels are crisp memberships.

    Notes
    -----
    Two equal partitions that are fuzzy have an index below 1, as nobody knows how the rows inside of it are shared. The
    time grows with the square of n.

    References
    ----------
    R. J. G. B. Campello, "A fuzzy extension of the Rand index and other related indexes for clustering and
    classification assessment", Pattern Recognition Letters 28 (2007).

    Examples
    --------
    >>> from emphatic.clustering import fuzzy_adjusted_rand_score
    >>> fuzzy_adjusted_rand_score([0, 0, 1, 1], [[1, 0], [1, 0], [0, 1], [0, 1]])
    1.0
    >>> fuzzy_adjusted_rand_score([0, 0, 1, 1], [[0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0.0, 1.0]])
    0.5
    """
    U, V = _as_memberships("first", first), _as_memberships("second", second)
    if len(U) != len(V):
        raise ValueError(f"first has {len(U)} rows and second has {len(V)}: their numbers must agree.")
    a = b = c = d = 0.0
    for start in range(0, len(U), BLOCK):
        rows = slice(start, start + BLOCK)
        later = np.arange(len(U)) > np.arange(len(U))[rows, None]  # each pair once
        same, other = _bonds(U, rows)
        same_too, other_too = _bonds(V, rows)
        a += float(np.minimum(same, same_too)[later].sum())
        b += float(np.minimum(same, other_too)[later].sum())
        c += float(np.minimum(other, same_too)[later].sum())
        d += float(np.minimum(other, other_too)[later].sum())
    if b == 0 and c == 0:
        return 1.0
    return 2.0 * (a * d - b * c) / ((a + b) * (b + d) + (a + c) * (c + d))


def _bonds(U: FloatArray, rows: slice) -> tuple[FloatArray, FloatArray]:
    """(block, n): how far each of these rows is in one cluster with each other row, and how far in different ones."""
    block = U[rows]
    same, other = (np.zeros((len(block), len(U))) for _ in range(2))
    for j in range(U.shape[1]):
        np.maximum(same, np.minimum(block[:, j, None], U[:, j]), out=same)
        elsewhere = np.delete(block, j, axis=1).max(axis=1, initial=0.0)
        np.maximum(other, np.minimum(elsewhere[:, None], U[:, j]), out=other)
    return same, other


def _as_memberships(name: str, given: ArrayLike) -> FloatArray:
    values = np.asarray(given)
    if values.ndim == 1 and len(values):
        codes = np.unique(check_array(values[:, None], dtype=None, input_name=name).ravel(), return_inverse=True)[1]
        return np.eye(codes.max() + 1)[codes]
    table = check_array(given, dtype=np.float64, input_name=name)
    if table.min() < -ROUNDING or table.max() > 1 + ROUNDING:
        raise ValueError(f"{name} holds values from {table.min():g} to {table.max():g}: they must lie in [0, 1].")
    return np.clip(table, 0.0, 1.0)
