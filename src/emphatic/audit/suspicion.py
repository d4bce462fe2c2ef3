"""From out-of-fold probabilities to the probability that a given label is wrong."""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, logit

from emphatic.check import FloatArray, IntArray

SURE_SHARE = 0.3
"""Share of the samples on which the models are surest: what is wrong there is taken for a wrong label."""

LARGEST_SHARE = 0.4
"""Models that contradict more labels than this have learnt nothing, and their contradiction is no evidence."""

SLOPE = 2.0
"""Of the suspicion's log odds in those of the label; the best of 1, 1.5, 2, 3, 4 on the problems for tuning."""

SMALLEST = 1e-9
"""Keeps the log odds finite, and the order of the samples."""


def wrong_share(probabilities: FloatArray, codes: IntArray) -> float:
    """Estimated share of wrong labels: how often the given label is not the most probable one, where models are sure.

    Elsewhere classes overlap, and a model that contradicts a label proves nothing. Half a mistake is added to the
    count: no table is beyond suspicion. Nor is any believed to be wrong in more than 0.4 of its labels.

    >>> import numpy as np
    >>> sure = np.tile([0.9, 0.1], (100, 1))
    >>> wrong_share(sure, np.array([0, 0, 1, 0, 0] * 20)).__round__(2)
    0.21
    """
    most = probabilities.max(axis=1)
    n_sure = max(min(10, len(codes)), int(SURE_SHARE * len(codes)))
    sure = np.argsort(-most, kind="stable")[:n_sure]
    mistakes = (probabilities[sure].argmax(axis=1) != codes[sure]).sum()
    return min(float((mistakes + 0.5) / (n_sure + 1)), LARGEST_SHARE)


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
