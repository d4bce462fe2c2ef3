"""The one loop of all clusterers: memberships and prototypes, each the best for the other, in turns.

A prototype is what stands for a cluster: a centre, a centre with a shape, a row. The loop does not look into it. All
that a variant gives it is a *step*: J of the memberships that belong to some prototypes, and the prototypes that belong
to those memberships.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import DTypeLike

from emphatic.check import FloatArray

TOL, MAX_ITER = 1e-6, 300
"""The alternation ends when J falls by less than this share of itself, or after so many iterations."""

Prototypes = TypeVar("Prototypes")
Step = Callable[[Prototypes], tuple[float, Prototypes]]


@dataclass(frozen=True, eq=False)
class Descent(Generic[Prototypes]):
    """The end of an alternation."""

    prototypes: Prototypes
    objectives: FloatArray
    """J after every iteration."""
    converged: bool


def descend(
    step: Step[Prototypes], prototypes: Prototypes, tol: float, max_iter: int, *, falls: bool = True
) -> Descent[Prototypes]:
    """Alternate between memberships and prototypes until J changes by less than `tol` of itself.

    Where each half of a step is the best for the other (`falls`), J never rises in exact arithmetic. An iteration in
    which it rises does so by rounding, at the minimum: the prototypes stay as they are, and it is the last. A variant
    that controls its prototypes, so that they are not quite the best, lets J rise now and then.
    """
    objective, following = step(prototypes)
    objectives: list[float] = []
    while len(objectives) < max_iter:
        before = objective
        objective, after = step(following)
        if objective <= before or not falls:
            prototypes, following = following, after
        else:
            objective = before
        objectives.append(objective)
        if abs(before - objective) <= tol * before:
            return Descent(prototypes, np.array(objectives), True)
    return Descent(prototypes, np.array(objectives), False)


def descend_from_all(
    step: Step[Prototypes],
    starts: Iterable[Prototypes],
    tol: float,
    max_iter: int,
    *,
    falls: bool = True,
    dtype: DTypeLike = np.float64,
) -> Descent[Prototypes]:
    """The lowest of the ends that the `starts` lead to."""
    found = [descend(step, start, tol, max_iter, falls=falls) for start in starts]
    return found[first_lowest([float(one.objectives[-1]) for one in found], dtype)]


def first_lowest(values: Sequence[float], dtype: DTypeLike = np.float64) -> int:
    """The place of the lowest value; the first one of those that differ from it by rounding only.

    Starts that lead to one minimum reach it with their clusters in different orders: which of them is the lowest in the
    last bit depends on the CPU.

    >>> first_lowest([2.0, 1.0 + 1e-15, 1.0])
    1
    """
    lowest = min(values)
    tolerance = 1000 * float(np.finfo(dtype).eps) * abs(lowest)
    return next(place for place, value in enumerate(values) if value <= lowest + tolerance)
