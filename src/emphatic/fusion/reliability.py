"""How far to trust each member's evidence, learnt from its predictions for samples it was not trained on."""

from typing import Any

import numpy as np

from emphatic.check import FloatArray, IntArray
from emphatic.fusion.rules import LEAST_SUPPORT, dempster_shafer
from emphatic.fusion.trust import Trust

CANDIDATES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0)
"""Denser towards 1, where Dempster's rule turns into a product of probabilities and a member can veto."""

SWEEPS = 3
"""Sweeps over the members; most reliabilities no longer change in the second."""

LEAST_GAIN = 1e-9
"""Losses that differ by less count as equal: rounding must not decide."""


def estimate_accuracies(supports: FloatArray, y: IntArray, counts: FloatArray, rng: Any = None) -> Trust:
    """Accuracy of each member, where it knows anything; `counts` says how many samples each row counts as.

    Nothing is drawn from `rng`.
    """
    known = supports.any(axis=2) * counts
    right = ((supports.argmax(axis=2) == y) * known).sum(axis=1)
    return Trust(np.divide(right, known.sum(axis=1), out=np.zeros(len(supports)), where=known.any(axis=1)))


def minimise_log_loss(supports: FloatArray, y: IntArray, counts: FloatArray, rng: Any = None) -> Trust:
    """The reliabilities that minimise the log loss of the fused probabilities.

    1. Find the best candidate that all members share.
    2. From there, choose the best candidate for each member in turn, as long as the loss falls.
    3. Keep these separate reliabilities only if they lower the loss by more than two standard errors; a few samples
       are no reason to trust one calibrated member less than another.

    Nothing is drawn from `rng`.

    >>> import numpy as np
    >>> y = np.tile([0, 1], 50)
    >>> expert = np.where(np.eye(2)[y] > 0, 0.9, 0.1)
    >>> overconfident = np.tile([0.999, 0.001], (100, 1))  # always sure of class 0
    >>> minimise_log_loss(np.array([expert, overconfident]), y, np.ones(100)).reliabilities
    array([1., 0.])
    """
    shared = min((np.full(len(supports), one) for one in CANDIDATES), key=lambda one: _loss(supports, one, y, counts))
    own, least = shared.copy(), _loss(supports, shared, y, counts)
    for _ in range(SWEEPS):
        for member in range(len(own)):
            for candidate in CANDIDATES:
                tried = own.copy()
                tried[member] = candidate
                loss = _loss(supports, tried, y, counts)
                if loss < least - LEAST_GAIN:
                    own, least = tried, loss
    gain = _losses(supports, shared, y) - _losses(supports, own, y)
    mean_gain = np.average(gain, weights=counts)
    variance = np.average((gain - mean_gain) ** 2, weights=counts)
    return Trust(own if mean_gain > 2.0 * np.sqrt(variance / counts.sum()) + LEAST_GAIN else shared)


def _loss(supports: FloatArray, trust: FloatArray, y: IntArray, counts: FloatArray) -> float:
    return float(np.average(_losses(supports, trust, y), weights=counts))


def _losses(supports: FloatArray, trust: FloatArray, y: IntArray) -> FloatArray:
    """Log loss of every sample."""
    right = dempster_shafer(supports, trust)[np.arange(len(y)), y]
    return np.asarray(-np.log(np.maximum(right, LEAST_SUPPORT)))
