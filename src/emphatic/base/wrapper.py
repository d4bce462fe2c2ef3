"""A wrapper changes the weights of another emphasis, and is that emphasis in all other respects."""

from __future__ import annotations

from typing import Any

import numpy as np

from emphatic import check
from emphatic.base.emphasis import DrawnRows, Emphasis
from emphatic.base.stage import Stage
from emphatic.base.vote import Vote
from emphatic.check import FloatArray, IntArray


class EmphasisWrapper(Emphasis):
    """Base of emphases that change the weights of another one, their parameter `base`.

    A subclass overrides what it changes, and `check_own_parameters`. Kinds of learners, votes and draws are those of
    `base`.
    """

    base: Emphasis | None

    @property
    def inner(self) -> Emphasis:
        """`base`, which must be an emphasis and no wrapper of the same kind."""
        base: Emphasis = check.instance("base", self.base, Emphasis, "Mixed(0.3)")
        return base

    @property
    def multi_class(self) -> bool:
        return self.inner.multi_class

    @property
    def learner_type(self) -> type:
        return self.inner.learner_type

    @property
    def vote(self) -> str | Vote:
        return self.inner.vote

    @property
    def draws(self) -> bool:
        return self.inner.draws

    def check_own_parameters(self) -> None:
        """Raise ValueError for a parameter of the wrapper itself that is not allowed."""

    def check_parameters(self) -> None:
        self._refuse_itself()
        self.inner.check_parameters()
        self.check_own_parameters()

    def check_use(self, role: str, vote: Vote) -> None:
        self.inner.check_use(role, vote)

    def largest_edge(self, n: int) -> float:
        return self.inner.largest_edge(n)

    def start(self, X: Any, y: IntArray) -> FloatArray:
        return self.inner.start(X, y)

    def observe(self, stage: Stage) -> dict[str, np.ndarray]:
        return self.inner.observe(stage)

    def update(self, stage: Stage) -> FloatArray:
        return self.inner.update(stage)

    def draw(self, X: Any, y: IntArray, weights: FloatArray, rng: np.random.Generator) -> DrawnRows:
        return self.inner.draw(X, y, weights, rng)

    def _refuse_itself(self) -> None:
        """Raise ValueError where a wrapper is found inside one of its kind: what it does, it would do twice."""
        inside: Any = self.inner
        while isinstance(inside, EmphasisWrapper):
            if type(inside) is type(self):
                name = type(self).__name__
                raise ValueError(f"base is not allowed: it holds a {name}, and a {name} cannot wrap another {name}.")
            inside = inside.inner
