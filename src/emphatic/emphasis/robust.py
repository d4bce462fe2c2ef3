"""The emphasis of RobustBoost: BrownBoost with a goal for the margins and for the share of errors."""

from typing import Any, ClassVar

import numpy as np
from scipy.special import erfinv

from emphatic import check
from emphatic.base import Ballot, Stage, VotingEmphasis
from emphatic.check import FloatArray, IntArray
from emphatic.margins import normalise
from emphatic.potential import find_step

LARGEST = 1e6
"""Goal and spread: margins are far below, and squares of much larger numbers would overflow."""


class Robust(VotingEmphasis):
    r"""Aim at margins above a goal for all but a given share of the samples (RobustBoost, Freund 2009).

    .. math:: D_{t+1}(i) \propto \exp\Bigl(-\frac{(e^{-\tau} m_i - \mu)^2}{\sigma^2}\Bigr), \quad
              \sigma^2 = (\sigma_f^2 + 1) e^{2(1-\tau)} - 1, \quad \mu = (\theta - 2\rho) e^{1-\tau} + 2\rho

    The time :math:`\tau` runs from 0 to 1, and each learner's own vote uses up a part of it, as in `Brown`; growth ends
    with it (`stop_reason_` is "vote"). :math:`\rho` follows from the `errors`. Freund's margins shrink by
    :math:`e^{-\tau}`; here the votes grow instead, which is the same up to a factor of the final score.

    Parameters
    ----------
    errors : float in (0, 1), default=0.1
        The share of samples to give up.
    goal : float in [0, 1e6], default=0.0
        The margin :math:`\theta` that the others should have in the end.
    spread : float in (0, 1e6], default=0.1
        :math:`\sigma_f`: how sharply the goal is drawn.

    >>> from sklearn.datasets import make_moons
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from emphatic import RealAdaBoostClassifier
    >>> from emphatic.emphasis import Robust
    >>> X, y = make_moons(200, noise=0.3, random_state=0)
    >>> stump = DecisionTreeClassifier(max_depth=1)
    >>> RealAdaBoostClassifier(stump, Robust(0.2), n_estimators=100, random_state=0).fit(X, y).stop_reason_
    'vote'
    """

    multi_class: ClassVar[bool] = False

    def __init__(self, errors: float = 0.1, goal: float = 0.0, spread: float = 0.1) -> None:
        self.errors = errors
        self.goal = goal
        self.spread = spread

    def check_parameters(self) -> None:
        check.real("errors", self.errors, 0, 1, open_low=True, open_high=True)
        check.real("goal", self.goal, 0, LARGEST)
        check.real("spread", self.spread, 0, LARGEST, open_low=True)
        if self._rho() <= 0.0:  # time would run backwards
            raise ValueError(f"errors={self.errors!r} is not allowed with goal={self.goal!r}: choose fewer errors.")

    def start(self, X: Any, y: IntArray) -> FloatArray:
        self.time_, self.rho_ = 0.0, self._rho()
        return super().start(X, y)

    @property
    def ended(self) -> bool:
        return self.time_ >= 1.0

    def choose(self, ballot: Ballot) -> float:
        vote, self.time_ = find_step(self._line, ballot.ensemble_margin, ballot.margin, ballot.prior, self.time_, 1.0)
        return vote

    def update(self, stage: Stage) -> FloatArray:
        slope, offset = self._line(self.time_)
        return normalise(-((slope * stage.ensemble_margin + offset) ** 2))

    def _line(self, time: float) -> tuple[float, float]:
        r""":math:`x = (e^{-\tau} m - \mu) / \sigma` as slope and offset."""
        left = np.exp(1.0 - time)
        sigma = np.sqrt(max((self.spread**2 + 1.0) * left**2 - 1.0, np.finfo(float).tiny))
        return np.exp(-time) / sigma, -((self.goal - 2.0 * self.rho_) * left + 2.0 * self.rho_) / sigma

    def _rho(self) -> float:
        """With which the potential at time 0, where all margins are 0, is the share of errors."""
        sigma = np.sqrt((self.spread**2 + 1.0) * np.e**2 - 1.0)
        return float((np.e * self.goal + sigma * erfinv(1.0 - 2.0 * self.errors)) / (2.0 * (np.e - 1.0)))
