"""Sets of classes that hold the true one with a promised frequency, from out-of-fold probabilities.

A class is in the set of a row if its probability is large enough beside the largest one. How large is enough is what
the training rows say, each by models that were not trained on it (cross-conformal prediction; docs/decisions.md).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emphatic.check import FloatArray, IntArray
from emphatic.fields import Array, Number, Part, TupleOf, saved

MOST_QUANTILES = 1000
"""Of the scores that are kept: between them a threshold is rounded up, by at most a thousandth of the coverage."""


def score_classes(probabilities: FloatArray) -> FloatArray:
    """(n, K): how little a class belongs to the set, 1 - p / (the largest p of the row); 0 for the most probable one.

    >>> import numpy as np
    >>> score_classes(np.array([[0.5, 0.4, 0.1]])).round(2)
    array([[0. , 0.2, 0.8]])
    """
    return np.asarray(1.0 - probabilities / probabilities.max(axis=1, keepdims=True))


@saved(
    scores=Array(np.float64, "quantiles", low=0.0, high=1.0),
    counts=Array(np.float64, "quantiles", low=0.0),
    n_rows=Number(0.0),
)
@dataclass(frozen=True)
class Quantiles:
    """How many of `n_rows` scores are at most each of these `scores`; the rows' weights have the mean 1."""

    scores: FloatArray
    counts: FloatArray
    n_rows: float

    @classmethod
    def of(cls, scores: FloatArray, weights: FloatArray) -> Quantiles:
        """From the scores of rows; of many different ones some are kept, at even steps of the count."""
        n_rows = len(scores)
        values, places = np.unique(scores, return_inverse=True)
        counts = np.bincount(places, weights, minlength=len(values)).cumsum().astype(np.float64)
        if n_rows:
            counts *= n_rows / counts[-1]
        if len(values) > MOST_QUANTILES:
            steps = np.linspace(0.0, n_rows, MOST_QUANTILES + 1)[1:-1]
            kept = np.unique(np.append(np.searchsorted(counts, steps), len(values) - 1))
            values, counts = values[kept], counts[kept]
        return cls(values, counts, float(n_rows))

    def threshold(self, coverage: float) -> float:
        """The least score that `coverage` (n + 1) of the rows do not exceed; infinity if that is more than n rows."""
        needed = coverage * (self.n_rows + 1.0)
        place = int(np.searchsorted(self.counts, needed * (1.0 - 1e-12)))  # 0.7 * 10 rows are 7, whatever is rounded
        return float(self.scores[place]) if place < len(self.scores) else np.inf

    def check_saved(self) -> None:
        """Raise ValueError unless scores and counts grow, up to the number of rows."""
        grow = (np.diff(self.scores) > 0).all() and (np.diff(self.counts) >= 0).all()
        if not grow or (len(self.counts) and self.counts[-1] > self.n_rows + 0.5):
            raise ValueError("scores and their counts must grow, up to the number of rows")


@saved(overall=Part("Quantiles"), per_class=TupleOf(Part("Quantiles")))
@dataclass(frozen=True)
class Calibration:
    """Scores of the true classes of all training rows, and of those of each class alone."""

    overall: Quantiles
    per_class: tuple[Quantiles, ...]

    @classmethod
    def of(cls, probabilities: FloatArray, codes: IntArray, weights: FloatArray) -> Calibration:
        """From out-of-fold probabilities (n, K) of rows with these weights."""
        scores = score_classes(probabilities)[np.arange(len(codes)), codes]
        members = [codes == place for place in range(probabilities.shape[1])]
        return cls(Quantiles.of(scores, weights), tuple(Quantiles.of(scores[one], weights[one]) for one in members))

    def choose_sets(self, probabilities: FloatArray, coverage: float, *, per_class: bool) -> NDArray[np.bool_]:
        """(n, K): whether a class is in the set of a row; the most probable one always is."""
        chosen = self.per_class if per_class else [self.overall] * probabilities.shape[1]
        return np.asarray(score_classes(probabilities) <= [one.threshold(coverage) for one in chosen])

    def check_shape(self, n_classes: int) -> None:
        """Raise ValueError unless it is for so many classes."""
        if len(self.per_class) != n_classes:
            raise ValueError(f"scores of {n_classes} classes are needed, not of {len(self.per_class)}")
