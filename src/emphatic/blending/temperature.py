"""One number that turns scores of any scale into probabilities, so that all models can be compared and averaged."""

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import softmax

from emphatic.check import FloatArray, IntArray

LOG_FACTORS = (-3.0, 5.0)
"""Range of the logarithm of the factor. Scores of many tens, as boosting without a training error gives, would need a
smaller one than e^-3; blends did not gain from it."""


def score_columns(score: NDArray[np.floating]) -> FloatArray:
    """(n, K): the two columns (-f, f) of a score (n,) or (n, 1) for two classes; more columns as they are."""
    columns = score[:, None] if score.ndim == 1 else score
    return np.asarray(np.hstack([-columns, columns]) if columns.shape[1] == 1 else columns, dtype=np.float64)


def fit_factor(
    scores: FloatArray, codes: IntArray, weights: FloatArray | None = None, smoothing: float = 0.0
) -> tuple[float, float]:
    r"""The factor b > 0 for which softmax(b s) of the rows of `scores` (n, K) has the lowest log loss, and that loss.

    The loss is :math:`-\sum_i w_i \log p_i[y_i] / \sum_i w_i`. Scores must be out of fold: those of a model's own
    training samples would make b too large. So would a few samples that are all predicted right, unless the labels are
    smoothed: `smoothing` is the share of them that is spread evenly over all classes.

    >>> import numpy as np
    >>> scores, codes = np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([0, 1])
    >>> [round(fit_factor(scores, codes, smoothing=share)[0], 1) for share in (0.0, 0.1)]
    [148.4, 1.5]
    """
    scores = scores - scores.max(axis=1, keepdims=True)
    shares = np.full(len(codes), 1.0 / len(codes)) if weights is None else weights / weights.sum()
    targets = (1.0 - smoothing) * scores[np.arange(len(codes)), codes] + smoothing * scores.mean(axis=1)

    def slope(log_factor: float) -> float:
        """Of the loss, which is convex in b: the mean score under the probabilities minus that of the labels."""
        powers = np.exp(np.exp(log_factor) * scores)
        return float(shares @ ((powers * scores).sum(axis=1) / powers.sum(axis=1) - targets))

    low, high = LOG_FACTORS
    if slope(high) <= 0:
        best = high
    else:
        best = low if slope(low) >= 0 else brentq(slope, low, high, xtol=0.003)
    factor = float(np.exp(best))
    return factor, float(shares @ (np.log(np.exp(factor * scores).sum(axis=1)) - factor * targets))


def calibrate(scores: FloatArray, codes: IntArray, weights: FloatArray | None = None) -> FloatArray:
    """Probabilities softmax(b s) with the factor b of `fit_factor`.

    >>> import numpy as np
    >>> scores = np.array([[1.0, -1.0], [1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]])
    >>> calibrate(scores, np.array([0, 0, 1, 1])).round(2)  # right three times in four
    array([[0.75, 0.25],
           [0.75, 0.25],
           [0.75, 0.25],
           [0.25, 0.75]])
    """
    return np.asarray(softmax(fit_factor(scores, codes, weights)[0] * scores, axis=1))
