r"""How surely something is no accident: from the number of such things that chance would bring about.

If chance alone brings about E things that are as extreme in a table of this size, then of the E + 1 that are seen, one
is not due to chance: the score is 1 / (1 + E). It is above one half where less than one was to be expected.
"""

import numpy as np

from emphatic.check import FloatArray

LEAST_SCORE = 0.5
"""From here on something is reported: less than one such thing is expected by chance."""

BODY, TAIL = 0.75, 0.9
"""Quantiles between which the tail of positive numbers is measured; above, up to a tenth may be outliers themselves."""

LEAST_DECAY = 0.1
"""Of the logarithm: numbers that differ by a tenth are alike, also where most of them are equal."""


def score_by_chance(expected: FloatArray | float) -> FloatArray:
    """1 / (1 + E), for the expected number E of accidents.

    >>> score_by_chance(np.array([0.0, 1.0, 9.0]))
    array([1. , 0.5, 0.1])
    """
    return np.asarray(1.0 / (1.0 + np.asarray(expected, dtype=np.float64)))


def score_tail(sizes: FloatArray) -> FloatArray:
    r"""How surely each of n sizes is too large to belong to the others.

    Above the quantile q = 0.75 the sizes are taken to fall as a power (a Pareto tail: exponential in the logarithm),
    whose decay is read between q and the quantile 0.9, so that neither the largest nor the smallest matter:

    .. math:: E(x) = n\,(1 - q)\, e^{-(\log x - \log x_q) / \tau}, \quad
              \tau = \frac{\log x_{0.9} - \log x_q}{\log (1 - q) - \log (1 - 0.9)}.

    >>> score_tail(np.r_[np.linspace(1.0, 2.0, 99), 50.0]).round(2)[[0, 98, 99]]
    array([0.01, 0.14, 1.  ])
    """
    positive = sizes > 0.0
    if not positive.any():
        return np.zeros(len(sizes))
    logarithms = np.log(sizes[positive])
    body, tail = np.quantile(logarithms, [BODY, TAIL])
    decay = max((tail - body) / (np.log(1.0 - BODY) - np.log(1.0 - TAIL)), LEAST_DECAY)
    share = np.where(logarithms > body, (1.0 - BODY) * np.exp(-np.maximum(logarithms - body, 0.0) / decay), 1.0)
    scores = np.zeros(len(sizes))
    scores[positive] = score_by_chance(positive.sum() * share)
    return scores
