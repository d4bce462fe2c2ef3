"""The controlled emphasis of paper 001: how strongly errors and the boundary may be emphasised at all."""

import numpy as np

from emphatic import check
from emphatic.base import Emphasis, Stage
from emphatic.check import FloatArray
from emphatic.margins import distribution_or_uniform


class Controlled(Emphasis):
    r"""Add an equal share for all to a bounded emphasis on errors and on the boundary (paper 001, equation 1).

    .. math:: D_{t+1}(i) \propto \alpha + (1-\alpha) \Bigl[\beta \frac{(o_i - d_i)^2}{4} + (1-\beta)(1 - o_i^2)\Bigr],
              \qquad o_i = \frac{f_t(x_i)}{\sum_s |\alpha_s|}

    With the margin q = o d in [-1, 1] the bracket is :math:`\beta (1-q)^2/4 + (1-\beta)(1-q^2)`, between 0 and 1. So
    no sample outweighs another by more than 1/alpha, however wrong the ensemble is about it.

    Parameters
    ----------
    alpha : float in [0, 1], default=0.3
        Share that every sample has whatever its margin; 1 is `Uniform`. It is the paper's alpha and not a vote.
    beta : float in [0, 1], default=0.5
        0 looks at the boundary only, 1 at the errors only. From 2/3 on a sample weighs the more the more wrong it is;
        below, the heaviest is one that is slightly wrong, at :math:`q = -\beta / (4 - 5\beta)`.
    f_scale : {"sum", "tanh", "clip"}, default="sum"
        What stands for q: m / sum|alpha|, which is mild as long as the learners disagree, or tanh m, or m clipped to
        [-1, 1], which saturate.

    Notes
    -----
    The names of the paper's family are expressions here:

    ======== ===================================
    CRA      ``Controlled(alpha, beta)``
    betaRA   ``Controlled(alpha=0, beta=beta)``
    ARA      ``Controlled(alpha=0, beta=1)``
    alpha1RA ``Controlled(alpha=alpha, beta=1)``
    alpha0RA ``Controlled(alpha=alpha, beta=0)``
    ======== ===================================

    Real AdaBoost itself, `Exponential`, is not among them. With alpha=0 all weights may vanish (every sample surely
    right, say): uniform weights are then used, with a warning.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from emphatic import RealAdaBoostClassifier, RBFNetworkClassifier
    >>> from emphatic.emphasis import Controlled
    >>> X, y = make_moons(200, noise=0.2, random_state=0)
    >>> emphasis = Controlled(alpha=0.3, beta=0.5)
    >>> model = RealAdaBoostClassifier(RBFNetworkClassifier(), emphasis, n_estimators=20, random_state=0).fit(X, y)
    >>> model.score(X, y) > 0.95
    True
    """

    def __init__(self, alpha: float = 0.3, beta: float = 0.5, f_scale: str = "sum") -> None:
        self.alpha = alpha
        self.beta = beta
        self.f_scale = f_scale

    def check_parameters(self) -> None:
        check.real("alpha", self.alpha, 0, 1)
        check.real("beta", self.beta, 0, 1)
        check.one_of("f_scale", self.f_scale, ("sum", "tanh", "clip"))

    def update(self, stage: Stage) -> FloatArray:
        # a learner whose output leaves [-1, 1], or rounding, must not make 1 - q^2 negative
        q = np.clip(stage.scaled_margin(self.f_scale), -1.0, 1.0)
        return distribution_or_uniform(controlled_weights(q, self.alpha, self.beta))


def controlled_weights(q: FloatArray, alpha: float, beta: float) -> FloatArray:
    """Weights of equation 1 before they are normalised, in [alpha, 1], for margins q in [-1, 1].

    >>> controlled_weights(np.array([-1.0, 0.0, 1.0]), alpha=0.0, beta=1.0)
    array([1.  , 0.25, 0.  ])
    """
    bracket = beta * (1.0 - q) ** 2 / 4.0 + (1.0 - beta) * (1.0 - q**2)
    weights: FloatArray = alpha + (1.0 - alpha) * bracket
    return weights
