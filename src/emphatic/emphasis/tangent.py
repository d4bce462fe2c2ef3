"""The weights of the tangent loss, which TangentBoost minimises."""

import numpy as np

from emphatic.base import Emphasis, Stage
from emphatic.check import FloatArray
from emphatic.margins import normalise


class Tangent(Emphasis):
    r"""Weights that fall slowly on either side of the boundary, for outliers as well as for safe samples.

    .. math:: D_{t+1}(i) \propto \frac{\lvert 1 - 2 \arctan m_i \rvert}{1 + m_i^2}

    This is the size of the derivative of the tangent loss :math:`(2 \arctan m - 1)^2` of TangentBoost (Masnadi-Shirazi,
    Mahadevan and Vasconcelos 2010), up to a factor. A sample weighs most where it is slightly wrong, at m = -0.51.

    Notes
    -----
    The loss is 0 at the margin :math:`\tan \frac{1}{2} \approx 0.55` and rises again beyond it: a step along its
    gradient lowers margins that are larger than this. A classifier could only be told so by other labels. Here such
    samples count with their own labels; with a weight of 0 the next learners would forget what is right already.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from emphatic import RealAdaBoostClassifier
    >>> from emphatic.emphasis import Tangent
    >>> X, y = make_moons(200, noise=0.3, random_state=0)
    >>> tree = DecisionTreeClassifier(max_depth=2)
    >>> RealAdaBoostClassifier(tree, Tangent(), n_estimators=50, random_state=0).fit(X, y).score(X, y) > 0.9
    True
    """

    def update(self, stage: Stage) -> FloatArray:
        m = stage.ensemble_margin
        with np.errstate(divide="ignore"):  # a margin of exactly tan(1/2) has the weight 0: exp(-inf)
            steepness = np.log(np.abs(1.0 - 2.0 * np.arctan(m)))
        return normalise(steepness - np.log1p(m**2))
