"""Margins of two classes and normalised weights: each in one pass, where NumPy needs several."""

import numpy as np
from numba import njit

from emphatic.check import FloatArray, IntArray
from emphatic.kernels.exponential import exponential
from emphatic.kernels.options import FUSED, OPTIONS

SMALLEST_EXPONENT = -1400.0
"""What weighs less than this power of e is 0 in floating point, as is its square root squared."""


@njit(**FUSED)
def signed(score: FloatArray, y: IntArray) -> FloatArray:
    """The score where y is 1, minus the score elsewhere."""
    margin = np.empty_like(score)
    for i in range(score.shape[0]):
        margin[i] = score[i] if y[i] == 1 else -score[i]
    return margin


@njit(**OPTIONS)
def normalised(log_weights: FloatArray) -> tuple[bool, FloatArray]:
    """Whether one is finite and none NaN or inf, and if so exp(log_weights), divided by their sum."""
    weights = np.empty_like(log_weights)
    largest, valid = -np.inf, True
    for i in range(log_weights.shape[0]):
        largest = max(largest, log_weights[i])
        valid &= log_weights[i] < np.inf  # neither inf nor NaN
    if not (valid and largest > -np.inf):
        return False, weights
    total = 0.0
    for i in range(log_weights.shape[0]):
        half = exponential(0.5 * max(log_weights[i] - largest, SMALLEST_EXPONENT))
        weights[i] = half * half  # `exponential` ends at e^-700, floating point a little below
        total += weights[i]
    factor = 1.0 / total
    for i in range(log_weights.shape[0]):
        weights[i] *= factor
    return True, weights
