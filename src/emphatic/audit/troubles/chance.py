r"""How surely something is no accident: from the number of such things that chance would bring about.

If chance alone brings about E things that are as extreme in a table of this size, then of the E + 1 that are seen, one
is not due to chance: the score is 1 / (1 + E). It is above one half where less than one was to be expected.
"""

import numpy as np
from scipy.stats import norm

from emphatic.check import FloatArray

LEAST_SCORE = 0.8
"""From here on something is reported: in four tables without trouble, one such thing is expected by chance."""

LEAST_SPREAD = 0.15
"""Deviation of a logarithm: sizes that differ by a seventh are alike, also where most of them are equal."""


def score_by_chance(expected: FloatArray | float) -> FloatArray:
    """1 / (1 + E), for the expected number E of accidents.

    >>> score_by_chance(np.array([0.0, 1.0, 9.0]))
    array([1. , 0.5, 0.1])
    """
    return np.asarray(1.0 / (1.0 + np.asarray(expected, dtype=np.float64)))


def score_large(sizes: FloatArray, n_tests: int = 1) -> FloatArray:
    r"""How surely each of n sizes is too large to belong to the others; E is multiplied by the number of such tests.

    The logarithms of the positive sizes are taken to be normal, with the median as their mean and a deviation that is
    read between the median and the quantile 0.9, so that neither the smallest nor the largest tenth matter:

    .. math:: E(x) = n\, \Phi\left(\frac{\mu - \log x}{\sigma}\right), \quad
              \sigma = \frac{\log x_{0.9} - \mu}{\Phi^{-1}(0.9)}.

    >>> score_large(np.r_[np.linspace(1.0, 2.0, 99), 50.0]).round(2)[[0, 98, 99]]
    array([0.01, 0.14, 1.  ])
    """
    positive = sizes > 0.0
    scores = np.zeros(len(sizes))
    if positive.any():
        logarithms = np.log(sizes[positive])
        middle, high = np.quantile(logarithms, [0.5, 0.9])
        spread = max((high - middle) / norm.ppf(0.9), LEAST_SPREAD)
        expected = n_tests * positive.sum() * norm.sf((logarithms - middle) / spread)
        scores[positive] = score_by_chance(expected)
    return scores
