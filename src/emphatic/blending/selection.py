"""Which models, and how much of each."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from emphatic.check import FloatArray, IntArray
from emphatic.margins import normalise

Loss = Callable[[FloatArray, IntArray, FloatArray], float]

STRICTNESS = 3.0
"""How much a worse loss costs, in units of 1 / sqrt(n): the spread of a mean of n. From 2 to 4 all did as well."""

PRIOR_PICKS, N_PICKS = 10_000.0, 30
"""What the members' own losses count for against greedy picks: as 10,000 / n of them. From 3,000 to 30,000 is alike."""

LEAST_SHARE = 0.1
"""A member of less than this part of the largest weight is left out: it would only slow the prediction."""

SMALLEST = 1e-12
"""A probability of 0 would cost infinitely much."""


def log_loss(probabilities: FloatArray, codes: IntArray, weights: FloatArray) -> float:
    """Mean of -log p[y]."""
    given = probabilities[np.arange(len(codes)), codes]
    return float(-np.average(np.log(np.maximum(given, SMALLEST)), weights=weights))


def error(probabilities: FloatArray, codes: IntArray, weights: FloatArray) -> float:
    """Share of samples whose most probable class is another."""
    return float(np.average(probabilities.argmax(axis=1) != codes, weights=weights))


def balanced_error(probabilities: FloatArray, codes: IntArray, weights: FloatArray) -> float:
    """Mean over the classes of the error among their samples, when all classes are taken for equally frequent."""
    shares = np.bincount(codes, weights, minlength=probabilities.shape[1]).astype(np.float64)
    wrong = equally_frequent(probabilities, shares).argmax(axis=1) != codes
    return float(np.average(wrong, weights=weights / shares[codes]))


LOSSES: dict[str, Loss] = {"log_loss": log_loss, "error": error, "balanced_accuracy": balanced_error}


def equally_frequent(probabilities: FloatArray, shares: FloatArray) -> FloatArray:
    """What the probabilities would be if all classes were equally frequent, and not in the given shares."""
    odds = probabilities / np.maximum(shares, SMALLEST * shares.max())
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))


def validated_weights(losses: FloatArray, n: int) -> FloatArray:
    r"""Weights of members that were judged on n samples, :math:`w_m \propto e^{-3 \sqrt n\, (L_m - \min L)}`, sum 1.

    The fewer samples, the less a difference of losses says, and the more equal are the weights.

    >>> import numpy as np
    >>> validated_weights(np.array([0.30, 0.31, 0.60]), 100).round(2)
    array([0.57, 0.43, 0.  ])
    >>> validated_weights(np.array([0.30, 0.31, 0.60]), 10_000).round(2)
    array([0.95, 0.05, 0.  ])
    """
    return normalise(-STRICTNESS * np.sqrt(n) * losses)


def chosen_weights(opinions: FloatArray, codes: IntArray, weights: FloatArray, loss: Loss = log_loss) -> FloatArray:
    """Weights (members,), sum 1, of the mean of out-of-fold probabilities (members, n, K).

    1. The members' own losses make first weights, which count as 10,000 / n picks.
    2. Each of 30 picks adds the member, picked before or not, that makes the loss of the mean least; the best mean on
       the way stays. Ties of a loss that counts mistakes are broken by the log loss.
    3. Members of little weight are left out.

    So few samples leave the weights as their losses are, and many let members win that complement each other.

    >>> import numpy as np
    >>> good, opposite = np.array([[0.8, 0.2], [0.2, 0.8]]), np.array([[0.1, 0.9], [0.9, 0.1]])
    >>> chosen_weights(np.stack([opposite, good]), np.array([0, 1]), np.ones(2))
    array([0., 1.])
    """

    def judged(mean: FloatArray) -> tuple[float, float]:
        return round(loss(mean, codes, weights), 12), log_loss(mean, codes, weights)

    n = len(codes)
    alone = np.array([loss(opinion, codes, weights) for opinion in opinions])
    picks = validated_weights(alone, n) * PRIOR_PICKS / n
    total = np.tensordot(picks, opinions, axes=1)
    best, best_picks = judged(total / picks.sum()), picks
    for _ in range(N_PICKS):
        found = [judged((total + opinion) / (picks.sum() + 1.0)) for opinion in opinions]
        winner = min(range(len(found)), key=found.__getitem__)
        picks = picks + (np.arange(len(picks)) == winner)
        total = total + opinions[winner]
        if found[winner] < best:
            best, best_picks = found[winner], picks
    kept = np.where(best_picks >= LEAST_SHARE * best_picks.max(), best_picks, 0.0)
    return np.asarray(kept / kept.sum())
