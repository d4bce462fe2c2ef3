"""What one round of boosting reveals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from emphatic.base.with_margins import WithMargins
from emphatic.check import FloatArray, IntArray
from emphatic.deferred import is_deferred


@dataclass(frozen=True)
class Stage(WithMargins):
    """All that one round of boosting reveals.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from emphatic.boosting import grow
    >>> from emphatic.emphasis import Exponential
    >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0, 0, 1, 0])
    >>> stump = DecisionTreeClassifier(max_depth=1)
    >>> stages = grow(X, y, np.array([0, 1]), learner=stump, emphasis=Exponential(), rng=np.random.default_rng(0))
    >>> stage = next(stages)
    >>> stage.weights, round(stage.edge, 3), stage.ensemble_margin.shape
    (array([0.25, 0.25, 0.25, 0.25]), 0.5, (4,))
    """

    X: Any
    y: IntArray
    weights: FloatArray
    """The distribution the emphasis chose for this round."""
    training_weights: FloatArray
    """`weights` times the user's sample weights, normalised: what the learner was trained with."""
    learner: Any
    output: FloatArray
    alpha: float
    edge: float
    score: FloatArray
    """Of the partial ensemble, this learner included."""
    total_alpha: float
    """sum |alpha| so far; score / total_alpha lies in [-1, 1]."""
    alphas: FloatArray | None = None
    """Votes of all learners so far, where the vote revises earlier ones; None where they stay."""
    candidate: int = 0
    """Which of the emphasis' candidates `weights` is; 0 where it offered only one distribution."""
    observed: dict[str, np.ndarray] = field(default_factory=dict)
    """What the emphasis observed in this round."""

    def ask_rows(self, function: Callable[[Any, IntArray], np.ndarray], dtype: Any = float) -> Any:
        """`function(X, y)`, which gives one answer per row and looks at no other row; in each partition, if any."""
        return self.X.each(function, self.y, dtype=dtype) if is_deferred(self.y) else function(self.X, self.y)

    def scaled_margin(self, f_scale: str) -> FloatArray:
        """Margins of the partial ensemble as an emphasis reads them: "raw", m / sum|alpha| ("sum"), "tanh" or "clip".

        All of them are odd functions of the score f, and so d g(f) = g(m).
        """
        m = self.ensemble_margin
        if f_scale == "sum":
            return m / self.total_alpha
        if f_scale == "tanh":
            return np.tanh(m)
        return np.clip(m, -1.0, 1.0) if f_scale == "clip" else m
