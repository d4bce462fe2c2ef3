"""Dubois and Prade's rule: of sources that contradict each other, one is right."""

import numpy as np

from emphatic.fusion.evidence.conjunctive import check_sources, merge, orthogonal_sum
from emphatic.fusion.evidence.masses import Masses
from emphatic.fusion.evidence.sets import MOST_CLASSES, SetArray, code_theta


def dubois_prade(*sources: Masses) -> Masses:
    r"""Dubois and Prade's rule: sets that contradict each other give their product to their union.

    .. math:: m(A) = \sum_{A_1 \cap \dots \cap A_s = A} \; \prod_j m_j(A_j)
        + \sum_{\substack{A_1 \cap \dots \cap A_s = \emptyset \\ A_1 \cup \dots \cup A_s = A}} \; \prod_j m_j(A_j),
        \quad A \ne \emptyset

    Over all sources at once: the rule is not associative. A product of which one factor lies on Theta, and others
    contradict each other, goes to Theta: an ignorant source is neutral among two, but not among three. Products of
    which all factors lie on the empty set go to Theta as well. For up to 31 classes.

    >>> from emphatic.fusion.evidence import Masses, dubois_prade
    >>> both = dubois_prade(Masses.of([0b001, 0b111], [[0.8, 0.2]], 3), Masses.of([0b010, 0b111], [[0.5, 0.5]], 3))
    >>> both.conflict, both.belief(), both.belief([0b011]) - both.belief([0b001, 0b010]).sum()
    (array([0.4]), array([[0.4, 0.1, 0. ]]), array([[0.4]]))
    """
    n_classes = check_sources(sources)
    if 2 * n_classes > MOST_CLASSES:
        raise ValueError(f"sources have {n_classes} classes: dubois_prade takes at most {MOST_CLASSES // 2}.")
    theta = code_theta(n_classes)
    # A set beside its complement: both are intersected, and what is common to all complements is outside the union.
    both = orthogonal_sum(
        *(Masses(_add_complements(one.sets, n_classes), one.values, 2 * n_classes, one.kept) for one in sources)
    )
    intersection, union = both.sets & theta, theta & ~(both.sets >> n_classes)
    agree = intersection != 0
    focal = np.where(agree, intersection, np.where(union != 0, union, theta))
    kept = both.kept * (both.values * agree).sum(axis=1)
    return merge(Masses(focal, both.values, n_classes, kept))


def _add_complements(sets: SetArray, n_classes: int) -> SetArray:
    """Bits 0 to K - 1 are the set, bits K to 2K - 1 its complement."""
    return sets | ((code_theta(n_classes) & ~sets) << n_classes)
