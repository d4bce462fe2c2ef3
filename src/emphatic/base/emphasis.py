"""An `Emphasis` turns a `Stage` into weights."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from emphatic.base.stage import Stage
from emphatic.base.vote import LARGEST_EDGE, Vote
from emphatic.check import FloatArray, IntArray


@dataclass(frozen=True)
class DrawnRows:
    """Rows that the learner of one round is trained on, instead of all rows of the table.

    Examples
    --------
    >>> import numpy as np
    >>> from emphatic.emphasis import Exponential, Undersampled
    >>> X, y = np.arange(6.0)[:, None], np.array([0, 0, 0, 0, 1, 1])
    >>> drawn = Undersampled(Exponential()).draw(X, y, np.full(6, 1 / 6), np.random.default_rng(0))
    >>> len(drawn.y), round(float(drawn.weights.sum()), 6)
    (4, 1.0)
    """

    X: Any
    y: IntArray
    weights: FloatArray
    """The sum is 1."""


class Emphasis(BaseEstimator, ABC):  # type: ignore[misc]
    """Which samples the next learner should look at: a distribution over the training samples for every round.

    A subclass writes `update`. It sees margins, never labels coded +-1, so it works for any number of classes; the
    user's `sample_weight` is multiplied in by `Growth`, and no emphasis handles it. What a fit has to remember may be
    set on `self` in `start` and `update`: `Growth` works on a clone.

    `start` and `update` return one distribution, (n,), or several candidates, (c, n): then a learner is trained under
    each and the one with the largest edge is kept. `learner_type` and `vote` are properties, so that a wrapper can pass
    on those of what it wraps; others simply set a class attribute, such as ``vote = "bound"``.

    Examples
    --------
    >>> import numpy as np
    >>> from emphatic import RealAdaBoostClassifier
    >>> from emphatic.margins import normalise
    >>> class Undecided(Emphasis):
    ...     def update(self, stage):
    ...         return normalise(-np.abs(stage.ensemble_margin))
    >>> RealAdaBoostClassifier(emphasis=Undecided()).fit([[0], [1], [2], [3]], [0, 0, 1, 1]).predict([[0], [3]])
    array([0, 1])
    """

    @property
    def multi_class(self) -> bool:
        """Whether it is defined for more than two classes."""
        return True

    @property
    def learner_type(self) -> type:
        """What the learner must be; checked before training."""
        return object

    @property
    def vote(self) -> str | Vote:
        """The vote of an ensemble with `vote="auto"`: "bound", "emphasis" or "equal" (see `grow`), or a `Vote`.

        An emphasis whose weights and votes come from one calculation is a `Vote` as well, and names itself here.
        """
        return "emphasis"

    @property
    def draws(self) -> bool:
        """Whether learners are trained on rows that `draw` chooses or makes, instead of all rows."""
        return False

    @property
    def needs_all_rows(self) -> str:
        """Why it cannot be computed on a table in partitions; empty where it can.

        It can where `start` and `update` are made of NumPy's functions of the arrays in a `Stage`, which are Dask's
        then, and of what `Stage.ask_rows` and `emphatic.deferred.evaluate` tell.
        """
        return "it draws the rows of a round from the whole table" if self.draws else ""

    def check_parameters(self) -> None:
        """Raise ValueError for a parameter that is not allowed; called once before the first round."""

    def check_use(self, role: str, vote: Vote) -> None:
        """Raise ValueError if it cannot serve as `role` ("emphasis" or "design_emphasis") with this vote."""

    def largest_edge(self, n: int) -> float:
        """Edges above this count as this: the vote of a perfect learner of `n` samples must be finite."""
        return LARGEST_EDGE

    def start(self, X: Any, y: IntArray) -> FloatArray:
        """First distribution; uniform unless an emphasis knows better."""
        return np.full_like(y, 1.0 / len(y), dtype=np.float64)

    def observe(self, stage: Stage) -> dict[str, np.ndarray]:
        """What users can read about a round after the fit: arrays (n,) under names that end in "_".

        Called once per round, the last one included; the result is `Stage.observed`, and the ensemble has it as
        attributes (rounds, n).
        """
        return {}

    @abstractmethod
    def update(self, stage: Stage) -> FloatArray:
        """Next distribution, or candidates for it, after the round that `stage` reveals."""

    def draw(self, X: Any, y: IntArray, weights: FloatArray, rng: np.random.Generator) -> DrawnRows:
        """The rows that a learner is trained on, with weights; called only if `draws`. Edges are of all rows."""
        return DrawnRows(X, y, weights)


def take_single(user: Emphasis, emphasis: Emphasis, weights: FloatArray) -> FloatArray:
    """The distribution that `emphasis` chose, (n,); ValueError if it offers several, of which `user` can use one."""
    if weights.ndim == 2 and len(weights) > 1:
        raise ValueError(
            f"{type(user).__name__} needs one distribution per round, and {emphasis!r} offers {len(weights)}: use an "
            "emphasis with a single one, such as Mixed(0.3)."
        )
    return weights.reshape(-1)
