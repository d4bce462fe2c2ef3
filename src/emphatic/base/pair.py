"""Two emphases that are asked side by side."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import Any, NoReturn

import numpy as np

from emphatic import check
from emphatic.base.emphasis import Emphasis, take_single
from emphatic.base.stage import Stage
from emphatic.base.vote import Vote
from emphatic.base.wrapper import refuse_itself
from emphatic.check import FloatArray, IntArray


class EmphasisPair(Emphasis):
    """Base of emphases that are made of two others, their parameters `first` and `last`: a subclass writes `join`.

    Both are asked in every round, each with its own weights of the last round in the stage. What they need of learners
    and classes is joined; they must agree on the vote, draw no rows, and offer one distribution each.

    Examples
    --------
    >>> from emphatic.emphasis import Exponential, Mixed
    >>> class Halves(EmphasisPair):
    ...     def __init__(self, first=None, last=None):
    ...         self.first = first
    ...         self.last = last
    ...
    ...     def join(self, first, last):
    ...         return (first + last) / 2
    >>> Halves(Mixed(0.3), Mixed(0.7))
    Halves(first=Mixed(lam=0.3), last=Mixed(lam=0.7))
    """

    first: Emphasis | None
    last: Emphasis | None

    @abstractmethod
    def join(self, first: FloatArray, last: FloatArray) -> FloatArray:
        """The next distribution, of those that the two emphases chose; called once per round."""

    @property
    def both(self) -> tuple[Emphasis, Emphasis]:
        """`first` and `last`, which must be emphases, and not hold this one."""
        first: Emphasis = check.instance("first", self.first, Emphasis, "Mixed(0.3)")
        last: Emphasis = check.instance("last", self.last, Emphasis, "Mixed(0.3)")
        for one in (first, last):
            refuse_itself(one, (self,))
        return first, last

    @property
    def multi_class(self) -> bool:
        return all(one.multi_class for one in self.both)

    @property
    def learner_type(self) -> type:
        first, last = (one.learner_type for one in self.both)
        return first if issubclass(first, last) else last

    @property
    def needs_all_rows(self) -> str:
        return self.both[0].needs_all_rows or self.both[1].needs_all_rows

    @property
    def vote(self) -> str | Vote:
        return self.both[0].vote

    def check_parameters(self) -> None:
        for one in self.both:
            one.check_parameters()
        first, last = self.both
        if not issubclass(self.learner_type, first.learner_type):
            self._refuse(f"need learners of the types {first.learner_type.__name__} and {last.learner_type.__name__}")
        if repr(first.vote) != repr(last.vote):
            self._refuse(f"have different votes, {first.vote!r} and {last.vote!r}")
        if isinstance(first.vote, Emphasis):
            self._refuse("choose votes by their own weights, so that only one of them could vote")
        if first.draws or last.draws:
            self._refuse("do not both train on all rows: wrap the whole in what draws rows")

    def check_use(self, role: str, vote: Vote) -> None:
        for one in self.both:
            one.check_use(role, vote)

    def largest_edge(self, n: int) -> float:
        return min(one.largest_edge(n) for one in self.both)

    def start(self, X: Any, y: IntArray) -> FloatArray:
        return self._join_both([one.start(X, y) for one in self.both])

    def observe(self, stage: Stage) -> dict[str, np.ndarray]:
        first, last = (one.observe(own) for one, own in self._own_stages(stage))
        for name in first.keys() & last.keys():
            if not np.array_equal(first[name], last[name]):
                self._refuse(f"observe different things under one name, {name}")
        return {**first, **last}

    def update(self, stage: Stage) -> FloatArray:
        return self._join_both([one.update(own) for one, own in self._own_stages(stage)])

    def _join_both(self, chosen: list[FloatArray]) -> FloatArray:
        self.chosen_ = [take_single(self, one, weights) for one, weights in zip(self.both, chosen, strict=True)]
        return self.join(*self.chosen_)

    def _own_stages(self, stage: Stage) -> list[tuple[Emphasis, Stage]]:
        """An emphasis that updates its last distribution must update its own."""
        stages = [replace(stage, weights=weights) for weights in self.chosen_]
        return list(zip(self.both, stages, strict=True))

    def _refuse(self, difference: str) -> NoReturn:
        first, last = self.both
        raise ValueError(f"first={first!r} and last={last!r} do not go together: they {difference}.")
