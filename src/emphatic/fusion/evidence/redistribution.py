"""Proportional conflict redistribution: what is in conflict goes back to the sets that contradict each other."""

from math import prod

import numpy as np

from emphatic.check import FloatArray
from emphatic.fusion.evidence.conjunctive import check_sources, merge, orthogonal_sum
from emphatic.fusion.evidence.masses import Masses, split_conflict
from emphatic.fusion.evidence.sets import SetArray, code_theta
from emphatic.kernels.redistribution import redistribute

MOST_PRODUCTS = 10**11
"""Of masses, over all samples: minutes. There are as many as ways to choose one focal set of each source."""


def pcr6(*sources: Masses) -> Masses:
    r"""PCR6: sets that contradict each other share their product in proportion to their masses.

    .. math:: m(A) = m_\cap(A) + \sum_{A_1 \cap \dots \cap A_s = \emptyset} \;
        \Bigl( \sum_{j : A_j = A} m_j(A_j) \Bigr) \frac{\prod_j m_j(A_j)}{\sum_j m_j(A_j)}, \quad A \ne \emptyset

    with the conjunctive masses :math:`m_\cap` of `smets`, over all sources at once: the rule is not associative. An
    ignorant source is neutral among two, but not among three. The empty set, if a source has mass on it, takes no
    share; products of which all factors lie on it go to Theta.

    Time grows with the ways to choose one focal set of each source, (K + 1)**s for s classifiers.

    >>> from emphatic.fusion.evidence import Masses, pcr6
    >>> both = pcr6(Masses.of([0b01, 0b11], [[0.8, 0.2]], 2), Masses.of([0b10, 0b11], [[0.5, 0.5]], 2))
    >>> both.conflict, both.belief()  # 0.4 is shared as 8 to 5
    (array([0.4]), array([[0.646, 0.254]]))
    """
    n_classes = check_sources(sources)
    given = [merge(one) for one in sources]  # in proportion to all mass of a set: it must be listed once
    n_products = len(given[0].values) * prod(one.sets.shape[1] for one in given)
    if n_products > MOST_PRODUCTS:
        raise ValueError(
            f"sources have {n_products:.1e} products of masses, more than the {MOST_PRODUCTS:.0e} that pcr6 takes: "
            "combine fewer sources, samples or sets at once."
        )
    both = orthogonal_sum(*given)
    sets = _join_sets([*(one.sets for one in given), np.array([[code_theta(n_classes)]])])
    values = np.column_stack([*(one.values for one in given), np.zeros(len(both.values))])
    starts = np.cumsum([0, *(one.sets.shape[1] for one in given)])
    shares = np.zeros_like(values)
    redistribute(sets, values, starts, shares)
    _, inside = split_conflict(both)
    left: FloatArray = both.values * (both.sets != 0)
    result = Masses(_join_sets([both.sets, sets]), np.hstack([left, shares]), n_classes, both.kept * inside)
    return merge(result)


def pcr5(first: Masses, second: Masses) -> Masses:
    r"""PCR5 of two sources, which is PCR6 of two.

    .. math:: m(A) = m_\cap(A) + \sum_{B : A \cap B = \emptyset} \left(
        \frac{m_1(A)^2 \, m_2(B)}{m_1(A) + m_2(B)} + \frac{m_2(A)^2 \, m_1(B)}{m_2(A) + m_1(B)} \right),
        \quad A \ne \emptyset

    Of more sources PCR6 keeps to the proportions better, and is what `pcr6` computes.
    """
    return pcr6(first, second)


def _join_sets(parts: list[SetArray]) -> SetArray:
    """Lists of sets one after the other, with one row if all have one."""
    rows = max(len(one) for one in parts)
    return np.hstack([np.broadcast_to(one, (rows, one.shape[1])) for one in parts])
