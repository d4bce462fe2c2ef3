"""One number that turns scores of any scale into probabilities: what makes the opinions of all models comparable."""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq
from scipy.special import softmax

from emphatic.check import FloatArray, IntArray

LOG_FACTORS = (-3.0, 5.0)
"""Range of the logarithm of the factor. Scores of many tens, as boosting without a training error gives, would want a
smaller one than e^-3; blends did not gain from it."""


def best_factor(
    scores: FloatArray, codes: IntArray, weights: FloatArray | None = None, doubt: float = 0.0
) -> tuple[float, float]:
    r"""The factor b > 0 for which softmax(b s) of the rows of `scores` (n, K) has the lowest log loss, and that loss.

    The loss is :math:`-\sum_i w_i \log p_i[y_i] / \sum_i w_i`. Scores must be out of fold: those of a model's own
    training samples would make b too large. So would few samples that are all right, unless there is some `doubt`: the
    share of the labels that might as well be any class.

    >>> import numpy as np
    >>> scores, codes = np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([0, 1])
    >>> [round(best_factor(scores, codes, doubt=doubt)[0], 1) for doubt in (0.0, 0.1)]
    [148.4, 1.5]
    """
    scores = scores - scores.max(axis=1, keepdims=True)
    shares = np.full(len(codes), 1.0 / len(codes)) if weights is None else weights / weights.sum()
    wanted = (1.0 - doubt) * scores[np.arange(len(codes)), codes] + doubt * scores.mean(axis=1)

    def slope(log_factor: float) -> float:
        """Of the loss, which is convex in b: the mean score under the probabilities minus that of the labels."""
        powers = np.exp(np.exp(log_factor) * scores)
        return float(shares @ ((powers * scores).sum(axis=1) / powers.sum(axis=1) - wanted))

    low, high = LOG_FACTORS
    if slope(high) <= 0:
        best = high
    else:
        best = low if slope(low) >= 0 else brentq(slope, low, high, xtol=0.003)
    factor = float(np.exp(best))
    return factor, float(shares @ (np.log(np.exp(factor * scores).sum(axis=1)) - factor * wanted))


def tempered(scores: FloatArray, codes: IntArray, weights: FloatArray | None = None) -> tuple[FloatArray, float]:
    """Probabilities softmax(b s) under the best factor b, and their log loss against the labels.

    >>> import numpy as np
    >>> scores = np.array([[1.0, -1.0], [1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]])
    >>> tempered(scores, np.array([0, 0, 1, 1]))[0].round(2)  # right three times in four
    array([[0.75, 0.25],
           [0.75, 0.25],
           [0.75, 0.25],
           [0.25, 0.75]])
    """
    factor, loss = best_factor(scores, codes, weights)
    return np.asarray(softmax(factor * scores, axis=1)), loss
