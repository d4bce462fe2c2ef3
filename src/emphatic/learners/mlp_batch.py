"""Training a network by the gradient of all rows together, which is a sum: over rows, or over partitions of them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from emphatic.check import FloatArray, IntArray
from emphatic.kernels import mlp, mlp_gradient
from emphatic.learners.mlp_training import Plan, Result, Table
from emphatic.randomness import RowNoise


class Sums(NamedTuple):
    """What rows tell about a network."""

    error: float
    """Of the rows that train, under their weights."""
    hidden: FloatArray
    """The gradient of that error, by layer."""
    output: FloatArray
    judged: float
    """The error of the rows that judge."""


class Parts(NamedTuple):
    """Which rows train and which judge, and with which weights."""

    training: mlp.Part
    judged: mlp.Part


def train_batch(plan: Plan, first: mlp.Network, ask: Callable[[mlp.Network], Sums]) -> Result:
    """Train a network by L-BFGS, which asks for the sums of one network after another."""
    search = _Search(plan, first, ask)
    start = np.concatenate([layer.ravel() for layer in first])
    most = {"maxfun": plan.max_epochs, "maxiter": plan.max_epochs}
    with suppress(_Ended):
        minimize(search.descend, start, jac=True, method="L-BFGS-B", options=most)
    return search.best, np.array(search.errors)


class _Ended(Exception):
    """The judges have seen enough."""


class _Search:
    """What L-BFGS minimises. It remembers the network that the judges like best."""

    def __init__(self, plan: Plan, first: mlp.Network, ask: Callable[[mlp.Network], Sums]) -> None:
        self.plan, self.best, self.ask = plan, first, ask
        self.shapes = [layer.shape for layer in first]
        self.errors: list[float] = []

    def descend(self, flat: FloatArray) -> tuple[float, FloatArray]:
        """Error and gradient of a network, whose weights are `flat`; an epoch."""
        hidden, output = np.split(flat, [self.shapes[0][0] * self.shapes[0][1]])
        network = mlp.Network(hidden.reshape(self.shapes[0]).copy(), output.reshape(self.shapes[1]).copy())
        error, *slopes, judged = self.ask(network)
        gradient = np.concatenate([slope.ravel() for slope in slopes])
        if not np.isfinite([error, judged, *gradient]).all():
            raise ValueError("training diverges (a gradient is no longer finite): scale the columns of X first.")
        if not self.errors or judged < min(self.errors):
            self.best = network
        self.errors.append(judged)
        if not self.plan.continues(np.array(self.errors)):
            raise _Ended
        return error, gradient


def sum_up(table: Table, parts: Parts, network: mlp.Network) -> Sums:
    """What the rows of one table tell about a network."""
    gradient = mlp.Network(*(np.empty_like(layer) for layer in network))
    error = mlp_gradient.sum_gradient(*table, parts.training, network, gradient)
    return Sums(error, *gradient, mlp_gradient.sum_error(*table, parts.judged, network))


@dataclass(frozen=True)
class Judges:
    """How rows are divided: each judges with the chance `fraction`, by noise that belongs to its number."""

    noise: RowNoise
    fraction: float
    n_classes: int

    def choose(self, weights: FloatArray, start: int) -> np.ndarray:
        """Which of the rows from number `start` on judge; a row of weight 0 counts as absent."""
        times = self.noise.between(start, start + len(weights))
        return (times < -np.log1p(-self.fraction)) & (weights > 0.0)

    def count(self, y: IntArray, weights: FloatArray, start: int = 0) -> tuple[IntArray, IntArray, float]:
        """Of each class the rows and those of them that judge; and the weight of all that judge."""
        judge, codes = self.choose(weights, start), y.astype(np.intp)
        members = np.bincount(codes[weights > 0.0], minlength=self.n_classes)
        return members, np.bincount(codes[judge], minlength=self.n_classes), float(weights[judge].sum())

    def divide(self, weights: FloatArray, share: float, judged: float, start: int = 0) -> Parts:
        """The parts of the rows from number `start` on. A row trains with its weight, or with `share` if that is less.

        `judged` is the weight of all rows that judge. If that is 0, all train, and judge.
        """
        judge = self.choose(weights, start)
        training, judges = np.flatnonzero((weights > 0.0) & ~judge), np.flatnonzero(judge)
        if judged == 0.0:
            training = judges = np.flatnonzero(weights > 0.0)
        total = judged or 1.0
        return Parts(
            mlp.Part(training.astype(np.int32), np.minimum(weights[training], share)),
            mlp.Part(judges.astype(np.int32), weights[judges] / total),
        )


def weigh_judges(members: IntArray, judges: IntArray, weight: float) -> float:
    """The weight of the rows that judge; 0 if a class that has rows would have none to judge, or none to train."""
    divided = (judges > 0) & (judges < members)
    return weight if divided[members > 0].all() else 0.0
