"""The fits of a search: on demand, folds beside each other in threads; or on an engine, some before they are needed.

What is tried, and what comes of it, is decided by `Search`, in the order of the candidates: where fits run makes no
difference to that.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from emphatic.auto.candidates.contract import Candidate, Fitted
from emphatic.auto.candidates.training_data import TrainingData
from emphatic.engines import DaskEngine, Engine, Item, run_tasks
from emphatic.engines.tasks import begin, take
from emphatic.hush import ignore_warnings
from emphatic.randomness import child_generator
from emphatic.threads import one_thread

PILOT = -1
"""In place of the number of a fold."""


@dataclass(frozen=True)
class Plan:
    """What the fits of a search depend on: the seed of each is that of its candidate's number and its fold."""

    data: TrainingData
    candidates: Sequence[Candidate]
    entropy: int
    is_first: bool = True
    """Whether candidates may be dropped; in a later pass, all fits are needed."""

    def count_fits(self, number: int) -> int:
        """Of a candidate, its pilot aside."""
        return 1 if self.candidates[number].fits_once else len(self.data.held_out)

    def seed(self, number: int, fold: int) -> np.random.Generator:
        """What a fit draws from; a pilot stands for the first fold."""
        return child_generator(self.entropy, number, max(fold, 0))

    def find_pilot(self, number: int) -> Candidate | None:
        """The pilot of a candidate; the first one has nothing to compare with."""
        return self.candidates[number].make_pilot(self.data.size) if number and self.is_first else None


class Fits(ABC):
    """Where the fits of a plan come from."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    @abstractmethod
    def fit(self, number: int, folds: Sequence[int]) -> list[Fitted]:
        """Fits of a candidate without each of these folds, or of its pilot for `PILOT`."""

    @abstractmethod
    def spent(self, number: int) -> float:
        """Seconds that this candidate has taken so far."""

    def drop(self, number: int) -> None:
        """No more fits of this candidate are needed."""
        return

    def close(self) -> None:
        """No more fits are needed."""
        return


class FitsOnDemand(Fits):
    """In threads of this process."""

    def __init__(self, plan: Plan, n_jobs: int | None) -> None:
        super().__init__(plan)
        self.n_jobs = n_jobs
        self._seconds = dict.fromkeys(range(len(plan.candidates)), 0.0)

    def fit(self, number: int, folds: Sequence[int]) -> list[Fitted]:
        start = perf_counter()
        try:
            return self._fit(number, folds)
        finally:
            self._seconds[number] += perf_counter() - start

    def _fit(self, number: int, folds: Sequence[int]) -> list[Fitted]:
        plan = self.plan
        if folds == [PILOT]:
            pilot = plan.find_pilot(number)
            assert pilot is not None
            return [pilot.fit(plan.data, 0, plan.seed(number, PILOT))]
        items = (Item((plan.data, fold, plan.seed(number, fold))) for fold in folds)
        return run_tasks(plan.candidates[number].fit, items, n_jobs=self.n_jobs, prefer="threads")

    def spent(self, number: int) -> float:
        return self._seconds[number]


class FitsAhead(Fits):
    """On an engine, which always has something to do.

    Whenever it asks, it gets the fit that is waited for; otherwise one that will be needed in any case, which are the
    pilots of later candidates and the first folds of those without a pilot; otherwise one that may be needed, unless
    its candidate is dropped before: that would be wasted, on a worker that had nothing else to do.
    """

    def __init__(self, plan: Plan, engine: Engine) -> None:
        super().__init__(plan)
        self._found: dict[tuple[int, int], Fitted] = {}
        self._seconds = dict.fromkeys(range(len(plan.candidates)), 0.0)
        self._waited_for: list[tuple[int, int]] = []
        certain, uncertain = [], []
        for number in range(len(plan.candidates)):
            folds = [(number, fold) for fold in range(plan.count_fits(number))]
            if plan.find_pilot(number) is not None:
                folds.insert(0, (number, PILOT))
            n_certain = 1 if number and plan.is_first else len(folds)
            certain += folds[:n_certain]
            uncertain += folds[n_certain:]
        self._open = dict.fromkeys([*certain, *uncertain])  # in the order of their urgency
        if isinstance(engine, DaskEngine):  # what is waited for must not wait behind what may be needed
            engine = engine.without_queue()
        self._results: Generator[Any, None, None] = begin(engine, _fit_hushed, self._choose())

    def _choose(self) -> Generator[Item, None, None]:
        while self._open:
            key = next((one for one in self._waited_for if one in self._open), None) or next(iter(self._open))
            del self._open[key]
            number, fold = key
            candidate = self.plan.find_pilot(number) if fold == PILOT else self.plan.candidates[number]
            yield Item((key, candidate, max(fold, 0), self.plan.seed(number, fold)), shared=(self.plan.data,))

    def fit(self, number: int, folds: Sequence[int]) -> list[Fitted]:
        self._waited_for = [(number, fold) for fold in folds]
        while not all(key in self._found for key in self._waited_for):
            key, (fitted, seconds) = take(self._results)
            self._seconds[key[0]] += seconds
            self._found[key] = fitted
        return [self._found.pop(key) for key in self._waited_for]

    def spent(self, number: int) -> float:
        return self._seconds[number]

    def drop(self, number: int) -> None:
        for key in [one for one in self._open if one[0] == number]:
            del self._open[key]
        for key in [one for one in self._found if one[0] == number]:
            del self._found[key]

    def close(self) -> None:
        self._open.clear()
        self._results.close()


def _fit_hushed(data: TrainingData, candidate: Candidate, fold: int, rng: np.random.Generator) -> tuple[Fitted, float]:
    """A fit on a worker, and its seconds. A weak candidate is no news: it loses its weight in the blend."""
    start = perf_counter()
    with one_thread(), ignore_warnings():
        fitted = candidate.fit(data, fold, rng)
    return fitted, perf_counter() - start
