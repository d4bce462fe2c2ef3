"""The emphasis of BrownBoost, which gives up on samples that stay wrong as its time runs out."""

from typing import Any, ClassVar

import numpy as np

from emphatic import check
from emphatic.base import Ballot, Stage, VotingEmphasis
from emphatic.check import FloatArray, IntArray
from emphatic.margins import normalise
from emphatic.potential import find_step


class Brown(VotingEmphasis):
    r"""Weight samples most that are a remaining time s away from being right (BrownBoost, Freund 2001).

    .. math:: D_{t+1}(i) \propto \exp\bigl(-(m_i + s)^2 / c\bigr)

    s begins at c and falls with every learner. A vote of its own uses up the time after which the learner has no edge
    left, while the mean of :math:`1 - \operatorname{erf}((m_i + s) / \sqrt{c})` stays constant. At s = 0 growth ends
    (`stop_reason_` is "vote"), and about :math:`1 - \operatorname{erf} \sqrt{c}` of the samples have been given up.

    Parameters
    ----------
    c : float above 0, default=2.0
        All of the time: 0.5, 1, 2 and 5 give up about 32, 16, 5 and 0.2% of the samples. With more and more time the
        weights become those of `Exponential`, and the votes half of its votes.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from emphatic import RealAdaBoostClassifier
    >>> from emphatic.emphasis import Brown
    >>> X, y = make_moons(200, noise=0.3, random_state=0)
    >>> stump = DecisionTreeClassifier(max_depth=1)
    >>> model = RealAdaBoostClassifier(stump, Brown(0.5), n_estimators=100, random_state=0).fit(X, y)
    >>> model.stop_reason_, len(model.estimators_) < 100
    ('vote', True)
    """

    multi_class: ClassVar[bool] = False

    def __init__(self, c: float = 2.0) -> None:
        self.c = c

    def check_parameters(self) -> None:
        check.real("c", self.c, 0, open_low=True)

    def start(self, X: Any, y: IntArray) -> FloatArray:
        self.remaining_ = float(self.c)
        return super().start(X, y)

    @property
    def ended(self) -> bool:
        return self.remaining_ <= 0.0

    def choose(self, ballot: Ballot) -> float:
        step = find_step(self._line, ballot.ensemble_margin, ballot.margin, ballot.prior, -self.remaining_, 0.0)
        self.remaining_ = -step.time
        return step.vote

    def update(self, stage: Stage) -> FloatArray:
        return normalise(-((stage.ensemble_margin + self.remaining_) ** 2) / self.c)

    def _line(self, time: float) -> tuple[float, float]:
        return 1.0 / np.sqrt(self.c), -time / np.sqrt(self.c)
