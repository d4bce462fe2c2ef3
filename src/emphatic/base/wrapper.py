"""A wrapper changes the weights of another emphasis, and is that emphasis in all other respects."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from emphatic import check
from emphatic.base.emphasis import DrawnRows, Emphasis
from emphatic.base.stage import Stage
from emphatic.base.vote import Vote
from emphatic.check import FloatArray, IntArray


class EmphasisWrapper(Emphasis):
    """Base of emphases that change the weights of another one, their parameter `base`.

    A subclass writes `change`, and `check_own_parameters`. Kinds of learners, votes and draws are those of `base`,
    which sees its own weights of the last round in the stage, not the changed ones.

    Examples
    --------
    >>> from emphatic.emphasis import Exponential
    >>> class Softened(EmphasisWrapper):
    ...     def __init__(self, base=None):
    ...         self.base = base
    ...
    ...     def change(self, weights):
    ...         return 0.5 * weights + 0.5 / len(weights)
    >>> Softened(Exponential())
    Softened(base=Exponential())
    """

    base: Emphasis | None

    @property
    def inner(self) -> Emphasis:
        """`base`, which must be an emphasis, and hold no wrapper of this kind."""
        base: Emphasis = check.instance("base", self.base, Emphasis, "Mixed(0.3)")
        refuse_itself(base, (self,))
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

    @property
    def needs_all_rows(self) -> str:
        return self.inner.needs_all_rows or super().needs_all_rows

    def check_own_parameters(self) -> None:
        """Raise ValueError for a parameter of the wrapper itself that is not allowed."""

    def check_parameters(self) -> None:
        self.inner.check_parameters()
        self.check_own_parameters()

    def check_use(self, role: str, vote: Vote) -> None:
        self.inner.check_use(role, vote)

    def largest_edge(self, n: int) -> float:
        return self.inner.largest_edge(n)

    def change(self, weights: FloatArray) -> FloatArray:
        """What becomes of one distribution of `base`, (n,); where it offers several, each is changed."""
        return weights

    def start(self, X: Any, y: IntArray) -> FloatArray:
        return self._change_each(self.inner.start(X, y))

    def observe(self, stage: Stage) -> dict[str, np.ndarray]:
        return self.inner.observe(self._undo_change(stage))

    def update(self, stage: Stage) -> FloatArray:
        return self._change_each(self.inner.update(self._undo_change(stage)))

    def draw(self, X: Any, y: IntArray, weights: FloatArray, rng: np.random.Generator) -> DrawnRows:
        return self.inner.draw(X, y, weights, rng)

    def _change_each(self, weights: FloatArray) -> FloatArray:
        self.unchanged_ = list(weights) if weights.ndim == 2 else [weights]
        changed = [self.change(one) for one in self.unchanged_]
        return np.stack(changed) if weights.ndim == 2 else changed[0]

    def _undo_change(self, stage: Stage) -> Stage:
        """An emphasis that updates its last distribution must update its own, not the changed one."""
        return replace(stage, weights=self.unchanged_[stage.candidate])


def refuse_itself(inside: Emphasis, around: tuple[Emphasis, ...]) -> None:
    """Raise ValueError for an emphasis in itself, and for a wrapper in one of its kind: what it does, it did already.

    `around` are the emphases that hold `inside`, the outermost first.
    """
    name = type(inside).__name__
    for outer in around:
        if isinstance(inside, EmphasisWrapper) and type(inside) is type(outer):
            raise ValueError(f"base is not allowed: it holds a {name}, and a {name} cannot wrap another {name}.")
        if inside is outer:
            raise ValueError(f"An emphasis cannot hold itself, and this {name} does.")
    for part in vars(inside).values():  # get_params would ask the signature for them, and this is asked in every round
        if isinstance(part, Emphasis):
            refuse_itself(part, (*around, inside))
