"""What is known of a candidate after its fits, and how candidates compare on rows that all of them have scored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.special import softmax

from emphatic.auto.candidates.contract import Candidate, LeftOut, Model, PassesLeftOut
from emphatic.auto.candidates.training_data import TrainingData
from emphatic.blending.by_loss import error, log_loss, scale_strictness
from emphatic.blending.greedy import weigh_greedily
from emphatic.blending.temperature import fit_factor
from emphatic.check import FloatArray, IntArray

HOPELESS = 6.0
"""A candidate is dropped after one fold if, by that fold alone, its weight were below e^-6 of the best one's."""

HOPELESS_PILOT = 20.0
"""The same for a pilot, which is worse than what it stands for."""

ENOUGH = 1000
"""Held-out rows on which a blend shows whether it has a use for a candidate. On fewer, chance decides."""


class Pass(NamedTuple):
    """The fits of a candidate on some data, whose folds and weights are those of the pass."""

    data: TrainingData
    learnt: Sequence[Any]


@dataclass(frozen=True)
class CandidateResult:
    """A fitted candidate with its best variant; one that was dropped early has no `passes`.

    `scores` are those of the rows that it is judged on, the mean over the passes.
    """

    candidate: Candidate
    variant: int
    loss: float
    error: float
    factor: float
    scores: FloatArray
    passes: tuple[Pass, ...]
    seconds: float

    @property
    def dropped(self) -> bool:
        """Whether it was given up after a pilot or its first fold."""
        return not self.passes

    @property
    def probabilities(self) -> FloatArray:
        """(n, K), out of fold."""
        return np.asarray(softmax(self.factor * self.scores, axis=1))

    def merge_fits(self) -> Model:
        """One model of all fits."""
        return self.candidate.merge([fit for one in self.passes for fit in one.learnt], self.variant)

    def leave_out(self) -> LeftOut:
        """What scores changed versions of the examples of the data by fits that did not see these examples."""
        passes = tuple(self.candidate.leave_out(one.data, one.learnt, self.variant) for one in self.passes)
        return passes[0] if len(passes) == 1 else PassesLeftOut(passes)


class Judge:
    """Judges candidates by their scores on some rows, whose labels and weights it knows."""

    def __init__(self, codes: IntArray, weights: FloatArray, smoothing: float) -> None:
        self.codes, self.weights, self.smoothing = codes, weights, smoothing

    def judge(
        self, candidate: Candidate, scores: FloatArray, passes: tuple[Pass, ...], seconds: float
    ) -> CandidateResult:
        """The variant with the lowest log loss, of scores (variants, rows, K)."""
        factors = [fit_factor(one, self.codes, self.weights, self.smoothing) for one in scores]
        variant = min(range(len(factors)), key=lambda k: factors[k][1])
        factor = factors[variant][0]
        probabilities = np.asarray(softmax(factor * scores[variant], axis=1))
        losses = log_loss(probabilities, self.codes, self.weights), error(probabilities, self.codes, self.weights)
        return CandidateResult(candidate, variant, *losses, factor, scores[variant], passes, seconds)

    def weigh(self, probabilities: Sequence[FloatArray]) -> FloatArray:
        """Weights in a blend."""
        return weigh_greedily(np.array(probabilities), self.codes, self.weights)

    def is_hopeless(self, result: CandidateResult, others: Sequence[FloatArray], limit: float) -> bool:
        """Whether a candidate is far behind the best of the others."""
        best = min(log_loss(one, self.codes, self.weights) for one in others)
        return bool(scale_strictness(len(self.codes)) * (result.loss - best) > limit)

    @property
    def knows_uses(self) -> bool:
        """Whether there are enough rows to tell what a blend has no use for."""
        return len(self.codes) >= ENOUGH
