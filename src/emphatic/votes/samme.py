"""The vote of SAMME, for more than two classes."""

import numpy as np

from emphatic.base import Ballot, Vote


class Samme(Vote):
    r"""AdaBoost's vote for K classes, in which a learner only has to be better than chance among K.

    .. math:: \alpha = \operatorname{artanh} r + \frac{1}{2} \ln (K - 1)

    (Zhu, Zou, Rosset and Hastie 2009; theirs is twice this one, as the score here is a sum of outputs in [-1, 1] and
    not of 0 and 1.) It is positive for edges above 2/K - 1, that is, for errors below 1 - 1/K. For two classes it is
    `Edge`. With ``Multiplicative()`` and learners that answer with labels it is SAMME itself.

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from emphatic import RealAdaBoostClassifier
    >>> from emphatic.votes import Samme
    >>> X, y = load_iris(return_X_y=True)
    >>> stump = DecisionTreeClassifier(max_depth=1)
    >>> model = RealAdaBoostClassifier(stump, vote=Samme(), n_estimators=20, random_state=0).fit(X, y)
    >>> model.score(X, y) > 0.9
    True
    """

    def choose(self, ballot: Ballot) -> float:
        return float(np.arctanh(ballot.edge) + 0.5 * np.log(ballot.n_classes - 1.0))
