"""From trials to the blend of the best of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from emphatic.auto.blend import Blend, Member, finished
from emphatic.auto.lesson import Lesson
from emphatic.auto.search import Trial
from emphatic.blending.noise import least_wrong_share
from emphatic.blending.selection import LOSSES, SMALLEST, chosen_weights, error, log_loss
from emphatic.blending.temperature import best_factor
from emphatic.check import FloatArray

LEAST_NOISE = 0.05
"""Less than this share of wrong labels is not corrected for: it may be the overlap of the classes."""


def combined(lesson: Lesson, trials: Sequence[Trial], metric: str, label_noise: str) -> tuple[Blend, FloatArray, float]:
    """The blend, what it says out of fold, and the share of labels that look wrong."""
    trials = [one for one in trials if not one.dropped]
    opinions = np.array([one.probabilities for one in trials])
    codes, weights = lesson.codes, lesson.weights
    shares = chosen_weights(opinions, codes, weights, LOSSES[metric])
    mean = np.tensordot(shares, opinions, axes=1)
    factor, _ = best_factor(np.log(np.maximum(mean, SMALLEST)), codes, weights, lesson.doubt)
    probabilities = finished(mean, factor)
    noise = least_wrong_share(probabilities, codes)
    blend = Blend(
        members=_members(trials, shares),
        factor=factor,
        loss=log_loss(probabilities, codes, weights),
        error=error(probabilities, codes, weights),
        noise=noise if label_noise == "correct" and noise > LEAST_NOISE else 0.0,
        shares=np.bincount(codes, weights).astype(np.float64) if metric == "balanced_accuracy" else None,
        centres=np.ascontiguousarray(lesson.inputs[lesson.units].T, dtype=np.float32),
    )
    return blend, finished(mean, factor, blend.noise, blend.shares), noise


def _members(trials: Sequence[Trial], shares: FloatArray) -> tuple[Member, ...]:
    """Those of positive weight, the heaviest first."""
    members = [
        Member(
            candidate=trial.candidate,
            variant=trial.variant,
            weight=float(share),
            loss=trial.loss,
            error=trial.error,
            factor=trial.factor,
            model=trial.candidate.join(trial.learnt, trial.variant),
        )
        for trial, share in zip(trials, shares, strict=True)
        if share > 0
    ]
    return tuple(sorted(members, key=lambda one: -one.weight))
