"""Dempster-Shafer evidence: masses on sets of classes, for many samples at once.

A set of classes is an integer whose bit k says whether class k belongs to it: 0b101 holds the classes 0 and 2, 0 is the
empty set, and 2**K - 1 is Theta, the set of all K classes. Mass on Theta is ignorance.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from emphatic import check
from emphatic.check import FloatArray
from emphatic.kernels.evidence import add_products
from emphatic.margins import normalise_rows

SetArray = NDArray[np.int64]

MOST_CLASSES = 62
"""Sets are 64-bit integers with a sign; fusion by `emphatic.fusion.rules.dempster_shafer` has no such limit."""

LARGEST_SUPPORT = 1e100
"""Sums of larger ones could overflow."""

ROUNDING = 1e-6
"""Masses may miss the sum 1 by this much (as probabilities in float32 do): it is rounding, not ignorance."""


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
        Share of each row's mass that normalisations have kept so far; 1 if there was none.

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
        theta = _theta(n_classes)
        masses = np.ascontiguousarray(check.numbers("values", values))
        if masses.ndim != 2 or masses.size == 0:
            raise ValueError(f"values has shape {masses.shape}: it must be (samples, sets), at least 1 of each.")
        focal = np.atleast_2d(_check_sets("sets", sets, theta))
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
        theta = _theta(n_classes)
        return cls.of([*_singletons(n_classes), theta], np.column_stack([single, ignorance]), n_classes)

    @property
    def conflict(self) -> FloatArray:
        """(n,) mass on the empty set, also if normalised away: 0 where sources agree, 1 where nothing is left."""
        empty, inside = self._parts()
        return np.clip(empty + (1.0 - self.kept) * inside, 0.0, 1.0)

    def normalise(self) -> Masses:
        """The same masses without the empty set, whose mass is shared out in proportion (the K of equation 6).

        Where *all* mass lies on the empty set the quotient is 0/0, and all of it goes to Theta: ignorance. There
        `conflict` is 1.
        """
        scaled = self._rescale()
        return replace(scaled, sets=np.where(scaled.sets == 0, _theta(self.n_classes), scaled.sets))

    def discount(self, reliability: ArrayLike) -> Masses:
        """Masses times `reliability` in [0, 1], a number or (n,); what is taken from them goes to Theta."""
        trust = broadcast_reliability(reliability, (len(self.values),))
        theta = np.full((len(self.sets), 1), _theta(self.n_classes))
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
            queries = _singletons(self.n_classes)
        else:
            queries = np.atleast_1d(_check_sets("sets", sets, _theta(self.n_classes)))
        return np.column_stack([(self.values * counts(self.sets, query)).sum(axis=1) for query in queries])

    def _parts(self) -> tuple[FloatArray, FloatArray]:
        """Mass on the empty set, and on all others (not 1 minus the former, which would lose digits)."""
        empty = self.sets == 0
        return (self.values * empty).sum(axis=1), (self.values * ~empty).sum(axis=1)

    def _rescale(self) -> Masses:
        """Masses outside the empty set divided by their sum; rows where that is 0 stay in full conflict."""
        _, inside = self._parts()
        scaled = np.divide(
            self.values * (self.sets != 0), inside[:, None], out=self.values.copy(), where=inside[:, None] > 0
        )
        return replace(self, values=scaled, kept=self.kept * inside)


def orthogonal_sum(*sources: Masses, normalise: bool = False) -> Masses:
    r"""Combine independent sources by Dempster's rule (paper 003, equations 6 and 7).

    .. math:: m(A) = \sum_{A_1 \cap \dots \cap A_s = A} \; \prod_j m_j(A_j)

    As in the paper it is not normalised: contradictions stay on the empty set, whose mass says how much the sources
    disagree. With `normalise` it is removed, but `conflict` still reports it. The order of the sources does not matter.

    Time grows with the pairs of focal sets, memory with those of two sources, but never beyond 2**K sets per sample.
    """
    if not sources:
        raise ValueError("sources is empty: at least 1 is needed.")
    first = check.instance("sources", sources[0], Masses, "Masses.of([0b01, 0b11], [[0.8, 0.2]], 2)")
    for one in sources[1:]:
        check.instance("sources", one, Masses, "Masses.of([0b01, 0b11], [[0.8, 0.2]], 2)")
        if one.values.shape[0] != first.values.shape[0] or one.n_classes != first.n_classes:
            shapes = [(each.values.shape[0], each.n_classes) for each in (first, one)]
            raise ValueError(f"sources must agree in samples and classes, but two have {shapes[0]} and {shapes[1]}.")
    if not check.one_of("normalise", normalise, (True, False)):
        return reduce(_combine, sources)
    # rescaled after each source, so that the masses of many contradicting ones do not underflow; but a row without any
    # mass left must stay so: if it became ignorance on the way, the order of the sources would matter
    return reduce(lambda one, other: _combine(one, other)._rescale(), sources).normalise()


def simple_masses(supports: FloatArray, reliability: ArrayLike = 1.0) -> tuple[FloatArray, FloatArray]:
    """Masses on single classes, (..., K), and ignorance, (...), from supports and a reliability in [0, 1].

    Supports that sum to more than 1 are divided by their sum; what they lack to 1 is ignorance. Then they are
    discounted: they are multiplied by the reliability, and the rest goes to ignorance.

    >>> import numpy as np
    >>> simple_masses(np.array([[0.75, 0.25], [0.5, 0.0]]), reliability=0.8)
    (array([[0.6, 0.2], [0.4, 0. ]]), array([0.2, 0.6]))
    """
    trust = broadcast_reliability(reliability, supports.shape[:-1])
    total = supports.sum(axis=-1)
    complete = total >= 1.0 - ROUNDING
    single = supports * (trust / np.where(complete, total, 1.0))[..., None]
    return single, 1.0 - trust * np.where(complete, 1.0, total)


def broadcast_reliability(value: ArrayLike, shape: tuple[int, ...]) -> FloatArray:
    """`value`, with all numbers in [0, 1], broadcast to `shape`; missing axes are added at its end."""
    trust = np.asarray(value, dtype=np.float64)
    if trust.shape != shape[: trust.ndim]:
        raise ValueError(
            f"reliability has shape {trust.shape}: it must be a number or have shape {shape[:1]} or {shape}."
        )
    if not ((trust >= 0) & (trust <= 1)).all():  # NaN is caught as well
        raise ValueError(f"reliability={value!r} is not allowed: reliability must lie in [0, 1].")
    return np.broadcast_to(trust.reshape(trust.shape + (1,) * (len(shape) - trust.ndim)), shape)


def _combine(first: Masses, second: Masses) -> Masses:
    """The orthogonal sum of two sources."""
    n, n_pairs = len(first.values), first.sets.shape[1] * second.sets.shape[1]
    most = min(n_pairs, 2**first.n_classes)
    sets = np.zeros((max(len(first.sets), len(second.sets)), most), dtype=np.int64)
    values = np.zeros((n, most))
    width = add_products(first.sets, first.values, second.sets, second.values, sets, values)
    # copies: the unused rest of the arrays is freed, and the kernel is compiled for contiguous arrays only
    return Masses(sets[:, :width].copy(), values[:, :width].copy(), first.n_classes, first.kept * second.kept)


def _singletons(n_classes: int) -> SetArray:
    return np.int64(1) << np.arange(n_classes, dtype=np.int64)


def _theta(n_classes: int) -> int:
    if check.integer("n_classes", n_classes, at_least=1) > MOST_CLASSES:
        raise ValueError(f"n_classes={n_classes} is not allowed: n_classes must be at most {MOST_CLASSES}.")
    return int(2**n_classes - 1)


def _check_sets(name: str, sets: ArrayLike, theta: int) -> SetArray:
    focal = np.asarray(sets)
    if focal.dtype.kind not in "iu" or focal.ndim > 2 or ((focal < 0) | (focal > theta)).any():
        raise ValueError(f"{name}={sets!r} is not allowed: {name} must hold integers from 0 (empty) to {theta} (all).")
    return np.ascontiguousarray(focal, dtype=np.int64)
