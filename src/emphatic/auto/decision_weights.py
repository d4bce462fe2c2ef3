"""Weights of the classes with which the class of the largest weighted probability is best by F1 or balanced accuracy.

They are chosen on out-of-fold probabilities, one class after another: whatever the others weigh, the rows that a class
would win are ordered by the weight that it needs for them, so that all weights are tried in one sorted sweep.
"""

from collections.abc import Callable

import numpy as np

from emphatic.check import FloatArray, IntArray

Measure = Callable[[FloatArray, FloatArray, FloatArray], FloatArray]
"""From right predictions, predictions and rows (..., K) of each class to what is best at its largest (...)."""

TRUST = 0.5
"""How far labels are believed: they are mixed with the probabilities, of which few rows of a rare class say more."""

N_SWEEPS = 5
"""Over all classes, at most."""


def mean_f1(right: FloatArray, predicted: FloatArray, rows: FloatArray) -> FloatArray:
    """Mean over the classes of 2 right / (predicted + rows)."""
    return _divide(2.0 * right, predicted + rows).mean(axis=-1)


def mean_recall(right: FloatArray, predicted: FloatArray, rows: FloatArray) -> FloatArray:
    """Mean over the classes of right / rows: the balanced accuracy."""
    return _divide(right, rows).mean(axis=-1)


def f1_of(place: int) -> Measure:
    """F1 of one class."""

    def measure(right: FloatArray, predicted: FloatArray, rows: FloatArray) -> FloatArray:
        return _divide(2.0 * right[..., place], predicted[..., place] + rows[..., place])

    return measure


def choose_weights(
    probabilities: FloatArray, codes: IntArray, weights: FloatArray, measure: Measure, trust: float = TRUST
) -> FloatArray:
    """Weights (K,) with which argmax_k weight_k p_k measures best; that of the most frequent class is 1.

    `probabilities` (n, K) are out of fold, `weights` those of the rows.
    """
    n_classes = probabilities.shape[1]
    counts = np.bincount(codes, weights, minlength=n_classes)
    targets = (1.0 - trust) * probabilities
    targets[np.arange(len(codes)), codes] += trust
    targets *= weights[:, None]
    chosen, best = np.ones(n_classes), -np.inf
    rarest_first = np.argsort(counts, kind="stable")[:-1]
    for _ in range(N_SWEEPS):
        before = best
        for place in rarest_first:
            chosen[place], best = _weigh_one(probabilities, targets, weights, chosen, place, measure)
        if best <= before or len(rarest_first) == 1:
            break
    return chosen


def _weigh_one(
    probabilities: FloatArray,
    targets: FloatArray,
    weights: FloatArray,
    chosen: FloatArray,
    place: int,
    measure: Measure,
) -> tuple[float, float]:
    """The best weight of one class, while the others keep theirs, and what it measures."""
    others = chosen * probabilities
    others[:, place] = -1.0
    rivals = others.argmax(axis=1)
    rows = np.arange(len(rivals))
    with np.errstate(divide="ignore", invalid="ignore"):
        needed = np.maximum(others[rows, rivals] / probabilities[:, place], np.finfo(np.float64).tiny)
    order = np.argsort(needed, kind="stable")
    needed, rivals, ordered, weights = needed[order], rivals[order], targets[order], weights[order]
    # what each class loses, and this one wins, as its weight grows past one row after another
    lost = np.zeros((2, len(rows) + 1, len(chosen)))
    lost[0, rows + 1, rivals], lost[1, rows + 1, rivals] = ordered[rows, rivals], weights
    lost = lost.cumsum(axis=1)
    right, predicted = lost[:, -1:] - lost
    right[1:, place], predicted[1:, place] = ordered[:, place].cumsum(), weights.cumsum()
    score = measure(right, predicted, ordered.sum(axis=0)).round(12)  # what rounding alone tells apart is a tie
    edges = np.concatenate([needed[:1] / 4.0, needed, needed[-1:] * 4.0])
    possible = (edges[:-1] < edges[1:]) & np.isfinite(edges[1:])
    score[~possible] = -np.inf
    best = int(score.argmax())
    return float(np.sqrt(edges[best] * edges[best + 1])), float(score[best])


def _divide(one: FloatArray, other: FloatArray) -> FloatArray:
    return np.divide(one, other, out=np.zeros(np.broadcast(one, other).shape), where=other > 0)
