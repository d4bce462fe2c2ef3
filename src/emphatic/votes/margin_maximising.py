"""The vote of AdaBoost*, which maximises the smallest margin."""

import numpy as np

from emphatic import check
from emphatic.base import Ballot, Vote


class MarginMaximising(Vote):
    r"""Smaller votes, with which the smallest margin comes as near to its maximum as is asked for (AdaBoost*).

    .. math:: \alpha_t = \operatorname{artanh} r_t - \operatorname{artanh} \rho_t, \qquad
              \rho_t = \min_{s \le t} r_s - \nu

    (Rätsch and Warmuth 2005.) The edges so far bound the margin that can be reached from above; :math:`\rho_t` is that
    bound less the accuracy :math:`\nu`. Where the edges are measured under the exponential weights, after
    :math:`2 \ln n / \nu^2` rounds the smallest margin, over the sum of the votes, is at most :math:`\nu` below the
    largest possible one.

    Parameters
    ----------
    accuracy : float in (0, 1), default=0.1
        The :math:`\nu`: the smaller, the nearer and the slower.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from emphatic import RealAdaBoostClassifier
    >>> from emphatic.votes import MarginMaximising
    >>> X, y = make_moons(60, noise=0.1, random_state=0)
    >>> tree = DecisionTreeClassifier(max_depth=2)
    >>> vote = MarginMaximising(0.05)
    >>> model = RealAdaBoostClassifier(tree, vote=vote, n_estimators=300, random_state=0).fit(X, y)
    >>> bool(model.edges_.min() - 0.05 <= model.margin_ <= model.edges_.min())
    True
    """

    def __init__(self, accuracy: float = 0.1) -> None:
        self.accuracy = accuracy

    def check_parameters(self) -> None:
        check.real("accuracy", self.accuracy, 0, 1, open_low=True, open_high=True)

    def begin(self) -> None:
        self.least_edge_ = 1.0

    def choose(self, ballot: Ballot) -> float:
        if ballot.edge <= 0.0:  # it says nothing of the margin that learners with an edge can reach
            return ballot.edge
        self.least_edge_ = min(self.least_edge_, ballot.edge)
        return float(np.arctanh(ballot.edge) - np.arctanh(self.least_edge_ - self.accuracy))
