"""Candidates are fitted on shared folds; those that cannot win are dropped early, the others are scored out of fold."""

from collections.abc import Collection, Generator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from emphatic.auto.candidates.contract import Candidate, Fitted
from emphatic.auto.candidates.training_data import TrainingData
from emphatic.auto.searching.budget import Budget
from emphatic.auto.searching.fits import PILOT, Fits, FitsAhead, FitsOnDemand, Plan
from emphatic.auto.searching.results import HOPELESS, HOPELESS_PILOT, CandidateResult, Judge, Pass
from emphatic.check import FloatArray
from emphatic.engines import count_jobs, find_engine, in_threads
from emphatic.hush import ignore_warnings

BLENDED = 5e-7
"""Seconds per row, class and candidate to weigh the candidates."""


class Trial(NamedTuple):
    """A candidate that was fitted without the first fold only, and how it did there."""

    number: int
    result: CandidateResult
    fits: Sequence[Fitted]


class Search:
    """Tries candidates one after another; the fits of each run side by side, in threads or on an engine.

    Whatever is random depends on `entropy`, the number of the candidate and the fold alone: results are the same for
    every `n_jobs` and `engine`. Only a budget of time makes them depend on the machine.
    """

    def __init__(
        self, data: TrainingData, entropy: int, n_jobs: int | None, budget: Budget, engine: Any = None
    ) -> None:
        self.data, self.entropy, self.budget = data, entropy, budget
        self.n_jobs, self.engine = n_jobs, engine
        self.results: list[CandidateResult] = []
        self.n_skipped = 0
        self._judge = Judge(data.codes[data.judged], data.weights[data.judged], data.smoothing)
        first = data.held_out[0]
        self._first_places = np.searchsorted(data.judged, first)
        self._first_judge = Judge(data.codes[first], data.weights[first], data.smoothing)

    def run(self, candidates: Sequence[Candidate]) -> Generator[None, None, None]:
        """Try all candidates that there is time for, the first one in any case.

        Each is fitted without the first fold, on which all are compared. Those that are far behind are dropped, and, of
        many rows, those that a blend of this fold has no use for. The others are fitted without each of the other
        folds, too. Once there is something to blend, it yields for each candidate that is done with.
        """
        n_told = len(self.results) + self.n_skipped
        with closing(self._run(candidates)) as steps:
            for _ in steps:
                n_done = len(self.results) + self.n_skipped
                if self.has_blend:
                    yield from (None for _ in range(n_told, n_done))
                    n_told = n_done

    @property
    def has_blend(self) -> bool:
        """Whether there is something to blend."""
        return any(not one.dropped for one in self.results)

    def _run(self, candidates: Sequence[Candidate]) -> Generator[None, None, None]:
        """The same; yields after every step."""
        with closing(self._begin_fits(Plan(self.data, candidates, self.entropy))) as fits:
            trials: list[Trial] = []
            for number, candidate in enumerate(candidates):
                trial = None
                if number == 0 or self._has_time(candidate):
                    with ignore_warnings():  # a weak candidate is no news: it loses its weight in the blend
                        trial = self._try(number, candidate, fits, trials)
                else:
                    self.n_skipped += 1
                if trial is None:
                    fits.drop(number)
                else:
                    trials.append(trial)
                yield
            yield from self._settle(trials, fits)
        # in the order of the list; what was added before comes first
        self.results.sort(key=lambda one: candidates.index(one.candidate) if one.candidate in candidates else -1)

    def _begin_fits(self, plan: Plan) -> Fits:
        engine = find_engine(self.engine)
        # threads cannot be stopped: with a limit, a fit that may turn out to be in vain is not begun
        if engine is None and np.isinf(self.budget.limit) and (n_jobs := count_jobs(self.n_jobs)) > 1:
            engine = in_threads(n_jobs)
        return FitsOnDemand(plan, self.n_jobs) if engine is None else FitsAhead(plan, engine)

    def add(self, candidate: Candidate, fitted: Fitted, seconds: float) -> None:
        """A candidate that was fitted elsewhere, and scored on the rows that all are judged on."""
        scores, learnt = fitted
        self.results.append(self._judge.judge(candidate, scores, (Pass(self.data, [learnt]),), seconds))

    def run_again(
        self, data: TrainingData, entropy: int, candidates: Collection[Candidate]
    ) -> Generator[None, None, None]:
        """One more pass: fit these candidates again, and judge them by the mean of all passes; yields after each.

        `data` are the same rows with other folds and weights. What there is no time for stays as it is.
        """
        places = [place for place, one in enumerate(self.results) if one.candidate in candidates]
        plan = Plan(data, [self.results[place].candidate for place in places], entropy, is_first=False)
        with closing(self._begin_fits(plan)) as fits:
            for number, place in enumerate(places):
                before = self.results[place]
                if self.has_time_again(before.candidate):
                    with ignore_warnings():
                        found = self._complete(number, before.candidate, fits)
                        self.results[place] = self._add_pass(before, *found, fits.spent(number))
                fits.drop(number)
                yield

    def _has_time(self, candidate: Candidate) -> bool:
        return self.budget.forecast_candidate(candidate, self.data.size) + self._to_blend() <= self.budget.left()

    def has_time_again(self, candidate: Candidate) -> bool:
        """Whether there is time to fit it once more, to the end: a worse fit would make the mean worse."""
        work = candidate.work(self.data.size)
        return self.budget.forecast(candidate.family, work) + self._to_blend() <= self.budget.left()

    def _to_blend(self) -> float:
        """Seconds for one candidate more."""
        return BLENDED * self.data.n_classes * len(self.data.codes) * (1 + len(self.results))

    def _add_pass(self, before: CandidateResult, scores: FloatArray, last: Pass, seconds: float) -> CandidateResult:
        """With the same variant as before."""
        passes = (*before.passes, last)
        mean = before.scores + (scores[before.variant] - before.scores) / len(passes)
        after = self._judge.judge(before.candidate, mean[None], passes, before.seconds + seconds)
        return replace(after, variant=before.variant)

    def _try(self, number: int, candidate: Candidate, source: Fits, trials: Sequence[Trial]) -> Trial | None:
        """Fit it without the first fold; None if no more is to be done: a pilot shows that, or one fit scores all."""
        judge = self._first_judge
        if source.plan.find_pilot(number) is not None:
            known = self._score_first(trials)
            [(scores, _)] = source.fit(number, [PILOT])
            pilot = judge.judge(candidate, scores[:, self.data.held_out[0]], (), source.spent(number))
            is_useless = judge.knows_uses and judge.weigh([*known, pilot.probabilities])[-1] == 0.0
            if is_useless or judge.is_hopeless(pilot, known, HOPELESS_PILOT):
                self.results.append(pilot)
                return None
        if len(_list_rows(candidate, self.data)) == 1:
            self.results.append(self._judge_all(number, candidate, source))
            return None
        fits = self._fit(number, candidate, source, [0])
        return Trial(number, judge.judge(candidate, fits[0][0], (), source.spent(number)), fits)

    def _settle(self, trials: Sequence[Trial], source: Fits) -> Generator[None, None, None]:
        """Complete the trials, those of the largest weights first, or drop them; yields after each."""
        if not trials:
            return
        judge, known = self._first_judge, self._score_first(trials)
        weights = judge.weigh(known)[-len(trials) :]
        for place in np.argsort(-weights, kind="stable"):
            number, result, fits = trials[place]
            is_useless = judge.knows_uses and weights[place] == 0.0
            if is_useless or judge.is_hopeless(result, known, HOPELESS):
                self.results.append(result)
            elif self.has_blend and not self._has_time_for_rest(result.candidate):
                self.n_skipped += 1
            else:
                with ignore_warnings():
                    self.results.append(self._judge_all(number, result.candidate, source, fits))
            source.drop(number)
            yield

    def _score_first(self, trials: Sequence[Trial]) -> list[FloatArray]:
        """Probabilities of the first fold: by what is complete, then by the trials."""
        complete = [one.probabilities[self._first_places] for one in self.results if not one.dropped]
        return [*complete, *(one.result.probabilities for one in trials)]

    def _has_time_for_rest(self, candidate: Candidate) -> bool:
        """Whether there is time for all folds but the first."""
        work = candidate.work(self.data.size) - candidate.seconds(self.data.size)
        return self.budget.forecast(candidate.family, work) <= self.budget.left()

    def _judge_all(
        self, number: int, candidate: Candidate, source: Fits, fits: Sequence[Fitted] = ()
    ) -> CandidateResult:
        """By all fits, of which there may be some already."""
        scores, only = self._complete(number, candidate, source, fits)
        return self._judge.judge(candidate, scores, (only,), source.spent(number))

    def _complete(
        self, number: int, candidate: Candidate, source: Fits, fits: Sequence[Fitted] = ()
    ) -> tuple[FloatArray, Pass]:
        """All fits of a pass, of which there may be some already: scores of the rows that are judged, and the pass."""
        data = source.plan.data
        rows = _list_rows(candidate, data)
        fits = [*fits, *self._fit(number, candidate, source, range(len(fits), len(rows)))]
        scores = np.zeros((len(fits[0][0]), len(data.codes), data.n_classes))
        for held_out, (found, _) in zip(rows, fits, strict=True):
            scores[:, held_out] = found
        return scores[:, self.data.judged], Pass(data, [learnt for _, learnt in fits])

    def _fit(self, number: int, candidate: Candidate, source: Fits, folds: Sequence[int]) -> list[Fitted]:
        """Fits without each of these folds, from which the budget learns the pace of the machine."""
        before, work = source.spent(number), candidate.seconds(self.data.size)
        fits = source.fit(number, folds)
        for _ in folds:
            self.budget.record(candidate.family, work, (source.spent(number) - before) / len(folds))
        return fits


def _list_rows(candidate: Candidate, data: TrainingData) -> list[Any]:
    """Those that each fit of a candidate scores."""
    return [slice(None)] if candidate.fits_once else list(data.held_out)
