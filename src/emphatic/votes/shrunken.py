"""Any vote, made smaller."""

from emphatic import check
from emphatic.base import Ballot, Vote
from emphatic.check import FloatArray
from emphatic.votes.edge import Edge


class Shrunken(Vote):
    r"""A part of another vote: :math:`\alpha' = \nu\, \alpha`, the learning rate of Friedman (2001).

    Smaller steps need more rounds, and usually end at a lower error.

    Parameters
    ----------
    rate : float in (0, 1], default=0.1
        The part :math:`\nu`; 1 is the other vote itself.
    base : Vote, default=None
        The vote to shrink; None is ``Edge()``.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from emphatic import RealAdaBoostClassifier
    >>> from emphatic.votes import Shrunken
    >>> X, y = make_moons(100, noise=0.2, random_state=0)
    >>> stump = DecisionTreeClassifier(max_depth=1)
    >>> model = RealAdaBoostClassifier(stump, vote=Shrunken(0.1), n_estimators=50, random_state=0).fit(X, y)
    >>> bool(model.alphas_.max() < 0.2)
    True
    """

    def __init__(self, rate: float = 0.1, base: Vote | None = None) -> None:
        self.rate = rate
        self.base = base

    @property
    def under(self) -> str:  # type: ignore[override]
        return self._inner.under

    @property
    def keeps_all(self) -> bool:  # type: ignore[override]
        return self._inner.keeps_all

    @property
    def _inner(self) -> Vote:
        base: Vote = Edge() if self.base is None else check.instance("base", self.base, Vote, "Edge()")
        return base

    def check_parameters(self) -> None:
        check.real("rate", self.rate, 0, 1, open_low=True)
        if isinstance(self._inner, Shrunken):
            raise ValueError("base is not allowed: a Shrunken cannot shrink another Shrunken; multiply the rates.")
        if self._inner.revises:
            raise ValueError(f"base={self._inner!r} is not allowed: it sets all votes anew in every round.")
        self._inner.check_parameters()

    def begin(self) -> None:
        self._inner.begin()

    def choose(self, ballot: Ballot) -> float | FloatArray:
        return self.rate * self._inner.choose(ballot)
