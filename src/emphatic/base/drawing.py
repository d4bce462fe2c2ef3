"""A wrapper that changes the rows of another emphasis instead of its weights."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np

from emphatic.base.emphasis import DrawnRows
from emphatic.base.wrapper import EmphasisWrapper
from emphatic.check import FloatArray, IntArray


class DrawingWrapper(EmphasisWrapper):
    """Base of wrappers that choose or make the rows of every round: a subclass writes `redraw`.

    Weights are those of `base`. Where `base` draws as well, its rows are drawn from.

    Examples
    --------
    >>> from emphatic.emphasis import Exponential, Undersampled
    >>> isinstance(Undersampled(Exponential()), DrawingWrapper)
    True
    """

    @property
    def draws(self) -> bool:
        return True

    @abstractmethod
    def redraw(self, drawn: DrawnRows, rng: np.random.Generator) -> DrawnRows:
        """The rows of one round, made of those that `base` draws: all rows, unless it draws too."""

    def draw(self, X: Any, y: IntArray, weights: FloatArray, rng: np.random.Generator) -> DrawnRows:
        drawn = self.inner.draw(X, y, weights, rng)
        if np.unique(drawn.y, return_counts=True)[1].min() < 2:
            raise ValueError(
                f"{type(self).__name__} needs at least 2 rows of each class, and one of the classes has a single row: "
                "leave that class out, or use an emphasis that does not draw rows."
            )
        return self.redraw(drawn, rng)
