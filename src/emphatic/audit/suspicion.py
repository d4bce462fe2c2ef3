"""From out-of-fold probabilities to the probability that a given label is wrong."""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, logit

from emphatic.blending.noise import wrong_share
from emphatic.check import FloatArray, IntArray

SLOPE = 2.0
"""Of the suspicion's log odds in those of the label; the best of 1, 1.5, 2, 3, 4 on the problems for tuning."""

SMALLEST = 1e-9
"""Keeps the log odds finite, and the order of the samples."""


def suspicion(probabilities: FloatArray, codes: IntArray) -> FloatArray:
    r"""Probability that a label is wrong, from the probability p of the given label, out of fold.

    .. math:: s_i = \frac{1}{1 + e^{-c} \left(p_i / (1 - p_i)\right)^2}

    It falls strictly with p, so the order of the samples is that of 1 - p. But 1 - p alone would call a sample between
    two classes half wrong. The constant c is such that all suspicions add up to the estimated number of wrong labels.
    """
    own = probabilities[np.arange(len(codes)), codes]
    doubt = -SLOPE * logit(np.clip(own, SMALLEST, 1.0 - SMALLEST))
    expected = wrong_share(probabilities, codes)
    # at either end every sample has a suspicion of nearly 0 or 1, so that the mean crosses `expected` in between
    low, high = -doubt.max() - 50.0, 50.0 - doubt.min()
    constant = brentq(lambda c: expit(c + doubt).mean() - expected, low, high)
    return np.asarray(expit(constant + doubt))
