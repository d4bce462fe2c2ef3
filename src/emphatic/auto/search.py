"""Candidates are fitted on shared folds; those that cannot win are dropped early, the others are scored out of fold."""

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from scipy.special import softmax

from emphatic.auto.candidate import Candidate, Fitted, Model, TrainingData
from emphatic.auto.gradient import GradientTrees
from emphatic.auto.kernels import KernelRidge
from emphatic.auto.networks import Network
from emphatic.auto.scikit_learn import Logistic
from emphatic.auto.trees import BaggedTrees, BoostedTrees
from emphatic.blending.by_loss import error, log_loss, scale_strictness
from emphatic.blending.temperature import fit_factor
from emphatic.check import FloatArray
from emphatic.learners.random_tree import Shape
from emphatic.randomness import child_generator

CHEAPEST = KernelRidge("euclidean", 0.5, most_units=100)
"""There is always time for this one: it is the first in a search with a time budget, and only there."""

MANY_ROWS = 1000
"""From here on gradient-boosted trees are worth their time; below, trees with random thresholds do as well."""

FEW_HISTOGRAMS = 500
"""Inputs times classes: their time grows with it, and on wide tables smooth learners win anyway."""

HOPELESS = 6.0
"""A candidate is dropped after one fold if, by that fold alone, its weight were below e^-6 of the best one's."""

SAFETY = 1.5
"""Estimates of time may be too low by this factor."""


def list_candidates(n: int, n_inputs: int, n_classes: int) -> tuple[Candidate, ...]:
    """For a table of n rows. Cheap and different ones come first: a time budget may end the list anywhere.

    Large tables need deeper trees and more steps of training, and pay for them with time in proportion to n.
    """
    depth = int(np.clip(np.log2(n) - 2.0, 6, 12))
    visits = max(1.0, n / 1000)
    candidates: tuple[Candidate, ...] = (
        KernelRidge("euclidean", 0.5),
        BaggedTrees(),
        Logistic(),
        KernelRidge("cityblock", 2.0),
        Network(dropout=0.3, step=0.01).scale_training(visits),
        BoostedTrees(0.5, Shape(depth)),
        KernelRidge("sqeuclidean", 1.0),
        Network(decay=0.03, step=0.03).scale_training(visits),
        BaggedTrees(Shape(tries="all")),
        KernelRidge("cityblock", 0.5),
        BoostedTrees(0.5, Shape(depth, tries="all")),
    )
    sharp = n >= MANY_ROWS and n_inputs * n_classes <= FEW_HISTOGRAMS
    return (*candidates, GradientTrees()) if sharp else candidates


@dataclass(frozen=True)
class CandidateResult:
    """A fitted candidate with its best variant; one that was dropped has no `learnt`, and losses of one fold."""

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

    def merge_fits(self) -> Model:
        """One model of all fits."""
        return self.candidate.merge(self.learnt, self.variant)


class Search:
    """Tries candidates one after another; the fits of each run side by side, in threads.

    Whatever is random depends on `entropy`, the number of the candidate and the fold alone: results are the same for
    every `n_jobs`. Only a `deadline` (of `perf_counter`) makes them depend on the machine.
    """

    def __init__(self, data: TrainingData, entropy: int, n_jobs: int | None, deadline: float) -> None:
        self.data, self.entropy, self.deadline = data, entropy, deadline
        self.results: list[CandidateResult] = []
        self.n_skipped = 0
        self._slowness = 1.0
        self._workers = Parallel(n_jobs=n_jobs, prefer="threads")

    def run(self, candidates: Sequence[Candidate]) -> Iterator[None]:
        """Try all candidates that there is time for, and the first one in any case; yields after each of them."""
        for number, candidate in enumerate(candidates):
            if not self.results or self._has_time(candidate):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # a weak candidate is no news: it loses its weight in the blend
                    self.results.append(self._try(number, candidate))
            else:
                self.n_skipped += 1
            yield

    def _scored_rows(self, candidate: Candidate) -> list[Any]:
        """Rows that each fit of the candidate scores."""
        return [slice(None)] if candidate.fits_once else list(self.data.folds)

    def _has_time(self, candidate: Candidate) -> bool:
        expected = candidate.seconds(self.data) * len(self._scored_rows(candidate))
        to_blend = 5e-7 * self.data.n_classes * len(self.data.codes) * (1 + len(self.results))
        return perf_counter() + SAFETY * self._slowness * (expected + to_blend) < self.deadline

    def _try(self, number: int, candidate: Candidate) -> CandidateResult:
        start, rows = perf_counter(), self._scored_rows(candidate)
        jobs = [
            delayed(candidate.fit)(self.data, fold, child_generator(self.entropy, number, fold))
            for fold in range(len(rows))
        ]
        fits: list[Fitted] = list(self._workers(jobs[:1]))
        if len(rows) > 1 and self.results:
            result = self._score(candidate, rows[0], fits[0][0], [], start)
            if self._is_hopeless(result, rows[0]):
                return result
        fits += self._workers(jobs[1:])
        scores = np.zeros((len(fits[0][0]), len(self.data.codes), self.data.n_classes))
        for held_out, (found, _) in zip(rows, fits, strict=True):
            scores[:, held_out] = found
        result = self._score(candidate, slice(None), scores, [learnt for _, learnt in fits], start)
        self._slowness = max(self._slowness, result.seconds / (len(rows) * candidate.seconds(self.data)))
        return result

    def _is_hopeless(self, result: CandidateResult, rows: Any) -> bool:
        """Whether a candidate is far behind the best one on the rows of its first fold."""
        codes, weights = self.data.codes[rows], self.data.weights[rows]
        best = min(log_loss(one.probabilities[rows], codes, weights) for one in self.results if not one.dropped)
        return bool(scale_strictness(len(codes)) * (result.loss - best) > HOPELESS)

    def _score(
        self, candidate: Candidate, rows: Any, scores: FloatArray, learnt: Sequence[Any], start: float
    ) -> CandidateResult:
        """The variant with the lowest log loss on these rows."""
        codes, weights = self.data.codes[rows], self.data.weights[rows]
        factors = [fit_factor(one, codes, weights, self.data.smoothing) for one in scores]
        variant = min(range(len(factors)), key=lambda k: factors[k][1])
        factor = factors[variant][0]
        probabilities = np.asarray(softmax(factor * scores[variant], axis=1))
        losses = log_loss(probabilities, codes, weights), error(probabilities, codes, weights)
        return CandidateResult(candidate, variant, *losses, factor, scores[variant], learnt, perf_counter() - start)
