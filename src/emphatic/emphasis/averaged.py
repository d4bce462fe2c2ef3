"""Any emphasis, averaged over all rounds so far (AveBoost)."""

from typing import Any

import numpy as np

from emphatic.base import Emphasis, EmphasisWrapper, Stage, take_single
from emphatic.check import FloatArray, IntArray


class Averaged(EmphasisWrapper):
    r"""Average the weights of an emphasis over all rounds so far (AveBoost: N. C. Oza, MCS 2003).

    .. math:: D_{t+1}(i) = \frac{t\, D_t(i) + C_{t+1}(i)}{t + 1}

    C is what the wrapped emphasis makes of round t, in which it finds the averaged weights D_t. They change less and
    less from round to round: the next learner is to avoid the mistakes of all learners so far, not those of the last.

    Parameters
    ----------
    base : Emphasis
        The emphasis to average; it must be given, and offer one distribution per round.

    Notes
    -----
    AveBoost is this around an emphasis that multiplies its last weights by :math:`e^{-\alpha m}`, with learners that
    vote +-1. An emphasis that looks at the margins of the ensemble, not at its last weights (`Exponential`, `Mixed`,
    `Controlled`), is simply averaged: :math:`D_{t+1}` is the mean of its distributions up to round t + 1.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from emphatic import RealAdaBoostClassifier
    >>> from emphatic.emphasis import Averaged, Exponential
    >>> X, y = make_moons(200, noise=0.3, random_state=0)
    >>> stump = DecisionTreeClassifier(max_depth=1)
    >>> for emphasis in (Exponential(), Averaged(Exponential())):
    ...     model = RealAdaBoostClassifier(stump, emphasis, n_estimators=20, random_state=0).fit(X, y)
    ...     print(model.effective_sample_sizes_.min().round())
    128.0
    141.0
    """

    def __init__(self, base: Emphasis | None = None) -> None:
        self.base = base

    def start(self, X: Any, y: IntArray) -> FloatArray:
        self.round_ = 0
        return take_single(self, self.inner, self.inner.start(X, y))

    def observe(self, stage: Stage) -> dict[str, np.ndarray]:
        return self.inner.observe(stage)

    def update(self, stage: Stage) -> FloatArray:
        self.round_ += 1
        newest = take_single(self, self.inner, self.inner.update(stage))
        return (self.round_ * stage.weights + newest) / (self.round_ + 1)
