"""The conjunctive rules, of Dempster and of Smets: all sources are right, and what all of them allow is left."""

from __future__ import annotations

from functools import reduce
from math import prod

import numpy as np

from emphatic import check
from emphatic.fusion.evidence.masses import Masses, rescale
from emphatic.fusion.evidence.sets import SetArray, code_theta
from emphatic.kernels.evidence import add_products, multiply_out

LARGEST_TABLE = 2048
"""Sets, of 11 classes: their masses, and the lists of those that are not 0, stay in a first-level cache."""


def orthogonal_sum(*sources: Masses, normalise: bool = False) -> Masses:
    r"""Combine independent sources by Dempster's rule (paper 003, equations 6 and 7).

    .. math:: m(A) = \sum_{A_1 \cap \dots \cap A_s = A} \; \prod_j m_j(A_j)

    As in the paper it is not normalised: contradictions stay on the empty set, whose mass says how much the sources
    disagree. With `normalise` it is removed, but `conflict` still reports it. The order of the sources does not matter.

    Time grows with the pairs of focal sets, memory with those of two sources, but never beyond 2**K sets per sample.
    """
    check_sources(sources)
    if not check.one_of("normalise", normalise, (True, False)):
        return _combine(*sources)
    # rescaled after each source, so that the masses of many contradicting ones do not underflow; but a row without any
    # mass left must stay so: if it became ignorance on the way, the order of the sources would matter
    return reduce(lambda one, other: rescale(_combine(one, other)), sources).normalise()


def smets(*sources: Masses) -> Masses:
    r"""Smets' conjunctive rule: `orthogonal_sum` as it is, with the conflict on the empty set.

    .. math:: m_\cap(A) = \sum_{A_1 \cap \dots \cap A_s = A} \; \prod_j m_j(A_j)

    For an open world: mass on the empty set may also mean that the truth is none of the classes. Associative. Where the
    sources contradict each other completely, all mass lies on the empty set.

    >>> from emphatic.fusion.evidence import Masses, smets
    >>> both = smets(Masses.of([0b01, 0b11], [[0.8, 0.2]], 2), Masses.of([0b10, 0b11], [[0.5, 0.5]], 2))
    >>> both.conflict, both.belief()
    (array([0.4]), array([[0.4, 0.1]]))
    """
    return orthogonal_sum(*sources)


def dempster(*sources: Masses) -> Masses:
    r"""Dempster's rule: the conflict is shared out in proportion to the masses that are left.

    .. math:: m(A) = \frac{m_\cap(A)}{1 - m_\cap(\emptyset)}, \quad A \ne \emptyset

    For independent sources that are all reliable. Associative. Where the sources contradict each other completely, all
    mass goes to Theta.

    >>> from emphatic.fusion.evidence import Masses, dempster
    >>> both = dempster(Masses.of([0b01, 0b11], [[0.8, 0.2]], 2), Masses.of([0b10, 0b11], [[0.5, 0.5]], 2))
    >>> both.conflict, both.belief()
    (array([0.4]), array([[0.667, 0.167]]))
    """
    return orthogonal_sum(*sources, normalise=True)


def check_sources(sources: tuple[Masses, ...]) -> int:
    """The number of classes of the sources, which must agree in it and in the number of samples."""
    if not sources:
        raise ValueError("sources is empty: at least 1 is needed.")
    first = check.instance("sources", sources[0], Masses, "Masses.of([0b01, 0b11], [[0.8, 0.2]], 2)")
    for one in sources[1:]:
        check.instance("sources", one, Masses, "Masses.of([0b01, 0b11], [[0.8, 0.2]], 2)")
        if one.values.shape[0] != first.values.shape[0] or one.n_classes != first.n_classes:
            shapes = [(each.values.shape[0], each.n_classes) for each in (first, one)]
            raise ValueError(f"sources must agree in samples and classes, but two have {shapes[0]} and {shapes[1]}.")
    return int(first.n_classes)


def merge(masses: Masses) -> Masses:
    """The same masses with every set listed once: their orthogonal sum with ignorance, which changes nothing else.

    Where samples have sets of their own, the list of one with few sets is filled up with empty sets of mass 0.
    """
    n, n_classes = len(masses.values), masses.n_classes
    ignorance = Masses(np.array([[code_theta(n_classes)]]), np.ones((n, 1)), n_classes, np.ones(n))
    return _combine(masses, ignorance)


def join_sets(parts: list[SetArray]) -> SetArray:
    """Lists of sets one after the other, with one row if all have one."""
    rows = max(len(one) for one in parts)
    return np.hstack([np.broadcast_to(one, (rows, one.shape[1])) for one in parts])


def _combine(*sources: Masses) -> Masses:
    """The orthogonal sum of the sources, not normalised."""
    n_codes = 2 ** sources[0].n_classes
    own = any(len(one.sets) > 1 for one in sources)
    n_products = prod(one.sets.shape[1] for one in sources)
    if own and n_codes <= min(LARGEST_TABLE, n_products):  # else it takes longer to look through all sets
        return _combine_in_table(sources, n_codes)
    return reduce(_combine_two, sources)


def _combine_in_table(sources: tuple[Masses, ...], n_codes: int) -> Masses:
    """The same where samples have sets of their own, of few classes."""
    n, starts = len(sources[0].values), np.cumsum([0, *(one.sets.shape[1] for one in sources)])
    sets, values = join_sets([one.sets for one in sources]), np.hstack([one.values for one in sources])
    found, combined = np.empty(n * n_codes + 1, dtype=np.int16), np.empty(n * n_codes + 1)
    ends = np.zeros(n + 1, dtype=np.int64)
    multiply_out(sets, values, starts, np.zeros(n_codes), found, combined, ends)
    used, total = np.arange(np.diff(ends).max()) < np.diff(ends)[:, None], ends[-1]
    padded, masses = np.zeros(used.shape, dtype=np.int64), np.zeros(used.shape)
    padded[used], masses[used] = found[:total], combined[:total]
    return Masses(padded, masses, sources[0].n_classes, np.prod([one.kept for one in sources], axis=0))


def _combine_two(first: Masses, second: Masses) -> Masses:
    """The orthogonal sum of two sources with the same sets for all samples, or of many classes."""
    n, n_pairs = len(first.values), first.sets.shape[1] * second.sets.shape[1]
    most = min(n_pairs, 2**first.n_classes)
    sets = np.zeros((max(len(first.sets), len(second.sets)), most), dtype=np.int64)
    values = np.zeros((n, most))
    width = add_products(first.sets, first.values, second.sets, second.values, sets, values)
    # copies: the unused rest of the arrays is freed, and the kernel is compiled for contiguous arrays only
    return Masses(sets[:, :width].copy(), values[:, :width].copy(), first.n_classes, first.kept * second.kept)
