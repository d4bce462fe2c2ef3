"""How long a search may take: without limit, by the clock, or by estimates that are the same on every machine."""

from abc import ABC, abstractmethod
from time import perf_counter
from typing import ClassVar

import numpy as np

from emphatic.auto.candidates.contract import Candidate
from emphatic.auto.candidates.training_data import Size

RESERVE = 0.05
"""Share of a budget that is kept for what comes after the search."""

NEWEST = 0.5
"""Weight of the last fit in what is known of the pace of fits."""


class Budget(ABC):
    """A limit, what was spent of it, and what a fit would take."""

    limit: float
    ends_fits: ClassVar[bool] = False
    """Whether `is_over` may become true during a fit."""

    @abstractmethod
    def spent(self) -> float:
        """Since the beginning."""

    @abstractmethod
    def forecast(self, family: str, work: float) -> float:
        """What a fit of this family takes that is estimated at so much work, in seconds of an idle core."""

    def forecast_candidate(self, candidate: Candidate, size: Size) -> float:
        """What there must be left to begin with a candidate."""
        work = candidate.least_work(size) if self.ends_fits else candidate.work(size)
        return self.forecast(candidate.family, work)

    @abstractmethod
    def record(self, family: str, work: float, seconds: float) -> None:
        """Take note of a fit: what it was estimated at, and what it took."""

    def left(self) -> float:
        """What may still be spent, the reserve aside."""
        return (1.0 - RESERVE) * self.limit - self.spent()

    def is_over(self) -> bool:
        """Whether a fit that is under way should end where it can."""
        return self.left() <= 0.0


def make_budget(seconds: float | None, work: float | None) -> Budget:
    """By the clock, by work, or without a limit if both are None."""
    if seconds is not None:
        return TimeBudget(seconds)
    return NoBudget() if work is None else WorkBudget(work)


class NoBudget(Budget):
    """Nothing is left out."""

    limit = np.inf

    def spent(self) -> float:
        return 0.0

    def forecast(self, family: str, work: float) -> float:
        return work

    def record(self, family: str, work: float, seconds: float) -> None:
        pass


class TimeBudget(Budget):
    """Seconds of the clock from now on: what else runs on the machine counts, too.

    The pace of this machine is learnt from every fit. It rises and falls with what else runs on it.
    """

    ends_fits = True

    def __init__(self, limit: float) -> None:
        self.limit = limit
        self._start = perf_counter()
        self._paces: dict[str, float] = {}
        self._seconds: dict[str, float] = {}

    def spent(self) -> float:
        return perf_counter() - self._start

    def forecast(self, family: str, work: float) -> float:
        return work * self._paces.get(family, self._best_known)

    def record(self, family: str, work: float, seconds: float) -> None:
        pace = seconds / work
        self._seconds[family] = self._seconds.get(family, 0.0) + seconds
        self._paces[family] = NEWEST * pace + (1.0 - NEWEST) * self._paces.get(family, pace)

    @property
    def _best_known(self) -> float:
        """The pace of the family that took most of the time so far, for one that has not been seen."""
        return self._paces[max(self._seconds, key=self._seconds.__getitem__)] if self._seconds else 1.0


class WorkBudget(Budget):
    """Estimated seconds of an idle core, whatever the clock says: the seed alone decides what is tried."""

    def __init__(self, limit: float) -> None:
        self.limit = limit
        self._spent = 0.0

    def spent(self) -> float:
        return self._spent

    def forecast(self, family: str, work: float) -> float:
        return work

    def record(self, family: str, work: float, seconds: float) -> None:
        self._spent += work
