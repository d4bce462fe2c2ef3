"""The mixed emphasis of paper 000: how wrong a sample is against how near it is to the boundary."""

from typing import ClassVar

import numpy as np

from emphatic import check
from emphatic.base import Emphasis, Stage
from emphatic.check import FloatArray
from emphatic.margins import mixed_exponent, normalise


class Mixed(Emphasis):
    r"""Mix the emphasis on errors with that on the boundary (paper 000, equation 11).

    .. math:: D_{t+1}(i) \propto \exp\bigl(\lambda (f_t(x_i) - d_i)^2 - (1-\lambda) f_t(x_i)^2\bigr)

    With the margin m = f d, and since d^2 = 1, the exponent is :math:`\lambda (1-m)^2 - (1-\lambda) m^2`.

    Parameters
    ----------
    lam : float in [0, 1], default=0.5
        The paper's lambda. 0 looks at the boundary only, 1 at the errors only; 0.5 is exactly Real AdaBoost.
    f_scale : {"raw", "sum", "tanh", "clip", "one_sided"}, default="raw"
        What stands for m in the exponent: m itself, m / sum|alpha|, tanh m, or m clipped to [-1, 1]. "one_sided"
        keeps m but lets only margins below 1 count as errors, :math:`\lambda \max(0, 1-m)^2 - (1-\lambda) m^2`.
        With any but "raw", lam=0.5 is no longer Real AdaBoost.

    Notes
    -----
    For lam > 1/2 the raw exponent is convex in m: a sample that is very safely right weighs as much as a wrong one.
    The vote therefore comes from Real AdaBoost's own distribution (`vote="bound"`), which stops the run-away.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from emphatic import RealAdaBoostClassifier, RBFNetworkClassifier
    >>> from emphatic.emphasis import Mixed
    >>> X, y = make_moons(200, noise=0.2, random_state=0)
    >>> model = RealAdaBoostClassifier(RBFNetworkClassifier(), Mixed(0.3), n_estimators=20, random_state=0).fit(X, y)
    >>> model.score(X, y) > 0.95
    True
    """

    vote: ClassVar[str] = "bound"

    def __init__(self, lam: float = 0.5, f_scale: str = "raw") -> None:
        self.lam = lam
        self.f_scale = f_scale

    def check_parameters(self) -> None:
        check.real("lam", self.lam, 0, 1)
        check.one_of("f_scale", self.f_scale, ("raw", "sum", "tanh", "clip", "one_sided"))

    def update(self, stage: Stage) -> FloatArray:
        if self.f_scale == "one_sided":
            lam, m = self.lam, stage.ensemble_margin
            return normalise(lam * np.maximum(0.0, 1.0 - m) ** 2 - (1.0 - lam) * m**2)
        return normalise(mixed_exponent(stage.scaled_margin(self.f_scale), self.lam))
