"""Real AdaBoost's own emphasis."""

from emphatic.base import Emphasis, Stage
from emphatic.check import FloatArray
from emphatic.margins import normalise


class Exponential(Emphasis):
    r"""Weight by the exponential of the negative margin of the partial ensemble.

    .. math:: D_{t+1}(i) \propto \exp(-m_i), \qquad m_i = f_t(x_i)\, d_i

    which is equation (2) of paper 000 unrolled. For K classes m is the margin of `emphatic.margins`.

    >>> from sklearn.datasets import load_iris
    >>> from emphatic import RealAdaBoostClassifier
    >>> from emphatic.emphasis import Exponential
    >>> X, y = load_iris(return_X_y=True)
    >>> RealAdaBoostClassifier(emphasis=Exponential(), n_estimators=10, random_state=0).fit(X, y).score(X, y) > 0.95
    True
    """

    def update(self, stage: Stage) -> FloatArray:
        return normalise(-stage.ensemble_margin)
