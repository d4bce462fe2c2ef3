"""Kernel ridge classifiers that judge every sample without its own label, in closed form: n trainings for one."""

from __future__ import annotations

import numpy as np

from emphatic.blending.ridge import RIDGES, Features, Kernel, leave_one_out
from emphatic.blending.temperature import best_factor
from emphatic.check import FloatArray, IntArray

MOST_UNITS, MOST_ACTIVATIONS = 1000, 20_000_000
"""Limits of the time, which grows with n units^2, and of the memory, 8 bytes an activation."""


def kernel_scores(
    X: FloatArray, codes: IntArray, n_classes: int, weights: FloatArray, kernel: Kernel, rng: np.random.Generator
) -> FloatArray:
    """Leave-one-out scores (n, K) of the regularisation with the lowest leave-one-out log loss.

    The network has a unit on every sample, or on a thousand drawn ones (fewer above 20,000 rows): the draw knows no
    labels, so that leaving out one label leaves nothing of it.
    """
    n = len(codes)
    units = np.sort(rng.permutation(n)[: min(MOST_UNITS, max(1, MOST_ACTIVATIONS // n))])
    table = Features.of(kernel.activations(X, units), units).Z
    targets = 2.0 * np.eye(n_classes)[codes] - 1.0
    candidates = leave_one_out(table, targets, weights / weights.mean(), RIDGES)
    return min(candidates, key=lambda scores: best_factor(scores, codes, weights)[1])
