"""Kappa: how much more two classifiers agree than by chance; and the members whose pairs agree least."""

import math
from collections.abc import Sequence
from numbers import Number

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import column_or_1d

from emphatic import check
from emphatic.check import FloatArray, IntArray

EXACT_IN_FLOAT32 = 2**24
"""Counts up to this are exact in float32, in which matrix products take half the time."""


PRUNINGS = ("pairs", "removal")
"""How `kappa_select` finds the members to keep."""


def kappa(a: ArrayLike, b: ArrayLike) -> float:
    r"""Agreement of two label vectors beyond chance (paper 003, equations 8 and 9).

    .. math:: \kappa = \frac{\Theta_1 - \Theta_2}{1 - \Theta_2}, \quad
              \Theta_1 = \sum_i \frac{C_{ii}}{m}, \quad
              \Theta_2 = \sum_i \Bigl(\sum_j \frac{C_{ij}}{m}\Bigr) \Bigl(\sum_j \frac{C_{ji}}{m}\Bigr)

    C_ij is the number of the m samples to which one assigns class i and the other class j. (Equation 9 misprints an
    index.) Kappa is 1 if both always agree, near 0 if they agree as by chance, negative if they agree less than that.
    For two equal constants it is 0/0; they agree on every sample, so it is set to 1. Labels are numbers, text or
    anything else that can be sorted.

    >>> kappa(["cat", "dog", "dog", "cat"], ["cat", "dog", "cat", "cat"])
    0.5
    >>> kappa([1, 1, 1], [1, 1, 1])
    1.0
    """
    return float(kappa_matrix([column_or_1d(a), column_or_1d(b)])[0, 1])


def kappa_matrix(predictions: ArrayLike | Sequence[ArrayLike]) -> FloatArray:
    r"""Kappa of every pair of rows of `predictions`, (members, n): a symmetric array (members, members).

    With the indicators :math:`B_c` of class c, (members, n), all coincidences are :math:`\sum_c B_c B_c^\top`, and with
    the class counts N, (members, K), all chance agreements are :math:`N N^\top`. Both are integers, so nothing is
    rounded before the one division.

    >>> kappa_matrix([[0, 1, 1, 0], [0, 1, 0, 0], [1, 0, 0, 1]])
    array([[ 1. ,  0.5, -1. ],
           [ 0.5,  1. , -0.5],
           [-1. , -0.5,  1. ]])
    """
    if not np.iterable(predictions):
        raise ValueError(f"predictions={predictions!r} is not allowed: predictions must be a list of label vectors.")
    codes = _codes([column_or_1d(row) for row in predictions])  # type: ignore[union-attr]
    members, n = codes.shape
    number = np.float32 if n <= EXACT_IN_FLOAT32 else np.float64
    together = np.zeros((members, members))
    chance = np.zeros((members, members))
    for code in range(codes.max() + 1):
        indicator = (codes == code).astype(number)
        count = indicator.sum(axis=1, dtype=np.float64)
        together += indicator @ indicator.T
        chance += np.outer(count, count)
    total = float(n) ** 2
    return np.divide(n * together - chance, total - chance, out=np.ones_like(chance), where=chance < total)


def kappa_order(agreement: ArrayLike) -> IntArray:
    """Pairs of members, (pairs, 2), from the least agreement to the most; ties are ordered by index.

    >>> kappa_order([[1.0, 0.5, -1.0], [0.5, 1.0, -0.5], [-1.0, -0.5, 1.0]])
    array([[0, 2],
           [1, 2],
           [0, 1]])
    """
    agreement = _square(agreement)
    first, second = np.triu_indices(len(agreement), k=1)
    order = np.argsort(agreement[first, second], kind="stable")
    return np.column_stack([first, second])[order]


def kappa_select(agreement: ArrayLike, keep: int, pruning: str = "pairs") -> IntArray:
    """The `keep` members that kappa pruning keeps, in ascending order.

    With `pruning` "pairs", that of Margineantu and Dietterich, which the paper cites:

    1. Sort the pairs of members by kappa, the smallest first.
    2. Take both members of each pair until there are `keep`.
    3. If a pair has two new members and one place is left, take the one with the lower mean kappa with all others
       (ties: the first).

    With "removal" (the paper: "to find similar classifiers in order to remove them"), of the pair with the largest
    kappa (ties by index) the later member is dropped, again and again until `keep` are left. So members that stand
    first, such as trees of a single view, outlast their near-copies.

    >>> agreement = [[1.0, 0.5, -1.0], [0.5, 1.0, -0.5], [-1.0, -0.5, 1.0]]
    >>> kappa_select(agreement, keep=2), kappa_select(agreement, keep=1, pruning="removal")
    (array([0, 2]), array([0]))
    """
    check.one_of("pruning", pruning, PRUNINGS)
    agreement = _square(agreement)
    members = len(agreement)
    if check.integer("keep", keep, at_least=1) > members:
        raise ValueError(
            f"keep={keep} is not allowed: there are {members} members, so keep must be an integer in [1, {members}]."
        )
    return _select_by_removal(agreement, keep) if pruning == "removal" else _select_by_pairs(agreement, keep)


def _select_by_pairs(agreement: FloatArray, keep: int) -> IntArray:
    members = len(agreement)
    # sums have the same order as means; fsum does not round, so that equal sums are ties
    mean_kappa = [math.fsum(row) for row in agreement]
    kept: set[int] = set(range(members)) if keep == members else set()
    for pair in kappa_order(agreement).tolist():
        new = [member for member in pair if member not in kept]
        room = keep - len(kept)
        if room == 0:
            break
        kept.update(new if len(new) <= room else [min(new, key=lambda member: (mean_kappa[member], member))])
    return np.array(sorted(kept), dtype=np.intp)


def _select_by_removal(agreement: FloatArray, keep: int) -> IntArray:
    """The pairs from the most alike to the least: each that is still whole loses its later member."""
    first, second = np.triu_indices(len(agreement), k=1)
    kept = set(range(len(agreement)))
    for at in np.argsort(-agreement[first, second], kind="stable").tolist():
        if len(kept) == keep:
            break
        if first[at] in kept:
            kept.discard(int(second[at]))
    return np.array(sorted(kept), dtype=np.intp)


def _square(agreement: ArrayLike) -> FloatArray:
    values = check.numbers("agreement", agreement)
    if values.ndim != 2 or values.shape[0] != values.shape[1] or not len(values):
        raise ValueError(f"agreement has shape {values.shape}: it must be (members, members), as kappa_matrix gives.")
    return values


def _codes(vectors: list[np.ndarray]) -> IntArray:
    """Labels of any one type as codes 0 .. K-1, (members, n)."""
    lengths = [len(vector) for vector in vectors]
    if not lengths or min(lengths) == 0:
        raise ValueError("There are no labels to compare: at least one member and one sample are required.")
    if min(lengths) != max(lengths):
        raise ValueError(f"Label vectors have {min(lengths)} and {max(lengths)} labels: their numbers must agree.")
    kinds = set().union(*map(_kinds, vectors))
    if len(kinds) > 1:  # NumPy would take 1 and "1" for the same
        raise ValueError(
            f"Labels are of mixed type ({', '.join(sorted(kinds))}): all must be of one type, none missing."
        )
    labels = np.stack(vectors)
    if (labels != labels).any() or kinds == {"NoneType"}:
        raise ValueError("Labels contain NaN or None: every label must be given.")
    return np.unique(labels, return_inverse=True)[1].reshape(labels.shape)


def _kinds(vector: np.ndarray) -> set[str]:
    if vector.dtype.kind in "biuf":
        return {"number"}
    types = set(map(type, vector.tolist()))
    return {"text" if issubclass(t, str) else "number" if issubclass(t, Number) else t.__name__ for t in types}
