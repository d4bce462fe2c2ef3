"""Yager's rule: what is in conflict is not known."""

from dataclasses import replace

from emphatic.fusion.evidence.conjunctive import orthogonal_sum
from emphatic.fusion.evidence.masses import Masses, move_conflict_to_all, split_conflict


def yager(*sources: Masses) -> Masses:
    r"""Yager's rule: the conflict goes to Theta, as ignorance.

    .. math:: m(A) = m_\cap(A), \quad A \notin \{\emptyset, \Theta\}, \qquad
        m(\Theta) = m_\cap(\Theta) + m_\cap(\emptyset)

    with the conjunctive masses :math:`m_\cap` of `smets`, over all sources at once: the rule is not associative. It
    decides as Dempster's rule does, with less confidence. Where the sources contradict each other completely, all mass
    goes to Theta.

    >>> from emphatic.fusion.evidence import Masses, yager
    >>> both = yager(Masses.of([0b01, 0b11], [[0.8, 0.2]], 2), Masses.of([0b10, 0b11], [[0.5, 0.5]], 2))
    >>> both.conflict, both.belief(), both.belief([0b11]) - both.belief().sum()
    (array([0.4]), array([[0.4, 0.1]]), array([[0.5]]))
    """
    both = orthogonal_sum(*sources)
    _, inside = split_conflict(both)
    return replace(move_conflict_to_all(both), kept=both.kept * inside)
