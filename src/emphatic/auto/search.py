"""Candidates learn on shared folds; those that cannot win are dropped early, the others are judged out of fold."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from scipy.special import softmax

from emphatic.auto.candidate import Candidate, Part
from emphatic.auto.lesson import Lesson
from emphatic.blending.selection import STRICTNESS, error, log_loss
from emphatic.blending.temperature import best_factor
from emphatic.check import FloatArray
from emphatic.randomness import child_generator

HOPELESS = 6.0
"""A candidate is dropped after one fold if its weight were below e^-6 of the best one's, by that fold alone."""

SAFETY = 1.5
"""Estimates of time may be too low by this much."""


@dataclass(frozen=True)
class Trial:
    """A candidate that has learnt, with its best variant; dropped ones have no `learnt`, and losses of one fold."""

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
        """Whether it was given up after its first fold."""
        return not self.learnt

    @property
    def probabilities(self) -> FloatArray:
        """(n, K), out of fold."""
        return np.asarray(softmax(self.factor * self.scores, axis=1))


class Search:
    """Tries candidates one after another; the parts of each learn side by side, in threads.

    Whatever is random depends on `entropy`, the number of the candidate and the part alone: results are the same for
    every `n_jobs`. Only a `deadline` (of `perf_counter`) makes them depend on the machine.
    """

    def __init__(self, lesson: Lesson, entropy: int, n_jobs: int | None, deadline: float) -> None:
        self.lesson, self.entropy, self.deadline = lesson, entropy, deadline
        self.trials: list[Trial] = []
        self.n_left_out = 0
        self._slowness = 1.0
        self._workers = Parallel(n_jobs=n_jobs, prefer="threads")

    def run(self, candidates: Sequence[Candidate]) -> Iterator[None]:
        """Try all candidates that the time suffices for, the first one in any case; yields after each of them."""
        for number, candidate in enumerate(candidates):
            if not self.trials or self._in_time(candidate):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # a weak candidate is no news: it loses its weight in the blend
                    self._try(number, candidate)
            else:
                self.n_left_out += 1
            yield

    def _in_time(self, candidate: Candidate) -> bool:
        expected = candidate.seconds(self.lesson) * candidate.n_parts(self.lesson)
        to_combine = 5e-7 * self.lesson.n_classes * len(self.lesson.codes) * (1 + len(self.trials))
        return perf_counter() + SAFETY * self._slowness * (expected + to_combine) < self.deadline

    def _try(self, number: int, candidate: Candidate) -> None:
        start, n_parts = perf_counter(), candidate.n_parts(self.lesson)
        learn = delayed(candidate.learn)
        jobs = [learn(self.lesson, part, self._rng(number, part)) for part in range(n_parts)]
        parts: list[Part] = list(self._workers(jobs[:1]))
        if n_parts > 1 and (trial := self._hopeless(candidate, parts[0], start)) is not None:
            self.trials.append(trial)
            return
        parts += self._workers(jobs[1:])
        scores = np.zeros((len(candidate.variants), len(self.lesson.codes), self.lesson.n_classes))
        for part in parts:
            scores[:, part.rows] = part.scores
        trial = self._judged(candidate, slice(None), scores, [part.learnt for part in parts], start)
        self._slowness = max(self._slowness, trial.seconds / (n_parts * candidate.seconds(self.lesson)))
        self.trials.append(trial)

    def _hopeless(self, candidate: Candidate, part: Part, start: float) -> Trial | None:
        """The trial of a candidate that is far behind the best one on the rows of its first fold."""
        if not self.trials:
            return None
        trial = self._judged(candidate, part.rows, part.scores, [], start)
        codes, weights = self.lesson.codes[part.rows], self.lesson.weights[part.rows]
        best = min(log_loss(one.probabilities[part.rows], codes, weights) for one in self.trials if not one.dropped)
        behind = STRICTNESS * np.sqrt(len(codes)) * (trial.loss - best)
        return trial if behind > HOPELESS else None

    def _judged(
        self, candidate: Candidate, rows: Any, scores: FloatArray, learnt: Sequence[Any], start: float
    ) -> Trial:
        """The variant of least loss."""
        codes, weights = self.lesson.codes[rows], self.lesson.weights[rows]
        found = [best_factor(one, codes, weights, self.lesson.doubt) for one in scores]
        variant = min(range(len(found)), key=lambda k: found[k][1])
        factor = found[variant][0]
        said = np.asarray(softmax(factor * scores[variant], axis=1))
        losses = log_loss(said, codes, weights), error(said, codes, weights)
        return Trial(candidate, variant, *losses, factor, scores[variant], learnt, perf_counter() - start)

    def _rng(self, *key: int) -> np.random.Generator:
        return child_generator(self.entropy, *key)
