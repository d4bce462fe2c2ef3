"""AdaBoost's update of the last weights by the newest learner alone."""

import numpy as np

from emphatic.base import Emphasis, Stage
from emphatic.check import FloatArray
from emphatic.margins import normalise


class Multiplicative(Emphasis):
    r"""Multiply the weights by what the newest learner has right and wrong, as AdaBoost was first written.

    .. math:: D_{t+1}(i) \propto D_t(i)\, e^{-\alpha_t\, m_i(o_t)}

    (Freund and Schapire 1997; Schapire and Singer 1999.) For two classes the exponents add up to the margin of the
    ensemble, and this is `Exponential`. For more classes the margin of a sum is not the sum of the margins: with the
    vote `emphatic.votes.Samme` and learners that answer with labels it is SAMME (Zhu, Zou, Rosset and Hastie 2009).

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import RidgeClassifier
    >>> from emphatic import RealAdaBoostClassifier
    >>> from emphatic.emphasis import Multiplicative
    >>> from emphatic.votes import Samme
    >>> X, y = load_iris(return_X_y=True)
    >>> ridge = RidgeClassifier()  # it answers with labels only
    >>> samme = RealAdaBoostClassifier(ridge, Multiplicative(), vote=Samme(), n_estimators=10, random_state=0)
    >>> ridge.fit(X, y).score(X, y) < 0.9 < samme.fit(X, y).score(X, y)
    True
    """

    def update(self, stage: Stage) -> FloatArray:
        with np.errstate(divide="ignore"):  # a weight that has vanished stays 0: exp(-inf)
            log_weights = np.log(stage.weights)
        return normalise(log_weights - stage.alpha * stage.margin)
