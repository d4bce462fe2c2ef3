"""What a growing ensemble orders, and how it is carried out: for one ensemble alone, or for many that grow in step.

An ensemble that grows is a generator: it yields the trainings it needs next and is sent the trained learners back, so
that whoever drives it decides how they are trained. Driven in step, ensembles of one kind have their learners trained
side by side, and what several of them order is trained once.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from emphatic.base import Job, Learner
from emphatic.boosting.training import Trainer
from emphatic.check import FloatArray
from emphatic.randomness import child_generator

T = TypeVar("T")
Trained = tuple[Any, FloatArray]
"""A fitted learner and its output on all samples of its trainer."""


@dataclass(frozen=True)
class Order:
    """One training: by whom, under which distributions, and the seed of its random draws."""

    trainer: Trainer
    weights: FloatArray
    design_weights: FloatArray | None
    seed: tuple[int, tuple[int, ...]]

    @property
    def rng(self) -> np.random.Generator:
        entropy, key = self.seed
        return child_generator(entropy, *key)

    @property
    def contents(self) -> Hashable:
        """Equal for orders that would train equal learners."""
        design = None if self.design_weights is None else self.design_weights.tobytes()
        return self.trainer.signature, self.weights.tobytes(), design, self.seed


Steps = Generator[list[Order], list[Trained], T]
"""What grows: it yields orders, is sent what was trained, and returns a T in the end."""


def train_all(orders: Sequence[Order]) -> list[Trained]:
    """Carry out orders: equal ones once, and our own learners of one class in a single call of `learn_many`."""
    if len(orders) == 1:  # nothing to share
        return [_train(orders[0])]
    places: dict[Hashable, int] = {}
    which = [places.setdefault(order.contents, len(places)) for order in orders]
    distinct = [orders[which.index(place)] for place in range(len(places))]
    trained: dict[int, Trained] = {}
    jobs: dict[type[Learner], dict[int, Job]] = {}
    for place, order in enumerate(distinct):
        if order.trainer.learns_by_weights:
            job = order.trainer.job(order.weights, order.design_weights, order.rng)
            jobs.setdefault(type(job.learner), {})[place] = job
        else:
            trained[place] = _train(order)
    for kind, ours in jobs.items():
        outputs = kind.learn_many(list(ours.values()))
        trained.update((place, (job.learner, output)) for (place, job), output in zip(ours.items(), outputs))
    return [trained[place] for place in which]


def _train(order: Order) -> Trained:
    return order.trainer.train(order.weights, order.design_weights, order.rng)


def carry_out(steps: Steps[T]) -> T:
    """Drive one ensemble to its end."""
    try:
        orders = next(steps)
        while True:
            orders = steps.send(train_all(orders))
    except StopIteration as end:
        result: T = end.value
        return result


def carry_out_together(
    many: Sequence[Steps[T]], progress: Callable[[int], None] = lambda ended: None
) -> list[T | Exception]:
    """Drive ensembles in step, to the end of each: its result, or the exception that ended it alone.

    `progress` is told after every step how many have ended.
    """
    results: dict[int, T | Exception] = {}
    waiting: dict[int, list[Order]] = {}

    def advance(number: int, go: Callable[[], list[Order]]) -> None:
        waiting.pop(number, None)
        try:
            waiting[number] = go()
        except StopIteration as end:
            results[number] = end.value
        except Exception as error:
            results[number] = error

    for number, steps in enumerate(many):
        advance(number, steps.__next__)
    while waiting:
        for number, answer in _answers(waiting).items():
            steps = many[number]
            if isinstance(answer, Exception):
                advance(number, lambda steps=steps, answer=answer: steps.throw(answer))  # type: ignore[misc]
            else:
                advance(number, lambda steps=steps, answer=answer: steps.send(answer))  # type: ignore[misc]
        progress(len(results))
    return [results[number] for number in range(len(many))]


def _answers(waiting: dict[int, list[Order]]) -> dict[int, list[Trained] | Exception]:
    """What was trained for each of those that wait. If it cannot be done for all at once, then for each by itself, so
    that only those fail that must."""
    try:
        trained = iter(train_all([order for orders in waiting.values() for order in orders]))
        return {number: [next(trained) for _ in orders] for number, orders in waiting.items()}
    except Exception:
        return {number: _or_exception(orders) for number, orders in waiting.items()}


def _or_exception(orders: list[Order]) -> list[Trained] | Exception:
    try:
        return train_all(orders)
    except Exception as error:
        return error
