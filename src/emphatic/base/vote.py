"""How much the learner of a round counts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from sklearn.base import BaseEstimator

from emphatic.base.with_margins import WithMargins
from emphatic.check import FloatArray, IntArray

LARGEST_EDGE = 1.0 - 1e-10
"""A perfect learner gets the vote artanh(LARGEST_EDGE) = 11.86, not infinity."""


@dataclass(frozen=True)
class Ballot(WithMargins):
    """All that is known when a learner gets its vote.

    Examples
    --------
    >>> from emphatic import RealAdaBoostClassifier
    >>> from emphatic.base import Vote
    >>> class Half(Vote):
    ...     def choose(self, ballot):
    ...         return ballot.edge / 2
    >>> model = RealAdaBoostClassifier(vote=Half(), n_estimators=2, random_state=0)
    >>> model = model.fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
    >>> bool((model.alphas_ == model.edges_ / 2).all())
    True
    """

    y: IntArray
    n_classes: int
    prior: FloatArray
    """The user's sample weights; the sum is 1."""
    weights: FloatArray
    """The distribution the learner was trained under: the emphasis times `prior`, normalised."""
    output: FloatArray
    """Of the learner."""
    score: FloatArray
    """Of the ensemble before this learner."""
    edge: float
    """Of the learner, under the distribution that `Vote.under` names."""


class Vote(BaseEstimator, ABC):  # type: ignore[misc]
    """How much the learner of a round counts in the score: a subclass writes `choose`.

    What a fit has to remember may be set on `self` in `begin` and `choose`: `Growth` works on a clone.

    Examples
    --------
    >>> import numpy as np
    >>> from emphatic import RealAdaBoostClassifier
    >>> class Timid(Vote):
    ...     def choose(self, ballot):
    ...         return min(np.arctanh(ballot.edge), 0.3)
    >>> model = RealAdaBoostClassifier(vote=Timid(), n_estimators=3, random_state=0)
    >>> float(model.fit([[0], [1], [2], [3]], [0, 1, 0, 1]).alphas_.max()) <= 0.3
    True
    """

    under: str = "emphasis"
    """Which distribution edges are measured under: "emphasis", or "bound", Real AdaBoost's own."""

    keeps_all: bool = False
    """Whether every learner is kept, also one without a positive vote."""

    revises: bool = False
    """Whether `choose` returns the votes of all learners so far, (t,), instead of that of the newest one."""

    def check_parameters(self) -> None:
        """Raise ValueError for a parameter that is not allowed; called once before the first round."""

    def begin(self) -> None:
        """Forget what was remembered; called once before the first round."""

    @abstractmethod
    def choose(self, ballot: Ballot) -> float | FloatArray:
        """The vote. A learner whose vote is not positive is discarded; only what is kept may be remembered."""

    @property
    def ended(self) -> bool:
        """Whether the last learner has been kept: asked after every round."""
        return False
