"""Candidates are fitted on shared folds; those that cannot win are dropped early, the others are scored out of fold."""

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from scipy.special import softmax

from emphatic.auto.budget import Budget
from emphatic.auto.candidate import MANY_ROWS, Candidate, Fitted, Model, TrainingData
from emphatic.auto.gradient import GradientTrees
from emphatic.auto.kernels import KernelRidge
from emphatic.auto.logistic import Logistic
from emphatic.auto.networks import Network
from emphatic.auto.trees import BaggedTrees, BoostedTrees
from emphatic.blending.by_loss import error, log_loss, scale_strictness
from emphatic.blending.greedy import weigh_greedily
from emphatic.blending.temperature import fit_factor
from emphatic.check import FloatArray
from emphatic.learners.random_tree import Shape
from emphatic.randomness import child_generator

QUICKEST: Candidate = GradientTrees((20, 40), rate=0.2, leaves=8)
"""The first in a search with a budget: a model within the first second, whatever the size of the table."""

QUICK: tuple[Candidate, ...] = (
    GradientTrees((25, 50, 75, 100, 150, 200), rate=0.1),
    GradientTrees((25, 50, 75, 100, 150), rate=0.1),
    GradientTrees((25, 50, 75, 100), rate=0.1),
)
"""The next: a good model of all rows, with as many rounds as there is time for."""

SLOW, FASTER = GradientTrees(), GradientTrees((25, 50, 75, 100, 150, 200, 300), rate=0.1)
"""Small steps gain most where trees lead, and half as many rounds of larger ones nearly as much. Of many classes, each
of which has its own trees, the slow ones would take most of the time of a fit."""

SHARP_ROWS, FEW_HISTOGRAMS = 1000, 500
"""From so many rows on gradient-boosted trees are worth their time; with fewer, trees with random thresholds do as
well. Inputs times classes may be so many: their time grows with it, and on wide tables smooth learners win anyway."""

DEEP = 25
"""Depth of trees that are not limited by it."""

HOPELESS = 6.0
"""A candidate is dropped after one fold if, by that fold alone, its weight were below e^-6 of the best one's."""

HOPELESS_PILOT = 20.0
"""The same for a pilot, which is worse than what it stands for."""

ENOUGH = 1000
"""Held-out rows on which a blend shows whether it has a use for a candidate. On fewer, chance decides."""

BLENDED = 5e-7
"""Seconds per row, class and candidate to weigh the candidates."""


WIDE = 5
"""Inputs per row from which on a table is wide: columns that separate the rows by chance are everywhere then."""

WIDE_CANDIDATES: tuple[Candidate, ...] = (
    KernelRidge("euclidean", 0.5),
    BaggedTrees(),
    Logistic((0.0001, 0.001, 0.01, 0.1, 1.0)),
    KernelRidge("cityblock", 2.0),
    KernelRidge("sqeuclidean", 1.0),
    Network(dropout=0.3, step=0.01),
    BaggedTrees(Shape(tries="all")),
    KernelRidge("cityblock", 0.5),
)
"""Without trees that are boosted, which follow such columns, and with stronger ridges; without a network that took most
of the time."""


def list_candidates(n: int, n_inputs: int, n_classes: int, *, is_quick: bool = False) -> tuple[Candidate, ...]:
    """For a table of n rows. Cheap and different ones come first: a time budget may end the list anywhere.

    With `is_quick`, those that are worth trying after one of `QUICK`.
    """
    if n_inputs > WIDE * n:
        return WIDE_CANDIDATES
    return _list_for_many(n, n_classes, is_quick) if n >= MANY_ROWS else _list_for_few(n, n_inputs, n_classes)


def _list_for_few(n: int, n_inputs: int, n_classes: int) -> tuple[Candidate, ...]:
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
    sharp = n >= SHARP_ROWS and n_inputs * n_classes <= FEW_HISTOGRAMS
    return (*candidates, GradientTrees((25, 50, 100, 200), rate=0.1, leaves=15, least=0.1)) if sharp else candidates


def _list_for_many(n: int, n_classes: int, is_quick: bool) -> tuple[Candidate, ...]:
    """Each earned its place on tables of 3,000 to 50,000 rows (docs/auto.md); trees and networks lead there."""
    visits = float(np.clip(n / 625, 8, 64))
    network = Network(n_units=256, dropout=0.3, step=0.005).scale_training(visits)
    leading: tuple[Candidate, ...] = (SLOW if n_classes == 2 else FASTER, network)
    if is_quick:  # there are trees already: first what is unlike them, then only those that are much slower
        leading = (network, SLOW) if n_classes == 2 else (network,)
    return (
        *leading,
        BaggedTrees(Shape(DEEP, tries="all", most_tries=20)),
        Logistic(),
        GradientTrees(rate=0.1, leaves=8, least=0.1),
        Network(decay=0.03, step=0.03).scale_training(visits),
        KernelRidge("cityblock", 2.0, most_units=500),
        BoostedTrees(0.5, Shape(12, tries="all", most_tries=20)),
        Network(dropout=0.3, step=0.01).scale_training(visits),
        KernelRidge("sqeuclidean", 1.0, most_units=500),
    )


@dataclass(frozen=True)
class CandidateResult:
    """A fitted candidate with its best variant; one that was dropped has no `learnt`, and losses of one fold.

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
    every `n_jobs`. Only a budget of time makes them depend on the machine.
    """

    def __init__(self, data: TrainingData, entropy: int, n_jobs: int | None, budget: Budget) -> None:
        self.data, self.entropy, self.budget = data, entropy, budget
        self._codes, self._weights = data.codes[data.judged], data.weights[data.judged]
        self.results: list[CandidateResult] = []
        self.n_skipped = 0
        self._workers = Parallel(n_jobs=n_jobs, prefer="threads")

    def run(self, candidates: Sequence[Candidate]) -> Iterator[None]:
        """Try all candidates that there is time for, the first one in any case; yields after each of them."""
        for number, candidate in enumerate(candidates):
            result = None
            if number == 0 or self._has_time(candidate):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # a weak candidate is no news: it loses its weight in the blend
                    result = self._try(number, candidate)
            if result is None:
                self.n_skipped += 1
            else:
                self.results.append(result)
            yield

    def _has_time(self, candidate: Candidate) -> bool:
        size = self.data.size
        to_blend = BLENDED * size.n_classes * size.n * (1 + len(self.results))
        return self.budget.forecast(candidate.family, candidate.work(size)) + to_blend <= self.budget.left()

    def _try(self, number: int, candidate: Candidate) -> CandidateResult | None:
        """Fit it, unless a pilot or its first fold shows that it is hopeless, or (None) that there is no time."""
        start = perf_counter()
        rows: list[Any] = [slice(None)] if candidate.fits_once else list(self.data.held_out)
        jobs = [
            delayed(candidate.fit)(self.data, fold, child_generator(self.entropy, number, fold))
            for fold in range(len(rows))
        ]
        pilot = candidate.make_pilot(self.data.size) if self.results else None
        if pilot is not None:
            scores, _ = pilot.fit(self.data, 0, child_generator(self.entropy, number, 0))
            result = self._score(candidate, slice(None), scores[:, self.data.judged], [], start)
            if self._is_hopeless(result, slice(None), HOPELESS_PILOT) or self._is_useless(result, slice(None)):
                return result
        fits: list[Fitted] = list(self._workers(jobs[:1]))
        work = candidate.seconds(self.data.size)
        self.budget.record(candidate.family, work, perf_counter() - start)
        if len(rows) > 1 and self.results:
            result = self._score(candidate, rows[0], fits[0][0], [], start)
            if self._is_hopeless(result, rows[0], HOPELESS) or self._is_useless(result, rows[0]):
                return result
            if (len(rows) - 1) * self.budget.forecast(candidate.family, work) > self.budget.left():
                return None
        fits += self._workers(jobs[1:])
        for _ in jobs[1:]:
            self.budget.record(candidate.family, work, (perf_counter() - start) / len(jobs))
        scores = np.zeros((len(fits[0][0]), len(self.data.codes), self.data.n_classes))
        for held_out, (found, _) in zip(rows, fits, strict=True):
            scores[:, held_out] = found
        return self._score(candidate, slice(None), scores[:, self.data.judged], [learnt for _, learnt in fits], start)

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
        self, candidate: Candidate, rows: Any, scores: FloatArray, learnt: Sequence[Any], start: float
    ) -> CandidateResult:
        """The variant with the lowest log loss on these rows."""
        codes, weights = self._codes[rows], self._weights[rows]
        factors = [fit_factor(one, codes, weights, self.data.smoothing) for one in scores]
        variant = min(range(len(factors)), key=lambda k: factors[k][1])
        factor = factors[variant][0]
        probabilities = np.asarray(softmax(factor * scores[variant], axis=1))
        losses = log_loss(probabilities, codes, weights), error(probabilities, codes, weights)
        return CandidateResult(candidate, variant, *losses, factor, scores[variant], learnt, perf_counter() - start)
