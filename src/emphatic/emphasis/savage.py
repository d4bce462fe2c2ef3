"""The weights of SavageBoost."""

import numpy as np

from emphatic.base import Emphasis, Stage
from emphatic.check import FloatArray
from emphatic.margins import normalise


class Savage(Emphasis):
    r"""Weights that give up samples which are very wrong (SavageBoost, Masnadi-Shirazi and Vasconcelos 2008).

    .. math:: D_{t+1}(i) \propto \frac{e^{2 m_i}}{(1 + e^{2 m_i})^3}

    This is minus the derivative of the Savage loss :math:`(1 + e^{2m})^{-2}`, up to a factor. The loss is bounded, and
    a sample weighs most where it is slightly wrong, at :math:`m = -\frac{1}{2} \ln 2`; beyond that it is more and more
    taken for an outlier.

    >>> from sklearn.datasets import make_moons
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from emphatic import RealAdaBoostClassifier
    >>> from emphatic.emphasis import Savage
    >>> X, y = make_moons(200, noise=0.3, random_state=0)
    >>> tree = DecisionTreeClassifier(max_depth=2)
    >>> RealAdaBoostClassifier(tree, Savage(), n_estimators=50, random_state=0).fit(X, y).score(X, y) > 0.9
    True
    """

    def update(self, stage: Stage) -> FloatArray:
        twice = 2.0 * stage.ensemble_margin
        return normalise(twice - 3.0 * np.logaddexp(0.0, twice))
