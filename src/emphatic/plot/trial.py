"""The weights of an emphasis as a function of the margin: tried on made-up samples, as is whether it is one."""

from typing import Any

import numpy as np
from sklearn.base import clone

from emphatic.base import Emphasis, Stage
from emphatic.check import FloatArray, IntArray

CLOSE = 1e-6
"""Weights that differ by less than this share differ by rounding, or by the tolerance of a solver."""


def weights_at(emphasis: Emphasis, margins: FloatArray, total_alpha: float) -> FloatArray:
    """(candidates, n): the distributions that an emphasis offers when the samples have these margins.

    The round is made up: one learner has answered m / total_alpha, in [-1, 1], and got the vote total_alpha, so that
    the score is m; the samples are points at random, all of class 1 of two.

    An emphasis that needs a certain learner, or of which the weights change when the samples exchange their margins,
    or have other inputs or labels, is no function of the margin, and is refused.

    >>> from emphatic.emphasis import Exponential
    >>> weights_at(Exponential(), np.array([0.0, np.log(3.0)]), 2.0)
    array([[0.75, 0.25]])
    """
    emphasis.check_parameters()
    if emphasis.learner_type is not object:
        raise _refusal(emphasis, f"it needs a learner that is a {emphasis.learner_type.__name__}")
    n = len(margins)
    table, other_table = np.random.default_rng(0).normal(size=(2, n, 2))
    ones, both = np.ones(n, dtype=np.intp), np.arange(n, dtype=np.intp) % 2
    turned = np.roll(np.arange(n), n // 2)
    found = _try_round(emphasis, table, ones, margins, total_alpha)
    if not _agree(_try_round(emphasis, table, ones, margins[turned], total_alpha), found[:, turned]):
        raise _refusal(emphasis, "samples that exchange their margins do not exchange their weights")
    if not _agree(_try_round(emphasis, other_table, both, margins, total_alpha), found):
        raise _refusal(emphasis, "they depend on the inputs or on the labels of the samples")
    return found


def _try_round(emphasis: Emphasis, X: FloatArray, y: IntArray, margins: FloatArray, total_alpha: float) -> FloatArray:
    """What a fresh clone offers after one made-up round."""
    fresh: Emphasis = clone(emphasis)
    try:
        weights = np.atleast_2d(fresh.start(X, y))[0]
        stage = _make_stage(X, y, weights, margins, total_alpha, fresh.largest_edge(len(y)))
        fresh.observe(stage)  # before `update`, as in `Growth`
        offered = np.atleast_2d(fresh.update(stage)).astype(np.float64)
    except Exception as error:  # of whatever kind: it asked for what the made-up round does not have
        raise _refusal(emphasis, "it fails on samples that have nothing but margins") from error
    usable = offered.ndim == 2 and offered.shape[1] == len(y) and np.isfinite(offered).all()
    if not usable or (offered < 0).any() or not offered.any(axis=1).all():
        raise ValueError(f"{emphasis!r} offers no distributions: weights must be finite, at least 0, and not all 0.")
    return offered


def _make_stage(
    X: FloatArray, y: IntArray, weights: FloatArray, margins: FloatArray, total_alpha: float, largest_edge: float
) -> Stage:
    score = (2 * y - 1) * margins
    return Stage(
        X=X,
        y=y,
        weights=weights,
        training_weights=weights,
        learner=None,
        output=score / total_alpha,
        alpha=total_alpha,
        edge=min(float(np.tanh(total_alpha)), largest_edge),
        score=score,
        total_alpha=total_alpha,
    )


def _agree(one: FloatArray, other: FloatArray) -> bool:
    return one.shape == other.shape and np.allclose(one, other, rtol=CLOSE, atol=CLOSE * float(other.max()) / 1e3)


def _refusal(emphasis: Any, reason: str) -> ValueError:
    return ValueError(f"{emphasis!r} cannot be drawn: its weights are not a function of the margin alone ({reason}).")
