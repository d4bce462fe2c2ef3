"""Samples of a table that is too large for the budget: a small one first, then as large a one as there is time for."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import numpy as np

from emphatic.auto.candidates.contract import Candidate
from emphatic.auto.candidates.training_data import Size, count_folds
from emphatic.auto.searching.blend import Blend
from emphatic.auto.searching.budget import Budget
from emphatic.auto.searching.lists import QUICK, QUICKEST, list_candidates
from emphatic.check import IntArray

FIRST = 1000
"""Rows of the first sample: a tenth of a second, and enough to learn the pace of the machine."""

FOR_ALL, FOR_FIRST, FOR_MEMBERS, FOR_MORE_FOLDS = 1.5, 0.9, 0.8, 0.5
"""Shares of what is left that estimates may reach: of all candidates, many of which are given up early; of the first
ones, if there is no time for all; of the members of a blend on more rows; and of all candidates on more folds than
usual, which are a luxury."""

MORE_FOLDS = (10, 5)
"""In place of five or three, for whoever has time: each model learns from more of the rows."""

LEAST_GROWTH, MOST_GROWTH = 1.3, 12.0
"""Of a sample of members over the one before: less is not worth another fit, and forecasts do not reach farther."""

READING = "reading the table"
"""What the pace of encoding is filed under."""


class Sample(NamedTuple):
    """How many rows are tried next, and by which candidates; with `and_all`, by all others for such a table, too.

    With `is_quick` every candidate is fitted once, not once per fold. `n_folds` is None for as many as usual.
    """

    n: int
    candidates: tuple[Candidate, ...] = ()
    and_all: bool = True
    is_quick: bool = False
    n_folds: int | None = None


class Samples:
    """The samples to be tried one after another; after each, `note` must be told what came of it.

    Without a limit that is the whole table, once.
    """

    def __init__(self, n: int, n_columns: int, n_classes: int, has_groups: bool, budget: Budget) -> None:
        self.size = Size(n, n_columns, n_classes, count_folds(n), has_groups)
        self.budget = budget
        self.members: tuple[Candidate, ...] = ()

    def note(self, blend: Blend, size: Size) -> None:
        """The last sample ended in this blend, and its columns became inputs of this size."""
        self.members = tuple(one.candidate for one in blend.members)
        self.size = size._replace(n=self.size.n, n_folds=self.size.n_folds)

    def __iter__(self) -> Iterator[Sample]:
        n = self.size.n
        if not self.limited:
            yield Sample(n)
            return
        if n <= FIRST:
            yield Sample(n, (QUICKEST, QUICK[-1]), n_folds=self._find_more_folds())
            return
        yield Sample(FIRST, (QUICKEST,), and_all=False, is_quick=True)
        sample = self._choose_sample()
        yield sample
        while sample.n < n:
            most = min(n, int(MOST_GROWTH * sample.n))
            larger = self._find_largest(sample.n, most, self.members, FOR_MEMBERS)
            if larger < LEAST_GROWTH * sample.n:
                return
            sample = Sample(larger, self.members, and_all=False, is_quick=True)
            yield sample

    def _choose_sample(self) -> Sample:
        """All rows and folds if there is time for that; otherwise one fit, of as many rows as there is time for."""
        n = self.size.n
        if self._affords(n, list_candidates(*self.size[:3]), FOR_ALL, count_folds(n)):
            return Sample(n, n_folds=self._find_more_folds())
        second = list_candidates(*self.size[:3], is_quick=True)[:1]  # worth more than many rounds of the first
        for others, first in product((second, ()), QUICK):
            if self._affords(n, (first, *others), FOR_FIRST):
                return Sample(n, (first,), is_quick=True)
        return Sample(self._find_largest(FIRST, n, QUICK[-1:], FOR_FIRST), QUICK[-1:], is_quick=True)

    def _find_more_folds(self) -> int | None:
        """As many as there is ample time for, if that is more than usual."""
        usual, candidates = count_folds(self.size.n), list_candidates(*self.size[:3])
        more = [number for number in MORE_FOLDS if usual < number <= self.size.n]
        return next((k for k in more if self._affords(self.size.n, candidates, FOR_MORE_FOLDS, k)), None)

    @property
    def limited(self) -> bool:
        """Whether there may be more than one sample."""
        return bool(np.isfinite(self.budget.limit))

    def _find_largest(self, low: int, high: int, candidates: tuple[Candidate, ...], share: float) -> int:
        """The largest on which one fit of each takes no more than this share of what is left; `low` at least."""
        if self._affords(high, candidates, share):
            return high
        while high - low > low // 50:
            middle = (low + high + 1) // 2
            affordable = self._affords(middle, candidates, share)
            low, high = (middle, high) if affordable else (low, middle - 1)
        return low

    def _affords(self, n: int, candidates: tuple[Candidate, ...], share: float, n_fits: int = 1) -> bool:
        size = self.size._replace(n=n, n_folds=n_fits)
        forecasts = [self.budget.forecast_candidate(one, size) for one in candidates]
        return sum(forecasts, self.budget.forecast(READING, estimate_reading(size))) <= share * self.budget.left()


def estimate_reading(size: Size) -> float:
    """Seconds to encode a table, roughly: columns are looked at, scaled and cut into bins, inputs filled in."""
    columns = size.n_histograms or size.n_inputs
    return 0.01 + size.n * (1.5e-7 * columns + 3e-8 * size.n_inputs)


def rank_rows(codes: IntArray, groups: IntArray | None, rng: np.random.Generator) -> IntArray:
    """Ranks of the rows, for `take_first`: at random, but the first ones have all classes, in their shares.

    Rows of a group have the same rank: a group is in a sample or not, so that rows outside are rows of other groups.

    >>> import numpy as np
    >>> ranks = rank_rows(np.repeat([0, 1], [40, 10]), None, np.random.default_rng(0))
    >>> [int((take_first(ranks, size) >= 40).sum()) for size in (5, 10, 25)]
    [1, 2, 5]
    """
    if groups is not None:
        return rng.permutation(groups.max() + 1)[groups]
    shuffled = rng.permutation(len(codes))
    by_class = shuffled[np.argsort(codes[shuffled], kind="stable")]
    counts = np.bincount(codes)
    starts = np.repeat(np.cumsum(counts) - counts, counts)
    position = (np.arange(len(codes)) - starts) / np.repeat(counts, counts)  # the first of every class have 0
    ranks = np.empty(len(codes), dtype=np.intp)
    ranks[by_class[np.argsort(position, kind="stable")]] = np.arange(len(codes))
    return ranks


def take_first(ranks: IntArray, n: int) -> IntArray:
    """The n rows of the lowest ranks, and those of the same rank as the last of them, in their order."""
    return np.flatnonzero(ranks <= np.partition(ranks, n - 1)[n - 1])
