"""No emphasis at all: what bagging would do, and the reference for every other emphasis."""

import numpy as np

from emphatic.base import Emphasis, Stage
from emphatic.check import FloatArray


class Uniform(Emphasis):
    """Every sample weighs the same in every round.

    As `design_emphasis=Uniform()` it takes the emphasis out of the choice of centres (paper 000, Table III).

    >>> from emphatic import RealAdaBoostClassifier
    >>> from emphatic.emphasis import Uniform
    >>> RealAdaBoostClassifier(emphasis=Uniform(), n_estimators=3).get_params()["emphasis"]
    Uniform()
    """

    def update(self, stage: Stage) -> FloatArray:
        return np.full_like(stage.weights, 1.0 / len(stage.y))
