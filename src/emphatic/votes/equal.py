"""One learner, one vote."""

from emphatic.base import Ballot, Vote


class Equal(Vote):
    """Every learner is kept, whatever its edge, and has the vote 1; ``vote="equal"`` is short for it.

    With `Exponential` and a learner that answers with probabilities p (the output 2p - 1 is then a weighted mean of the
    labels), this is Gentle AdaBoost (Friedman, Hastie and Tibshirani 2000).

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from emphatic import RealAdaBoostClassifier
    >>> from emphatic.votes import Equal
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = DecisionTreeClassifier(max_depth=2)
    >>> RealAdaBoostClassifier(tree, vote=Equal(), n_estimators=5, random_state=0).fit(X, y).alphas_
    array([1., 1., 1., 1., 1.])
    """

    keeps_all = True

    def choose(self, ballot: Ballot) -> float:
        return 1.0
