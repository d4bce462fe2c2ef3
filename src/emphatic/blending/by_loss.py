"""Losses of out-of-fold probabilities (n, K), and weights of members by their own losses.

These weights alone make the blend of an audit of several annotators. `EmphaticClassifier` adds greedy picks (`greedy`),
which measured slightly better there (docs/auto.md); an audit of labels pools its members instead (`pool`).
"""

from collections.abc import Callable

import numpy as np

from emphatic.check import FloatArray, IntArray
from emphatic.margins import normalise, normalise_rows

Loss = Callable[[FloatArray, IntArray, FloatArray], float]

SMALLEST = 1e-12
"""A probability of 0 would cost infinitely much."""

BRIER_STRICTNESS = 60.0
"""What a worse Brier score costs in the audit: 0.012 more halves the weight. On small tables 10 to 100 did as well;
on large ones, where the scores are reliable, 60 and 100 did better than 30."""


def log_losses(probabilities: FloatArray, codes: IntArray) -> FloatArray:
    """-log p[y] of each sample."""
    return -np.log(np.maximum(probabilities[np.arange(len(codes)), codes], SMALLEST))


def log_loss(probabilities: FloatArray, codes: IntArray, weights: FloatArray) -> float:
    """Mean of -log p[y]."""
    return float(np.average(log_losses(probabilities, codes), weights=weights))


def error(probabilities: FloatArray, codes: IntArray, weights: FloatArray) -> float:
    """Share of samples whose most probable class is another."""
    return float(np.average(probabilities.argmax(axis=1) != codes, weights=weights))


def balanced_error(probabilities: FloatArray, codes: IntArray, weights: FloatArray) -> float:
    """Mean over the classes of the error on their samples, after `balance_classes`."""
    shares = np.bincount(codes, weights, minlength=probabilities.shape[1]).astype(np.float64)
    wrong = balance_classes(probabilities, shares).argmax(axis=1) != codes
    return float(np.average(wrong, weights=weights / shares[codes]))


LOSSES: dict[str, Loss] = {"log_loss": log_loss, "error": error, "balanced_accuracy": balanced_error}


def balance_classes(probabilities: FloatArray, shares: FloatArray) -> FloatArray:
    """What the probabilities would be if all classes were equally frequent, instead of having these shares.

    >>> import numpy as np
    >>> balance_classes(np.array([[0.9, 0.1]]), np.array([9.0, 1.0]))
    array([[0.5, 0.5]])
    """
    return normalise_rows(probabilities / np.maximum(shares, SMALLEST * shares.max()))


def brier_score(probabilities: FloatArray, codes: IntArray) -> float:
    """Mean squared distance of the probabilities from the labels, summed over the classes.

    >>> import numpy as np
    >>> brier_score(np.array([[0.5, 0.5], [1.0, 0.0]]), np.array([0, 0]))
    0.25
    """
    distances = probabilities.copy()
    distances[np.arange(len(codes)), codes] -= 1.0
    return float((distances**2).sum(axis=1).mean())


def weigh_by_loss(losses: FloatArray, strictness: float) -> FloatArray:
    r"""Weights of members, :math:`w_m \propto e^{-s\, (L_m - \min L)}` with the strictness s, sum 1.

    >>> import numpy as np
    >>> weigh_by_loss(np.array([0.30, 0.31, 0.60]), 30.0).round(2)
    array([0.57, 0.43, 0.  ])
    """
    return normalise(-strictness * losses)


def scale_strictness(n: int) -> float:
    """3 sqrt(n), for mean losses of n samples: the fewer samples, the less a difference of their losses says.

    1 / sqrt(n) is how the spread of such a mean shrinks. Factors from 2 to 4 did equally well.
    """
    return float(3.0 * np.sqrt(n))
