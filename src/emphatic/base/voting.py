"""An emphasis with a vote of its own."""

from __future__ import annotations

from emphatic.base.emphasis import Emphasis
from emphatic.base.vote import Vote


class VotingEmphasis(Emphasis, Vote):
    """Base of emphases whose weights and votes come from one calculation: they are an `Emphasis` and its `Vote`.

    A subclass writes `update` and `choose`, and sets what it remembers in `start`.

    Examples
    --------
    >>> from emphatic.emphasis import Brown
    >>> isinstance(Brown(), VotingEmphasis)
    True
    """

    @property
    def vote(self) -> Vote:
        return self

    def check_use(self, role: str, vote: Vote) -> None:
        if role == "design_emphasis":
            raise ValueError(f"design_emphasis={self!r} is not allowed: its weights need votes of its own.")
        if vote is not self:
            raise ValueError(f"vote={vote!r} is not allowed with {self!r}, which has a vote of its own: use 'auto'.")
