"""One number that turns scores of any scale into probabilities: what makes the opinions of all models comparable."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax, softmax

from emphatic.check import FloatArray, IntArray

LOG_FACTORS = (-3.0, 5.0)
"""Range of the logarithm of the factor: beyond it, probabilities are all equal or all 0 and 1 anyway."""


def tempered(scores: FloatArray, codes: IntArray, weights: FloatArray | None = None) -> tuple[FloatArray, float]:
    r"""Probabilities softmax(b s) of the rows of `scores` (n, K), and their log loss against the labels.

    The factor b > 0 is the one of the lowest log loss, :math:`-\sum_i w_i \log p_i[y_i] / \sum_i w_i`. Scores must be
    out of fold: those of a model's own training samples would make b too large.

    >>> import numpy as np
    >>> scores = np.array([[1.0, -1.0], [1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]])
    >>> tempered(scores, np.array([0, 0, 1, 1]))[0].round(2)  # right three times in four
    array([[0.75, 0.25],
           [0.75, 0.25],
           [0.75, 0.25],
           [0.25, 0.75]])
    """
    rows = np.arange(len(codes))

    def loss(log_factor: float) -> float:
        given = log_softmax(np.exp(log_factor) * scores, axis=1)[rows, codes]
        return float(-np.average(given, weights=weights))

    best = minimize_scalar(loss, bounds=LOG_FACTORS, method="bounded", options={"xatol": 0.01})
    return np.asarray(softmax(np.exp(best.x) * scores, axis=1)), float(best.fun)
