"""Candidates are fitted on shared folds; those that cannot win are dropped early, the others are scored out of fold."""

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import softmax

from emphatic.auto.candidates.contract import Candidate, Fitted, Model
from emphatic.auto.candidates.training_data import TrainingData
from emphatic.auto.searching.budget import Budget
from emphatic.auto.searching.fits import PILOT, Fits, FitsAhead, FitsOnDemand, Plan
from emphatic.blending.by_loss import error, log_loss, scale_strictness
from emphatic.blending.greedy import weigh_greedily
from emphatic.blending.temperature import fit_factor
from emphatic.check import FloatArray
from emphatic.engines import count_jobs, find_engine, in_threads
from emphatic.hush import ignore_warnings

HOPELESS = 6.0
"""A candidate is dropped after one fold if, by that fold alone, its weight were below e^-6 of the best one's."""

HOPELESS_PILOT = 20.0
"""The same for a pilot, which is worse than what it stands for."""

ENOUGH = 1000
"""Held-out rows on which a blend shows whether it has a use for a candidate. On fewer, chance decides."""

BLENDED = 5e-7
"""Seconds per row, class and candidate to weigh the candidates."""


@dataclass(frozen=True)
class CandidateResult:
    """A fitted candidate with its best variant; one that was dropped early has no `learnt`.

    `scores` are those of the rows that it is judged on.
    """

    candidate: Candidate
    variant: int
    loss: float
    error: float
    factor: float
    scores: FloatArray
    learnt: Sequence[Any]
    seconds: float

    @property
    def dropped(self) -> bool:
        """Whether it was given up after a pilot or its first fold."""
        return not self.learnt

    @property
    def probabilities(self) -> FloatArray:
        """(n, K), out of fold."""
        return np.asarray(softmax(self.factor * self.scores, axis=1))

    def merge_fits(self) -> Model:
        """One model of all fits."""
        return self.candidate.merge(self.learnt, self.variant)


class Search:
    """Tries candidates one after another; the fits of each run side by side, in threads or on an engine.

    Whatever is random depends on `entropy`, the number of the candidate and the fold alone: results are the same for
    every `n_jobs` and `engine`. Only a budget of time makes them depend on the machine.
    """

    def __init__(
        self, data: TrainingData, entropy: int, n_jobs: int | None, budget: Budget, engine: Any = None
    ) -> None:
        self.data, self.entropy, self.budget = data, entropy, budget
        self._codes, self._weights = data.codes[data.judged], data.weights[data.judged]
        self.results: list[CandidateResult] = []
        self.n_skipped = 0
        self.n_jobs, self.engine = n_jobs, engine

    def run(self, candidates: Sequence[Candidate]) -> Generator[None, None, None]:
        """Try all candidates that there is time for, the first one in any case; yields after each of them."""
        with closing(self._begin_fits(Plan(self.data, candidates, self.entropy))) as fits:
            for number, candidate in enumerate(candidates):
                result = None
                if number == 0 or self._has_time(candidate):
                    with ignore_warnings():  # a weak candidate is no news: it loses its weight in the blend
                        result = self._try(number, candidate, fits)
                fits.drop(number)
                if result is None:
                    self.n_skipped += 1
                else:
                    self.results.append(result)
                yield

    def _begin_fits(self, plan: Plan) -> Fits:
        engine = find_engine(self.engine)
        # threads cannot be stopped: with a limit, a fit that may turn out to be in vain is not begun
        if engine is None and np.isinf(self.budget.limit) and (n_jobs := count_jobs(self.n_jobs)) > 1:
            engine = in_threads(n_jobs)
        return FitsOnDemand(plan, self.n_jobs) if engine is None else FitsAhead(plan, engine)

    def add(self, candidate: Candidate, fitted: Fitted, seconds: float) -> None:
        """A candidate that was fitted elsewhere, and scored on the rows that all are judged on."""
        scores, learnt = fitted
        self.results.append(self._score(candidate, slice(None), scores, [learnt], seconds))

    def _has_time(self, candidate: Candidate) -> bool:
        size = self.data.size
        to_blend = BLENDED * size.n_classes * size.n * (1 + len(self.results))
        return self.budget.forecast_candidate(candidate, size) + to_blend <= self.budget.left()

    def _try(self, number: int, candidate: Candidate, source: Fits) -> CandidateResult | None:
        """Fit it, unless a pilot or its first fold shows that it is hopeless, or (None) that there is no time."""
        source.begin(number)

        def score(rows: Any, scores: FloatArray, learnt: Sequence[Any] = ()) -> CandidateResult:
            return self._score(candidate, rows, scores, learnt, source.spent(number))

        rows: list[Any] = [slice(None)] if candidate.fits_once else list(self.data.held_out)
        if self.results and source.plan.find_pilot(number) is not None:
            [(scores, _)] = source.fit(number, [PILOT])
            result = score(slice(None), scores[:, self.data.judged])
            if self._is_hopeless(result, slice(None), HOPELESS_PILOT) or self._is_useless(result, slice(None)):
                return result
        fits = source.fit(number, [0])
        work = candidate.seconds(self.data.size)
        self.budget.record(candidate.family, work, source.spent(number))
        if len(rows) > 1 and self.results:
            result = score(rows[0], fits[0][0])
            if self._is_hopeless(result, rows[0], HOPELESS) or self._is_useless(result, rows[0]):
                return result
            if (len(rows) - 1) * self.budget.forecast(candidate.family, work) > self.budget.left():
                return None
        fits += source.fit(number, range(1, len(rows)))
        for _ in rows[1:]:
            self.budget.record(candidate.family, work, source.spent(number) / len(rows))
        scores = np.zeros((len(fits[0][0]), len(self.data.codes), self.data.n_classes))
        for held_out, (found, _) in zip(rows, fits, strict=True):
            scores[:, held_out] = found
        return score(slice(None), scores[:, self.data.judged], [learnt for _, learnt in fits])

    def _is_hopeless(self, result: CandidateResult, rows: Any, limit: float) -> bool:
        """Whether a candidate is far behind the best one on these rows."""
        codes, weights = self._codes[rows], self._weights[rows]
        best = min(log_loss(one.probabilities[rows], codes, weights) for one in self.results if not one.dropped)
        return bool(scale_strictness(len(codes)) * (result.loss - best) > limit)

    def _is_useless(self, result: CandidateResult, rows: Any) -> bool:
        """Whether a blend of these rows, with what was found so far, has no use for a candidate."""
        codes, weights = self._codes[rows], self._weights[rows]
        if len(codes) < ENOUGH:
            return False
        others = [one.probabilities[rows] for one in self.results if not one.dropped]
        return bool(weigh_greedily(np.array([*others, result.probabilities]), codes, weights)[-1] == 0.0)

    def _score(
        self, candidate: Candidate, rows: Any, scores: FloatArray, learnt: Sequence[Any], seconds: float
    ) -> CandidateResult:
        """The variant with the lowest log loss on these rows."""
        codes, weights = self._codes[rows], self._weights[rows]
        factors = [fit_factor(one, codes, weights, self.data.smoothing) for one in scores]
        variant = min(range(len(factors)), key=lambda k: factors[k][1])
        factor = factors[variant][0]
        probabilities = np.asarray(softmax(factor * scores[variant], axis=1))
        losses = log_loss(probabilities, codes, weights), error(probabilities, codes, weights)
        return CandidateResult(candidate, variant, *losses, factor, scores[variant], learnt, seconds)
