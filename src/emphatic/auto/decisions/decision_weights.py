"""Weights of the classes with which the class of the largest weighted probability is best by F1 or balanced accuracy.

They are chosen on out-of-fold probabilities, one class after another: whatever the others weigh, the rows that a class
would win are ordered by the weight that it needs for them, so that all weights are tried in one sorted sweep.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from emphatic.check import FloatArray, IntArray

TRUST = 0.5
"""How far labels are believed: they are mixed with the probabilities, of which few rows of a rare class say more."""

N_SWEEPS = 5
"""Over all classes, at most."""

MOST_ROWS, ENOUGH_PER_CLASS = 50_000, 500
"""Rows on which weights are chosen, but for so many of each class: more make it slow, and hardly better."""


class Measure(NamedTuple):
    """What is best at its largest: a figure of each class, and how much that of each counts.

    `figure` makes it of right predictions, predictions and rows of a class.
    """

    figure: Callable[[FloatArray, FloatArray, FloatArray], FloatArray]
    shares: FloatArray

    def judge(self, right: FloatArray, predicted: FloatArray, rows: FloatArray) -> float:
        """The whole, from counts (K,)."""
        return float(self.shares @ self.figure(right, predicted, rows))


def f1(right: FloatArray, predicted: FloatArray, rows: FloatArray) -> FloatArray:
    """2 right / (predicted + rows)."""
    return _divide(2.0 * right, predicted + rows)


def recall(right: FloatArray, predicted: FloatArray, rows: FloatArray) -> FloatArray:
    """Of right predictions, the share among the rows of the class."""
    return _divide(right, rows)


def choose_weights(
    probabilities: FloatArray, codes: IntArray, weights: FloatArray, measure: Measure, trust: float = TRUST
) -> FloatArray:
    """Weights (K,) with which argmax_k weight_k p_k measures best; that of the most frequent class is 1.

    `probabilities` (n, K) are out of fold, `weights` those of the rows.
    """
    n_classes = probabilities.shape[1]
    rows, factors = _thin_out(codes, n_classes)
    probabilities, codes, weights = probabilities[rows], codes[rows], weights[rows] * factors
    counts = np.bincount(codes, weights, minlength=n_classes)
    targets = (1.0 - trust) * probabilities
    targets[np.arange(len(codes)), codes] += trust
    targets *= weights[:, None]
    chosen, best = np.ones(n_classes), -np.inf
    rarest_first = np.argsort(counts, kind="stable")[:-1]
    for _ in range(N_SWEEPS):
        before = best
        for place in rarest_first.tolist():
            chosen[place], best = _weigh_one(probabilities, targets, weights, chosen, place, measure)
        if best <= before or len(rarest_first) == 1:
            break
    return chosen


def _thin_out(codes: IntArray, n_classes: int) -> tuple[IntArray, FloatArray]:
    """Rows at even steps of each class that has many, and how many rows each of them stands for."""
    most = max(ENOUGH_PER_CLASS, MOST_ROWS // n_classes)
    by_class = [np.flatnonzero(codes == place) for place in range(n_classes)]
    kept = [rows[:: -(-len(rows) // most) or 1] for rows in by_class]
    factors = [np.full(len(some), len(rows) / max(1, len(some))) for rows, some in zip(by_class, kept, strict=True)]
    return np.concatenate(kept), np.concatenate(factors)


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
    every = np.arange(len(rivals))
    with np.errstate(divide="ignore", invalid="ignore"):
        needed = np.maximum(others[every, rivals] / probabilities[:, place], np.finfo(np.float64).tiny)
    order = np.argsort(needed, kind="stable")
    needed, rivals, targets, weights = needed[order], rivals[order], targets[order], weights[order]
    n_rows = targets.sum(axis=0)
    won = measure.figure(_count_up(targets[:, place]), _count_up(weights), n_rows[place])
    lost = _lose(rivals, targets[every, rivals], weights, n_rows, measure)
    score = (measure.shares[place] * won + lost).round(10)  # what rounding alone tells apart is a tie
    edges = np.concatenate([needed[:1] / 4.0, needed, needed[-1:] * 4.0])
    possible = (edges[:-1] < edges[1:]) & np.isfinite(edges[1:])
    score[~possible] = -np.inf
    best = int(score.argmax())
    return float(np.sqrt(edges[best] * edges[best + 1])), float(score[best])


def _lose(rivals: IntArray, right: FloatArray, weights: FloatArray, n_rows: FloatArray, measure: Measure) -> FloatArray:
    """(n + 1,): what the rivals measure together after the first rows, in this order, are lost to another class.

    A row changes the figure of its rival alone: figures are followed rival by rival, and their changes row by row.
    """
    by_rival = np.argsort(rivals, kind="stable")
    names, right, weights = rivals[by_rival], right[by_rival], weights[by_rival]
    ends = np.searchsorted(names, names, side="right")
    # counted from the end: the last row of a rival leaves it nothing
    right_left, weights_left = (_count_up(one)[ends] - _count_up(one)[:-1] for one in (right, weights))
    before = measure.figure(right_left, weights_left, n_rows[names])
    last = np.arange(1, len(names) + 1) == ends
    after = np.where(last, measure.figure(0.0 * right, 0.0 * weights, n_rows[names]), np.append(before[1:], 0.0))
    changes = np.empty(len(names))
    changes[by_rival] = measure.shares[names] * (after - before)
    first = np.flatnonzero(np.diff(names, prepend=-1))
    return np.asarray(float(measure.shares[names[first]] @ before[first]) + _count_up(changes))


def _count_up(values: FloatArray) -> FloatArray:
    """0, and the sums of the first values."""
    return np.concatenate([[0.0], values.cumsum()])


def _divide(one: FloatArray, other: FloatArray) -> FloatArray:
    shape = np.broadcast(one, other).shape
    return np.divide(one, other, out=np.zeros(shape), where=np.broadcast_to(other, shape) > 0)
