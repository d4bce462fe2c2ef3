"""Denoeux's cautious rule: sources that may share what they know."""

import numpy as np

from emphatic.check import FloatArray, IntArray
from emphatic.fusion.evidence.conjunctive import check_sources
from emphatic.fusion.evidence.masses import Masses
from emphatic.fusion.evidence.sets import SetArray, code_theta
from emphatic.kernels.supersets import add_supersets, take_away_supersets
from emphatic.margins import normalise_rows

LEAST_IGNORANCE = 1e-12
"""Mass on Theta that every source has at least under the cautious rule, which divides by it."""

MOST_SETS = 8192
"""Of focal sets and their intersections; there are up to a quarter of its square of pairs of them."""


def cautious(*sources: Masses) -> Masses:
    r"""Denoeux's cautious rule: evidence that several sources have in common counts once.

    A source is the orthogonal sum of simple ones, which put :math:`1 - w(A)` on a set A and :math:`w(A)` on Theta.
    Their weights follow from the commonality :math:`q(A) = \sum_{B \supseteq A} m(B)`; the least of each is taken:

    .. math:: \ln w_j(A) = -\sum_{B \supseteq A} (-1)^{|B| - |A|} \ln q_j(B), \qquad
        w(A) = \min_j w_j(A), \quad A \ne \Theta

    Associative and idempotent: a source combined with itself is itself. Ignorance is neutral for separable sources, of
    which no weight exceeds 1. As under `smets`, conflict stays on the empty set; `normalise` removes it.

    The weights need mass on Theta. A source with less than 1e-12 there ("dogmatic", as probabilities are) is discounted
    so that it has 1e-12; to choose how much, call `discount` before. So complete contradiction leaves 2e-12 outside the
    empty set, and `conflict` is 1 but for that. Give dogmatic sources all at once: what two of them combine to has
    still less mass on Theta, and would be discounted again.

    Work grows with the pairs of focal sets and their intersections, at most 8192 sets over all samples.

    >>> from emphatic.fusion.evidence import Masses, cautious
    >>> one = Masses.of([0b01, 0b11], [[0.8, 0.2]], 2)
    >>> cautious(one, one).belief(), cautious(one, Masses.of([0b10, 0b11], [[0.5, 0.5]], 2)).belief()
    (array([[0.8, 0. ]]), array([[0.4, 0.1]]))
    """
    n_classes = check_sources(sources)
    given = [_leave_ignorance(one) for one in sources]
    family = _close_under_intersection(given, code_theta(n_classes))
    above = _find_supersets(family)
    masses = np.hstack([_tabulate(one, family) for one in given])  # (sets, sources * n)
    # v = -ln w: the sum of v over all sets that contain A is ln q(A)
    each = take_away_supersets(np.log(add_supersets(masses, *above)), *above)
    v = each.reshape(len(family), len(given), -1).max(axis=1)
    v[0] = 0.0
    v[0] = -add_supersets(v, *above)[-1]  # Theta has no weight of its own: the commonality of the least set is 1
    combined = take_away_supersets(np.exp(add_supersets(v, *above)), *above)
    values = np.ascontiguousarray(np.maximum(combined, 0.0).T)  # -1e-17 is rounding
    kept = np.min([one.kept for one in sources], axis=0)
    return Masses(family[None], normalise_rows(values), n_classes, kept)


def _leave_ignorance(masses: Masses) -> Masses:
    """Discounted where Theta has less than its least mass."""
    ignorance = (masses.values * (masses.sets == code_theta(masses.n_classes))).sum(axis=1)
    dogmatic = ignorance < LEAST_IGNORANCE
    return masses.discount(np.where(dogmatic, (1.0 - LEAST_IGNORANCE) / (1.0 - ignorance * dogmatic), 1.0))


def _close_under_intersection(sources: list[Masses], theta: int) -> SetArray:
    """Focal sets and all their intersections, Theta first, none before one that contains it.

    On every other set the weight is 1: its commonality is that of the least set of the family that contains it.
    """
    family = {theta}
    for focal in np.unique(np.concatenate([one.sets.ravel() for one in sources])).tolist():
        family |= {focal & other for other in family}
        if len(family) > MOST_SETS:
            raise ValueError(
                f"sources have more than {MOST_SETS} focal sets and intersections of them, which is more than the "
                "cautious rule takes: combine fewer samples at once, or fewer sets."
            )
    return np.array(sorted(family, key=lambda code: (-code.bit_count(), code)), dtype=np.int64)


def _tabulate(masses: Masses, family: SetArray) -> FloatArray:
    """(sets of the family, n): the masses, 0 where a set is not focal."""
    order = np.argsort(family)
    rows = order[np.searchsorted(family, masses.sets, sorter=order)]
    table = np.zeros((len(family), len(masses.values)))
    np.add.at(table, (rows, np.arange(len(masses.values))[:, None]), masses.values)
    return table


def _find_supersets(family: SetArray) -> tuple[IntArray, IntArray]:
    """Where the supersets of each set start, and their numbers, as the kernels take them."""
    larger = [np.flatnonzero(family[:i] & code == code) for i, code in enumerate(family)]
    return np.cumsum([0, *map(len, larger)]), np.concatenate(larger)
