"""Boosting against the clock: a step that keeps the potential constant (Freund 2001, 2009).

A sample with the margin m at time t stands at x = a(t) m + b(t). Its potential is erfc(x) and its weight exp(-x^2).
Each learner gets the vote, and uses up the time, after which its edge is gone and the mean potential is what it was
before.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from math import isfinite
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.special import erfc, log_ndtr

from emphatic.check import FloatArray
from emphatic.deferred import evaluate

LARGEST_VOTE = 100.0
"""A learner that would need a larger one gets none."""

CLOSE = 1e-5
"""A step of Newton's method that is shorter than this is the last one: what it leaves is about the square of it."""

MOST_STEPS = 16
"""Of Newton's method. As a rule it needs three or four; the slow way that is left otherwise looks hundreds of times."""

Line = Callable[[float], tuple[float, float]]
"""Slope a(t) and offset b(t)."""


class Step(NamedTuple):
    """The vote of a learner, and the time after it."""

    vote: float
    time: float


class View(NamedTuple):
    """What there is after a vote, at some time: two conditions, both 0 after the step, and their derivatives."""

    edge: float
    """That the learner still has."""
    growth: float
    """Of the logarithm of the potential, since before the vote."""
    edge_by_vote: float
    edge_by_time: float
    growth_by_vote: float
    growth_by_time: float


Look = Callable[[float, float], View]
"""Of a vote and the time after it."""


@dataclass(frozen=True)
class Situation:
    """In which a learner gets its vote: `find_step` says what is what."""

    line: Line
    margin: FloatArray
    change: FloatArray
    prior: FloatArray
    end: float
    before: float = 0.0
    """The logarithm of the potential before the vote."""

    @np.errstate(over="ignore", invalid="ignore")  # extreme parameters: nothing that is not finite is used
    def look(self, vote: float, time: float) -> View:
        """What there is after this vote, at this time; beyond the end, at the end."""
        time = min(time, self.end)
        slope, offset = self.line(time)
        x = slope * (self.margin + vote * self.change) + offset
        logs = self._log_prior - x**2
        largest = logs.max()
        weights = np.exp(logs - largest)
        total = weights.sum()
        weights /= total
        edge = weights @ self.change
        potential = _log_potential(self.prior, x)
        # positions move by slope * change with the vote, and by bend * x + shift with the time
        moment = 1e-6 * max(1.0, abs(time))
        earlier, later = self.line(time - moment), self.line(min(time + moment, self.end))
        width = min(time + moment, self.end) - (time - moment)
        bend = (later[0] - earlier[0]) / width / slope
        shift = (later[1] - earlier[1]) / width - bend * offset
        weighted = weights * x
        x_mean, xu_mean, xx_mean = weighted.sum(), weighted @ self.change, weighted @ x
        xuu_mean, xxu_mean = (weighted * self.change) @ self.change, (weighted * x) @ self.change
        steepness = np.exp(largest + np.log(total) - potential) / np.sqrt(np.pi)
        conditions = (
            edge,
            potential - self.before,
            -2.0 * slope * (xuu_mean - edge * xu_mean),
            -2.0 * (bend * xxu_mean + shift * xu_mean - edge * (bend * xx_mean + shift * x_mean)),
            -steepness * slope * edge,
            -steepness * (bend * x_mean + shift),
        )
        return View(*map(float, evaluate(*conditions)))

    @cached_property
    def _log_prior(self) -> FloatArray:
        with np.errstate(divide="ignore"):  # a prior of 0 stays 0: exp(-inf)
            return np.log(self.prior)


def find_step(line: Line, margin: FloatArray, change: FloatArray, prior: FloatArray, time: float, end: float) -> Step:
    """The step of a learner with the margins `change`, from samples with margins `margin`, weighted by `prior`.

    It ends earlier, with the edge still positive, where the time is up. A vote of 0 says that there is no such step.

    >>> brown = lambda t: (1.0, 1.0 - t)  # c = 1
    >>> step = find_step(brown, np.zeros(4), np.array([1.0, 1.0, 1.0, -1.0]), np.full(4, 0.25), 0.0, 1.0)
    >>> round(step.vote, 3), round(step.time, 3)
    (0.298, 0.077)
    """
    situation = Situation(line, margin, change, prior, end)
    now = situation.look(0.0, time)
    if not now.edge > 0.0:
        return Step(0.0, time)
    look = replace(situation, before=now.growth).look
    return _solve_both(look, now, time, end) or _use_up_time(look, end) or _follow(look, time, end)


def _solve_both(look: Look, now: View, time: float, end: float) -> Step | None:
    """The step after which both conditions are met, by Newton's method; None where it does not find one in time."""
    if not now.growth_by_time > 0.0:
        return None
    # While the potential stays constant, time passes in proportion to the edge, which falls to 0: half as fast on
    # average as at first. With that, a first guess.
    pace = -0.5 * now.growth_by_vote / now.growth_by_time
    fall = -(now.edge_by_vote + pace * now.edge_by_time)
    vote = min(now.edge / fall, LARGEST_VOTE) if fall > 0.0 else now.edge / 2.0
    at = min(time + pace * vote, (time + end) / 2.0)
    for _ in range(MOST_STEPS):
        view = look(vote, at)
        determinant = view.edge_by_vote * view.growth_by_time - view.edge_by_time * view.growth_by_vote
        if determinant == 0.0:
            return None
        more_vote = (view.edge_by_time * view.growth - view.edge * view.growth_by_time) / determinant
        more_time = (view.edge * view.growth_by_vote - view.edge_by_vote * view.growth) / determinant
        if not (isfinite(more_vote) and isfinite(more_time)):
            return None
        if abs(more_vote) < CLOSE * vote and abs(more_time) < CLOSE * max(vote, 1.0):
            vote, at = vote + more_vote, at + more_time
            return Step(vote, at) if time < at < end else None
        # not beyond what makes sense: half of the way there
        vote = min(max(vote + more_vote, vote / 2.0), LARGEST_VOTE)
        at = max(min(at + more_time, (at + end) / 2.0), (at + time) / 2.0)
    return None


def _use_up_time(look: Look, end: float) -> Step | None:
    """The vote that uses up all of the time while the learner still has an edge; None where there is none."""
    vote = 0.0
    for _ in range(MOST_STEPS):
        view = look(vote, end)
        if view.edge <= 0.0 or not view.growth_by_vote < 0.0:  # the edge was gone before
            return None
        more = -view.growth / view.growth_by_vote
        vote = max(vote + more, vote / 2.0)
        if abs(more) < CLOSE * vote:
            return Step(vote, end)
        if not 0.0 < vote <= LARGEST_VOTE:
            return None
    return None


def _follow(look: Look, time: float, end: float) -> Step:
    """The step, by going along the votes: slower, and right also where the edge grows with the vote at first.

    The potential rises with the time and, as long as there is an edge, falls with the vote. So each vote has a time.
    """

    def time_of(vote: float) -> float:
        earliest, back = time, 0.1
        while look(vote, earliest).growth > 0.0 and back < 100.0:  # without an edge, time goes back
            earliest, back = time - back, 2.0 * back
        if look(vote, end).growth <= 0.0:
            return end
        return _find_root(lambda at: look(vote, at).growth, earliest, end)

    def edge_of(vote: float) -> float:
        return look(vote, time_of(vote)).edge

    low, high = 0.0, 1.0 / 64.0
    while time_of(high) < end and edge_of(high) > 0.0:
        low, high = high, 1.5 * high
        if high > LARGEST_VOTE:
            return Step(0.0, time)
    vote = high if time_of(high) >= end else _find_root(edge_of, low, high)
    if time_of(vote) < end:
        return Step(vote, time_of(vote))
    # The time was up before. Which vote used up the last of it?
    return Step(_find_root(lambda one: look(one, end).growth, low, vote), end)


def _find_root(function: Callable[[float], float], low: float, high: float) -> float:
    """Where the function is 0; if it does not change its sign, the upper end."""
    return float(brentq(function, low, high)) if function(low) * function(high) < 0.0 else high


def _log_potential(prior: FloatArray, x: FloatArray) -> float:
    """ln of the mean of erfc(x) / 2, which does not vanish where erfc does."""
    total = prior @ erfc(x)
    if total > 1e-280:
        return float(np.log(total / 2.0))
    with np.errstate(divide="ignore"):  # a prior of 0 stays 0: exp(-inf)
        logs = np.log(prior) + log_ndtr(-np.sqrt(2.0) * x)
    largest = logs.max()
    return float(largest + np.log(np.exp(logs - largest).sum()))
