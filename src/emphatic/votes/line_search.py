"""The vote that lowers the bound on the training error most."""

import numpy as np
from scipy.optimize import brentq

from emphatic.base import Ballot, Vote
from emphatic.check import FloatArray, IntArray
from emphatic.deferred import by_rows, evaluate
from emphatic.margins import margins, normalise, sum_of_products

LARGEST_VOTE = float(np.arctanh(1.0 - 1e-10))
"""As large as `Edge` gives to a perfect learner."""


class LineSearch(Vote):
    r"""The exact minimiser of AdaBoost's bound along the newest learner.

    .. math:: \alpha = \arg\min_a \sum_i p_i\, e^{-m_i(f + a o)}

    where p are the sample weights. `Edge` minimises an upper bound of this sum (Schapire and Singer 1999); for a
    learner whose outputs are all 1 or -1, and two classes, the two are equal. The sum is convex in a, for any number of
    classes.

    >>> from sklearn.datasets import make_moons
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from emphatic import RealAdaBoostClassifier
    >>> from emphatic.votes import LineSearch
    >>> X, y = make_moons(100, noise=0.2, random_state=0)
    >>> stump = DecisionTreeClassifier(max_depth=1)
    >>> model = RealAdaBoostClassifier(stump, vote=LineSearch(), n_estimators=10, random_state=0).fit(X, y)
    >>> bool((model.alphas_ > np.arctanh(model.edges_)).all())
    True
    """

    under = "bound"

    def choose(self, ballot: Ballot) -> float:
        with np.errstate(divide="ignore"):  # a prior of 0 stays 0: exp(-inf)
            log_prior = np.log(ballot.prior)

        def fall(vote: float) -> float:
            """How fast the sum falls at this vote, over the sum: the mean slope of the margins under its weights."""
            score = ballot.score + vote * ballot.output
            weights = normalise(log_prior - margins(score, ballot.y))
            (mean,) = evaluate(sum_of_products(weights, slopes(score, ballot.output, ballot.y)))
            return float(mean)

        if fall(0.0) <= 0.0:
            return ballot.edge
        return LARGEST_VOTE if fall(LARGEST_VOTE) > 0.0 else float(brentq(fall, 0.0, LARGEST_VOTE))


def slopes(score: FloatArray, output: FloatArray, y: IntArray) -> FloatArray:
    """How fast the margin of each sample grows with the vote: d o, or half of (true class - best other class of f).

    >>> slopes(np.array([[0.5, 0.0, -0.5]]), np.array([[1.0, 0.0, -1.0]]), np.array([1]))
    array([-0.5])
    """
    if score.ndim == 1:
        return margins(output, y)
    return by_rows(_slopes_of_columns, score, output, y)  # type: ignore[no-any-return]


def _slopes_of_columns(score: FloatArray, output: FloatArray, y: IntArray) -> FloatArray:
    rows = np.arange(len(y))
    others = score.copy()
    others[rows, y] = -np.inf
    return np.asarray((output[rows, y] - output[rows, others.argmax(axis=1)]) / 2.0)
