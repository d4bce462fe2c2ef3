"""One emphasis that turns into another over the rounds."""

from typing import Any

from emphatic import check
from emphatic.base import Emphasis, EmphasisPair
from emphatic.check import FloatArray, IntArray


class Annealed(EmphasisPair):
    r"""Begin with one emphasis and end with another, which paper 000 leaves as future work.

    .. math:: D_t = (1 - s_t)\, D^{\mathrm{first}}_t + s_t\, D^{\mathrm{last}}_t,
              \qquad s_t = \min\Bigl(1, \frac{t}{\mathrm{rounds} - 1}\Bigr), \quad t = 0, 1, \ldots

    Both emphases are asked in every round, each going on from its own weights.

    Parameters
    ----------
    first, last : Emphasis
        The emphasis of round 0, and that of round ``rounds - 1`` and all later ones; both must be given. They must
        have the same vote, offer one distribution each, and draw no rows: to draw, wrap the whole. What they need of
        learners and classes is joined.
    rounds : int of at least 1, default=50
        Rounds until the second emphasis is alone; usually as many as the ensemble has. 1 is `last` from the beginning.

    Notes
    -----
    With two equal emphases it is that emphasis. Arrays that both observe under one name must be equal.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from emphatic import RealAdaBoostClassifier, RBFNetworkClassifier
    >>> from emphatic.emphasis import Annealed, Mixed
    >>> X, y = make_moons(200, noise=0.2, random_state=0)
    >>> emphasis = Annealed(Mixed(0.7), Mixed(0.3), rounds=20)  # errors at first, then the boundary
    >>> model = RealAdaBoostClassifier(RBFNetworkClassifier(), emphasis, n_estimators=20, random_state=0).fit(X, y)
    >>> model.score(X, y) > 0.95
    True
    """

    def __init__(self, first: Emphasis | None = None, last: Emphasis | None = None, rounds: int = 50) -> None:
        self.first = first
        self.last = last
        self.rounds = rounds

    def check_parameters(self) -> None:
        super().check_parameters()
        check.integer("rounds", self.rounds, at_least=1)

    def start(self, X: Any, y: IntArray) -> FloatArray:
        self.round_ = 0
        return super().start(X, y)

    def join(self, first: FloatArray, last: FloatArray) -> FloatArray:
        share = min(1.0, self.round_ / (self.rounds - 1)) if self.rounds > 1 else 1.0
        self.round_ += 1
        # exactly `first` where both are equal, and exactly `last` at the end
        return last if share == 1.0 else first + share * (last - first)
