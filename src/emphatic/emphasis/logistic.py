"""The weights of the logistic loss."""

from scipy.special import log_expit

from emphatic.base import Emphasis, Stage
from emphatic.check import FloatArray
from emphatic.margins import normalise


class Logistic(Emphasis):
    r"""Weight by the probability of being wrong, as a logistic model would put it.

    .. math:: D_{t+1}(i) \propto \frac{1}{1 + e^{m_i}}

    This is minus the derivative of the loss :math:`\ln(1 + e^{-m})`: the weights of Collins, Schapire and Singer (2002)
    and of FilterBoost (Bradley and Schapire 2007), which draws its samples by them. For margins well above 0 they are
    those of `Exponential`; however wrong a sample is, it weighs at most twice as much as one on the boundary.

    >>> from sklearn.datasets import make_moons
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from emphatic import RealAdaBoostClassifier
    >>> from emphatic.emphasis import Logistic
    >>> X, y = make_moons(200, noise=0.3, random_state=0)
    >>> tree = DecisionTreeClassifier(max_depth=2)
    >>> RealAdaBoostClassifier(tree, Logistic(), n_estimators=50, random_state=0).fit(X, y).score(X, y) > 0.9
    True
    """

    def update(self, stage: Stage) -> FloatArray:
        return normalise(log_expit(-stage.ensemble_margin))
