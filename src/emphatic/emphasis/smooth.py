"""The weights of SmoothBoost."""

from typing import Any, ClassVar

import numpy as np

from emphatic import check
from emphatic.base import Emphasis, Stage, Vote
from emphatic.check import FloatArray, IntArray
from emphatic.margins import normalise


class Smooth(Emphasis):
    r"""Weights that never concentrate on few samples (SmoothBoost, Servedio 2003).

    .. math:: D_{t+1}(i) \propto \begin{cases} 1 & N_i < 0 \\ (1-\gamma)^{N_i / 2} & N_i \ge 0 \end{cases}, \qquad
              N_i = \sum_{s \le t} \bigl( m_i(o_s) - \theta \bigr), \quad \theta = \frac{\gamma}{2 + \gamma}

    where :math:`m_i(o_s)` is the margin of learner s alone. Samples whose mean margin is below :math:`\theta` all have
    the largest weight. If every learner has an edge of at least :math:`2\gamma`, their share falls below any limit.
    N counts all learners alike, so votes must be equal (``vote="equal"``, the default here).

    Parameters
    ----------
    gamma : float in (0, 0.5), default=0.1
        Half the edge that every learner is expected to have.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from emphatic import RealAdaBoostClassifier
    >>> from emphatic.emphasis import Smooth
    >>> X, y = make_moons(200, noise=0.2, random_state=0)
    >>> tree = DecisionTreeClassifier(max_depth=2)
    >>> RealAdaBoostClassifier(tree, Smooth(0.2), n_estimators=50, random_state=0).fit(X, y).score(X, y) > 0.9
    True
    """

    vote: ClassVar[str] = "equal"

    def __init__(self, gamma: float = 0.1) -> None:
        self.gamma = gamma

    def check_parameters(self) -> None:
        check.real("gamma", self.gamma, 0, 0.5, open_low=True, open_high=True)

    def check_use(self, role: str, vote: Vote) -> None:
        if not vote.keeps_all:
            raise ValueError(f"vote={vote!r} is not allowed with {role}={self!r}, which needs equal votes: 'equal'.")

    def start(self, X: Any, y: IntArray) -> FloatArray:
        self.excess_ = np.zeros_like(y, dtype=np.float64)  # N
        return super().start(X, y)

    def update(self, stage: Stage) -> FloatArray:
        self.excess_ = self.excess_ + stage.margin - self.gamma / (2.0 + self.gamma)
        return normalise(0.5 * np.log1p(-self.gamma) * np.maximum(0.0, self.excess_))
