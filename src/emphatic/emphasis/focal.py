"""The weights of the focal loss."""

import numpy as np
from scipy.special import log_expit

from emphatic import check
from emphatic.base import Emphasis, Stage
from emphatic.check import FloatArray
from emphatic.margins import normalise

NO_LIMIT_YET = 40.0
"""From this margin on, e^m ln(1 + e^-m) is 1 in floating point."""


class Focal(Emphasis):
    r"""Take weight from samples that are right already: the focal loss of Lin and others (2017).

    .. math:: D_{t+1}(i) \propto (1-p_i)^\gamma \bigl( 1 - p_i - \gamma\, p_i \ln p_i \bigr), \qquad
              p_i = \frac{1}{1 + e^{-m_i}}

    This is minus the derivative of the loss :math:`-(1-p)^\gamma \ln p` by the margin. For gamma > 0 the heaviest
    samples have margins of about -3; more negative ones weigh a little less, and right ones hardly anything.

    Parameters
    ----------
    gamma : float in [0, 100], default=2.0
        How fast samples that are right lose their weight; 0 is `Logistic`.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from emphatic import RealAdaBoostClassifier
    >>> from emphatic.emphasis import Focal
    >>> X, y = make_moons(200, noise=0.3, random_state=0)
    >>> tree = DecisionTreeClassifier(max_depth=2)
    >>> RealAdaBoostClassifier(tree, Focal(2.0), n_estimators=50, random_state=0).fit(X, y).score(X, y) > 0.9
    True
    """

    def __init__(self, gamma: float = 2.0) -> None:
        self.gamma = gamma

    def check_parameters(self) -> None:
        check.real("gamma", self.gamma, 0, 100)

    def update(self, stage: Stage) -> FloatArray:
        m = stage.ensemble_margin
        # (1-p) is taken out of the bracket: what is left, 1 + gamma e^m ln(1 + e^-m), lies in [1, 1 + gamma]
        below = np.minimum(m, NO_LIMIT_YET)
        bracket = -self.gamma * np.exp(below) * log_expit(below)
        return normalise((1.0 + self.gamma) * log_expit(-m) + np.log1p(bracket))
