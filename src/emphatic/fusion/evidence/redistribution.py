"""Proportional conflict redistribution: what is in conflict goes back to the sets that contradict each other."""

from math import prod

import numpy as np

from emphatic.check import FloatArray
from emphatic.fusion.evidence.conjunctive import check_sources, join_sets, merge, orthogonal_sum
from emphatic.fusion.evidence.masses import Masses, split_conflict
from emphatic.fusion.evidence.sets import SetArray, code_classes, code_theta
from emphatic.kernels.class_redistribution import NODES, STEP, redistribute_classes
from emphatic.kernels.redistribution import redistribute

MOST_PRODUCTS = 10**11
"""Of masses, over all samples: minutes. There are as many as ways to choose one focal set of each source."""

PRODUCTS_PER_TERM = 3
"""Products that take the time of one term where sums over all of them are computed as products of sums."""


def pcr6(*sources: Masses) -> Masses:
    r"""PCR6: sets that contradict each other share their product in proportion to their masses.

    .. math:: m(A) = m_\cap(A) + \sum_{A_1 \cap \dots \cap A_s = \emptyset} \;
        \Bigl( \sum_{j : A_j = A} m_j(A_j) \Bigr) \frac{\prod_j m_j(A_j)}{\sum_j m_j(A_j)}, \quad A \ne \emptyset

    with the conjunctive masses :math:`m_\cap` of `smets`, over all sources at once: the rule is not associative. An
    ignorant source is neutral among two, but not among three. The empty set, if a source has mass on it, takes no
    share; products of which all factors lie on it go to Theta.

    Time grows with the ways to choose one focal set of each source; for sources with masses on single classes and on
    Theta only, as `Masses.of_supports` makes them, with the number of sources.

    >>> from emphatic.fusion.evidence import Masses, pcr6
    >>> both = pcr6(Masses.of([0b01, 0b11], [[0.8, 0.2]], 2), Masses.of([0b10, 0b11], [[0.5, 0.5]], 2))
    >>> both.conflict, both.belief()  # 0.4 is shared as 8 to 5
    (array([0.4]), array([[0.646, 0.254]]))
    """
    n_classes = check_sources(sources)
    given = [merge(one) for one in sources]  # in proportion to all mass of a set: it must be listed once
    both = orthogonal_sum(*given)
    sets = join_sets([*(one.sets for one in given), np.array([[code_theta(n_classes)]])])
    shares = _share_out(given, sets)
    _, inside = split_conflict(both)
    left: FloatArray = both.values * (both.sets != 0)
    result = Masses(join_sets([both.sets, sets]), np.hstack([left, shares]), n_classes, both.kept * inside)
    return merge(result)


def pcr5(first: Masses, second: Masses) -> Masses:
    r"""PCR5 of two sources, which is PCR6 of two.

    .. math:: m(A) = m_\cap(A) + \sum_{B : A \cap B = \emptyset} \left(
        \frac{m_1(A)^2 \, m_2(B)}{m_1(A) + m_2(B)} + \frac{m_2(A)^2 \, m_1(B)}{m_2(A) + m_1(B)} \right),
        \quad A \ne \emptyset

    Of more sources PCR6 keeps to the proportions better, and is what `pcr6` computes.
    """
    return pcr6(first, second)


def _share_out(sources: list[Masses], sets: SetArray) -> FloatArray:
    """(n, sets of all sources, and Theta): what each set of each source gets back of the conflict."""
    widths = [one.sets.shape[1] for one in sources]
    n_products = prod(widths)
    simple = len(sets) == 1 and np.isin(sets, [*code_classes(sources[0].n_classes), sets[0, -1]]).all()
    if simple and n_products > PRODUCTS_PER_TERM * len(NODES) * sum(widths):
        return _share_out_classes(sources, sets[0, -1])
    n = len(sources[0].values)
    if n * n_products > MOST_PRODUCTS:
        raise ValueError(
            f"sources have {n * n_products:.1e} products of masses, more than the {MOST_PRODUCTS:.0e} that pcr6 takes: "
            "combine fewer sources, samples or sets at once."
        )
    values = np.column_stack([*(one.values for one in sources), np.zeros(n)])
    shares = np.zeros_like(values)
    redistribute(sets, values, np.cumsum([0, *widths]), shares)
    return shares


def _share_out_classes(sources: list[Masses], theta: int) -> FloatArray:
    """The same for sources of which every set is a single class or Theta."""
    n, n_classes = len(sources[0].values), sources[0].n_classes
    at = [np.searchsorted([*code_classes(n_classes), theta], one.sets[0]) for one in sources]
    values = np.zeros((n, len(sources), n_classes + 1))
    for j, one in enumerate(sources):
        values[:, j, at[j]] = one.values
    shares = np.zeros_like(values)
    redistribute_classes(values, NODES, STEP, shares)
    of_sources = [np.maximum(shares[:, j, columns], 0.0) for j, columns in enumerate(at)]  # -1e-19 is rounding
    return np.column_stack([*of_sources, np.zeros(n)])
