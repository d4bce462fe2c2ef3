"""Masses on sets of classes, for many samples at once, and what can be asked of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from emphatic import check
from emphatic.check import FloatArray
from emphatic.fusion.evidence.sets import SetArray, check_sets, code_classes, code_theta
from emphatic.fusion.evidence.supports import ROUNDING, broadcast_reliability, simple_masses
from emphatic.margins import normalise_rows

LARGEST_SUPPORT = 1e100
"""Sums of larger ones could overflow."""


@dataclass(frozen=True, eq=False)
class Masses:
    r"""Masses on sets of classes, one row per sample (paper 003, equation 5); each row sums to 1.

    `Masses.of` builds them from sets and numbers, `Masses.of_supports` from the probabilities of a classifier.

    Attributes
    ----------
    sets : int array (1, S) if all samples have the same focal sets, else (n, S)
        A set may be listed twice: its masses add.
    values : array (n, S)
        The masses. Mass on the set 0, the empty set, is conflict.
    n_classes : int
        Number K of classes, at most 62.
    kept : array (n,)
        Share of each row's mass that was never in conflict, where a rule has moved conflict to other sets; else 1.

    Examples
    --------
    Two witnesses of three suspects: the first is 80% reliable and accuses 0, the second is 90% sure it was 1 or 2.

    >>> from emphatic.fusion.evidence import Masses, orthogonal_sum
    >>> first = Masses.of([0b001, 0b111], [[0.8, 0.2]], n_classes=3)
    >>> second = Masses.of([0b110, 0b111], [[0.9, 0.1]], n_classes=3)
    >>> both = orthogonal_sum(first, second)
    >>> both.conflict, both.belief(), both.plausibility()
    (array([0.72]), array([[0.08, 0.  , 0.  ]]), array([[0.1, 0.2, 0.2]]))
    >>> both.pignistic().round(3)
    array([[0.31 , 0.345, 0.345]])
    """

    sets: SetArray
    values: FloatArray
    n_classes: int
    kept: FloatArray

    @classmethod
    def of(cls, sets: ArrayLike, values: ArrayLike, n_classes: int) -> Self:
        """Masses `values` (n, S) on `sets`, which are (S,), the same for all samples, or (n, S); both are checked."""
        theta = code_theta(n_classes)
        masses = np.ascontiguousarray(check.numbers("values", values))
        if masses.ndim != 2 or masses.size == 0:
            raise ValueError(f"values has shape {masses.shape}: it must be (samples, sets), at least 1 of each.")
        focal = np.atleast_2d(check_sets("sets", sets, theta))
        if focal.shape not in ((1, masses.shape[1]), masses.shape):
            raise ValueError(
                f"sets has shape {np.shape(sets)}: with values of shape {masses.shape} it must be "
                f"({masses.shape[1]},) or {masses.shape}."
            )
        if not (masses >= 0).all():  # NaN is caught as well
            raise ValueError(f"values holds {masses.min():g}: every mass must be at least 0.")
        total = masses.sum(axis=1)
        wrong = np.flatnonzero(~(np.abs(total - 1) <= ROUNDING))
        if len(wrong):
            raise ValueError(f"values of row {wrong[0]} sum to {total[wrong[0]]:g}: the masses of a row must sum to 1.")
        return cls(focal, masses / total[:, None], int(n_classes), np.ones(len(masses)))

    @classmethod
    def of_supports(cls, supports: ArrayLike, reliability: ArrayLike = 1.0) -> Self:
        """Masses on single classes, and ignorance, from a classifier's (n, K) `supports`; see `simple_masses`."""
        given = check.numbers("supports", supports)
        if given.ndim != 2 or given.size == 0:
            raise ValueError(f"supports has shape {given.shape}: it must be (samples, classes), at least 1 of each.")
        if not ((given >= 0) & (given <= LARGEST_SUPPORT)).all():  # NaN is caught as well
            raise ValueError(f"supports must lie in [0, {LARGEST_SUPPORT:g}], and none may be NaN.")
        single, ignorance = simple_masses(given, reliability)
        n_classes = single.shape[1]
        theta = code_theta(n_classes)
        return cls.of([*code_classes(n_classes), theta], np.column_stack([single, ignorance]), n_classes)

    @property
    def conflict(self) -> FloatArray:
        """(n,) mass on the empty set, also if a rule moved it away: 0 where sources agree, 1 where nothing is left."""
        empty, inside = split_conflict(self)
        return np.clip(empty + (1.0 - self.kept) * inside, 0.0, 1.0)

    def normalise(self) -> Masses:
        """The same masses without the empty set, whose mass is shared out in proportion (the K of equation 6).

        Where *all* mass lies on the empty set the quotient is 0/0, and all of it goes to Theta: ignorance. There
        `conflict` is 1.
        """
        return move_conflict_to_all(rescale(self))

    def discount(self, reliability: ArrayLike) -> Masses:
        """Masses times `reliability` in [0, 1], a number or (n,); what is taken from them goes to Theta."""
        trust = broadcast_reliability(reliability, (len(self.values),))
        theta = np.full((len(self.sets), 1), code_theta(self.n_classes))
        values = np.column_stack([self.values * trust[:, None], 1.0 - trust])
        return replace(self, sets=np.hstack([self.sets, theta]), values=values)

    def belief(self, sets: ArrayLike | None = None) -> FloatArray:
        r"""(n, Q) :math:`\mathrm{Bel}(B) = \sum_{\emptyset \ne A \subseteq B} m(A)`; by default for each class."""
        return self._sums(sets, lambda focal, query: (focal != 0) & (focal & ~query == 0))

    def plausibility(self, sets: ArrayLike | None = None) -> FloatArray:
        r"""(n, Q) :math:`\mathrm{Pl}(B) = \sum_{A \cap B \ne \emptyset} m(A)`; by default for each class."""
        return self._sums(sets, lambda focal, query: focal & query != 0)

    def pignistic(self) -> FloatArray:
        r"""(n, K) probabilities to bet on: :math:`\sum_{A \ni c} m(A) / |A|` over :math:`1 - m(\emptyset)`.

        Where all mass lies on the empty set every class has 1/K.
        """
        members = [self.sets >> k & 1 for k in range(self.n_classes)]
        shares = self.values / np.maximum(sum(members), 1)
        bets = np.column_stack([(shares * inside).sum(axis=1) for inside in members])
        return normalise_rows(bets)

    def _sums(self, sets: ArrayLike | None, counts: Any) -> FloatArray:
        """Per queried set, the mass of the focal sets that count towards it."""
        if sets is None:
            queries = code_classes(self.n_classes)
        else:
            queries = np.atleast_1d(check_sets("sets", sets, code_theta(self.n_classes)))
        return np.column_stack([(self.values * counts(self.sets, query)).sum(axis=1) for query in queries])


def split_conflict(masses: Masses) -> tuple[FloatArray, FloatArray]:
    """Mass on the empty set, and on all others (not 1 minus the former, which would lose digits)."""
    empty = masses.sets == 0
    return (masses.values * empty).sum(axis=1), (masses.values * ~empty).sum(axis=1)


def rescale(masses: Masses) -> Masses:
    """Masses outside the empty set divided by their sum; rows where that is 0 stay in full conflict."""
    _, inside = split_conflict(masses)
    scaled = np.divide(
        masses.values * (masses.sets != 0), inside[:, None], out=masses.values.copy(), where=inside[:, None] > 0
    )
    return replace(masses, values=scaled, kept=masses.kept * inside)


def move_conflict_to_all(masses: Masses) -> Masses:
    """The same masses, with that of the empty set on Theta."""
    return replace(masses, sets=np.where(masses.sets == 0, code_theta(masses.n_classes), masses.sets))
