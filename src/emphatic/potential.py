"""Boosting against the clock: a step that keeps the potential constant (Freund 2001, 2009).

A sample with the margin m at time t stands at x = a(t) m + b(t). Its potential is erfc(x) and its weight exp(-x^2).
Each learner gets the vote, and uses up the time, after which its edge is gone and the mean potential is what it was
before.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq, root
from scipy.special import log_ndtr

from emphatic.check import FloatArray
from emphatic.margins import normalise

LARGEST_VOTE = 100.0
"""A learner that would need a larger one gets none."""

Line = Callable[[float], tuple[float, float]]
"""Slope a(t) and offset b(t)."""

Conditions = Callable[[float, float], tuple[float, float]]
"""Of a vote and the time after it: the edge that is left, and by how much the logarithm of the potential has grown."""


class Step(NamedTuple):
    """The vote of a learner, and the time after it."""

    vote: float
    time: float


def find_step(line: Line, margin: FloatArray, change: FloatArray, prior: FloatArray, time: float, end: float) -> Step:
    """The step of a learner with the margins `change`, from samples with margins `margin`, weighted by `prior`.

    It ends earlier, with the edge still positive, where the time is up. A vote of 0 says that there is no such step.

    >>> brown = lambda t: (1.0, 1.0 - t)  # c = 1
    >>> step = find_step(brown, np.zeros(4), np.array([1.0, 1.0, 1.0, -1.0]), np.full(4, 0.25), 0.0, 1.0)
    >>> round(step.vote, 3), round(step.time, 3)
    (0.298, 0.077)
    """
    with np.errstate(divide="ignore"):  # a prior of 0 stays 0: exp(-inf)
        log_prior = np.log(prior)
    before = _log_potential(log_prior, _positions(line, margin, time))

    def conditions(vote: float, at: float) -> tuple[float, float]:
        """Both are 0 after the step: the edge, and the change of the (logarithm of the) potential."""
        x = _positions(line, margin + vote * change, min(at, end))
        return float(normalise(log_prior - x**2) @ change), _log_potential(log_prior, x) - before

    edge = conditions(0.0, time)[0]
    if edge <= 0.0:
        return Step(0.0, time)
    found = root(lambda step: conditions(*step), [edge / 2.0, time + edge**2 / 2.0])
    if found.success and found.x[0] > 0.0 and time < found.x[1] < end:
        return Step(float(found.x[0]), float(found.x[1]))
    return _follow(conditions, time, end)


def _follow(conditions: Conditions, time: float, end: float) -> Step:
    """The step, by going along the votes: slower, and right also where the edge grows with the vote at first.

    The potential rises with the time and, as long as there is an edge, falls with the vote. So each vote has a time.
    """

    def time_of(vote: float) -> float:
        earliest = time
        while conditions(vote, earliest)[1] > 0.0 and earliest > time - end:  # without an edge, time goes back
            earliest -= 0.1
        if conditions(vote, end)[1] <= 0.0:
            return end
        return _find_root(lambda at: conditions(vote, at)[1], earliest, end)

    def edge_of(vote: float) -> float:
        return conditions(vote, time_of(vote))[0]

    low, high = 0.0, 1.0 / 64.0
    while time_of(high) < end and edge_of(high) > 0.0:
        low, high = high, 1.5 * high
        if high > LARGEST_VOTE:
            return Step(0.0, time)
    vote = high if time_of(high) >= end else _find_root(edge_of, low, high)
    if time_of(vote) < end:
        return Step(vote, time_of(vote))
    # The time was up before. Which vote used up the last of it?
    return Step(_find_root(lambda one: conditions(one, end)[1], low, vote), end)


def _find_root(function: Callable[[float], float], low: float, high: float) -> float:
    """Where the function is 0; if it does not change its sign, the upper end."""
    return float(brentq(function, low, high)) if function(low) * function(high) < 0.0 else high


def _positions(line: Line, margin: FloatArray, time: float) -> FloatArray:
    slope, offset = line(time)
    return np.asarray(slope * margin + offset)


def _log_potential(log_prior: FloatArray, x: FloatArray) -> float:
    """ln of the mean of erfc(x) / 2, which does not vanish where erfc does."""
    logs = log_prior + log_ndtr(-np.sqrt(2.0) * x)
    largest = (
        logs.max()
    )  # by hand, as this is asked a dozen times a round: scipy's logsumexp takes twice as long as all
    return float(largest + np.log(np.exp(logs - largest).sum()))
