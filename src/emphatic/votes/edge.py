"""Real AdaBoost's vote."""

import numpy as np

from emphatic import check
from emphatic.base import Ballot, Vote


class Edge(Vote):
    r"""The vote that Real AdaBoost gives to a learner with the edge r (paper 000, equations 4 and 5).

    .. math:: \alpha = \operatorname{artanh} r = \frac{1}{2} \ln \frac{1 + r}{1 - r},
              \qquad r = \sum_i V_i\, m_i(o)

    Parameters
    ----------
    under : {"emphasis", "bound"}, default="emphasis"
        The distribution V: that of the emphasis, or Real AdaBoost's own, :math:`e^{-m}`, whatever the emphasis, which
        keeps the bound on the training error falling. ``vote="emphasis"`` and ``vote="bound"`` are short for these.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from emphatic import RealAdaBoostClassifier
    >>> from emphatic.votes import Edge
    >>> X, y = make_moons(100, noise=0.2, random_state=0)
    >>> stump = DecisionTreeClassifier(max_depth=1)
    >>> model = RealAdaBoostClassifier(stump, vote=Edge("bound"), n_estimators=3, random_state=0).fit(X, y)
    >>> bool((np.tanh(model.alphas_).round(12) == model.edges_.round(12)).all())
    True
    """

    def __init__(self, under: str = "emphasis") -> None:
        self.under = under

    def check_parameters(self) -> None:
        check.one_of("under", self.under, ("emphasis", "bound"))

    def choose(self, ballot: Ballot) -> float:
        return float(np.arctanh(ballot.edge))
