"""The weights of MadaBoost."""

import numpy as np

from emphatic.base import Emphasis, Stage
from emphatic.check import FloatArray
from emphatic.margins import normalise


class Mada(Emphasis):
    r"""Real AdaBoost's weights, none of them larger than in the first round (MadaBoost, Domingo and Watanabe 2000).

    .. math:: D_{t+1}(i) \propto \min(1, e^{-m_i})

    All samples that the ensemble has wrong weigh the same, however wrong they are, so that no mislabelled sample can
    outweigh the others. As long as no margin is negative this is `Exponential`.

    >>> from sklearn.datasets import make_moons
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from emphatic import RealAdaBoostClassifier
    >>> from emphatic.emphasis import Mada
    >>> X, y = make_moons(200, noise=0.3, random_state=0)
    >>> tree = DecisionTreeClassifier(max_depth=2)
    >>> RealAdaBoostClassifier(tree, Mada(), n_estimators=50, random_state=0).fit(X, y).score(X, y) > 0.9
    True
    """

    def update(self, stage: Stage) -> FloatArray:
        return normalise(np.minimum(0.0, -stage.ensemble_margin))
