"""Networks with one hidden layer, trained by Adam with averaged weights: one a fold, which predict as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emphatic.auto.candidate import Candidate, Part
from emphatic.auto.lesson import Lesson, Query
from emphatic.blending.temperature import best_factor
from emphatic.check import FloatArray
from emphatic.kernels.softmax_mlp import Layers, Pace, train

MASKS = 997
"""Masks of dropout that go round; a prime, so that rows and steps meet them in ever new pairs."""

AVERAGED = 5.0
"""The running average of the weights reaches back over a fifth of the steps."""


class NetworkModel(NamedTuple):
    """One network, or the mean of several: a wide one."""

    layers: Layers

    def scores(self, query: Query) -> FloatArray:
        """(rows, K)"""
        hidden = query.inputs @ self.layers.hidden
        hidden += self.layers.hidden_bias
        np.maximum(hidden, 0.0, out=hidden)
        return np.asarray(hidden @ self.layers.output + self.layers.output_bias, dtype=np.float64)


@dataclass(frozen=True)
class Network(Candidate):
    """Rectified units and a softmax, with dropout or weight decay; the number of steps is chosen out of fold."""

    n_units: int = 64
    dropout: float = 0.0
    decay: float = 0.0
    step: float = 0.01
    batch: int = 32
    stages: tuple[int, ...] = (50, 100, 200, 400, 800, 1600)
    family: ClassVar[str] = "network"

    @property
    def variants(self) -> Sequence[int]:
        return self.stages

    def paced(self, visits: float) -> Network:
        """The same for a larger table: so many times the visits to samples, some of them by larger batches."""
        batch = self.batch if visits < 4 else 4 * self.batch
        return replace(self, batch=batch, stages=tuple(round(k * visits * self.batch / batch) for k in self.stages))

    def describe(self, variant: int = -1) -> str:
        against = f"dropout {self.dropout:g}" if self.dropout else f"weight decay {self.decay:g}"
        return f"{self.n_units} hidden units, {against}, {self.stages[variant]} steps"

    def seconds(self, lesson: Lesson) -> float:
        size = (lesson.inputs.shape[1] + lesson.n_classes) * self.n_units
        return self.stages[-1] * (3e-6 + size * (2e-9 + self.batch * 2e-10))

    def learn(self, lesson: Lesson, part: int, rng: np.random.Generator) -> Part:
        rows, held_out = lesson.all_but(part), lesson.folds[part]
        X, codes = lesson.singles[rows], lesson.codes[rows]
        targets = np.eye(lesson.n_classes, dtype=np.float32)[codes]
        weights = lesson.weights[rows].astype(np.float32)
        batches = self._batches(len(rows), rng)
        kept = rng.random((MASKS, self.n_units), dtype=np.float32) >= self.dropout
        layers = self._first(X.shape[1], lesson.n_classes, rng)
        means, squares = (Layers(*map(np.zeros_like, layers)) for _ in range(2))
        averages = Layers(*(one.copy() for one in layers))
        query = Query(lesson.singles[held_out], X[:0].T)
        learnt, scores, losses, done = [], [], [], 0
        for stage in self.stages:
            pace = Pace(self.step, self.decay, newest=AVERAGED / stage)
            train(X, targets, weights, batches[done:stage], kept, pace, layers, means, squares, averages, done)
            done = stage
            learnt.append(NetworkModel(Layers(*(one.copy() for one in averages))))
            scores.append(learnt[-1].scores(query))
            losses.append(best_factor(scores[-1], lesson.codes[held_out], lesson.weights[held_out], lesson.doubt)[1])
            if len(losses) > 2 and min(losses[-2:]) > min(losses):  # worse twice in a row: it will not come back
                break
        missing = len(self.stages) - len(learnt)
        return Part(held_out, np.array(scores + scores[-1:] * missing), learnt + learnt[-1:] * missing)

    def _batches(self, n: int, rng: np.random.Generator) -> NDArray[np.int32]:
        """Rows of every step; each row is visited once before any is visited again."""
        size = min(self.batch, n)
        n_orders = -(-self.stages[-1] * size // n)
        orders = rng.permuted(np.tile(np.arange(n, dtype=np.int32), (n_orders, 1)), axis=1).ravel()
        return orders[: self.stages[-1] * size].reshape(-1, size)

    def _first(self, n_inputs: int, n_classes: int, rng: np.random.Generator) -> Layers:
        hidden = rng.normal(size=(n_inputs, self.n_units)) * np.sqrt(2.0 / n_inputs)
        output = rng.normal(size=(self.n_units, n_classes)) * np.sqrt(0.1 / self.n_units)
        biases = rng.uniform(-1.0, 1.0, self.n_units), np.zeros(n_classes)
        return Layers(*(one.astype(np.float32) for one in (hidden, biases[0], output, biases[1])))

    def join(self, learnt: Sequence[Any], variant: int) -> NetworkModel:
        parts = [stages[variant].layers for stages in learnt]
        return NetworkModel(
            Layers(
                np.hstack([one.hidden for one in parts]),
                np.hstack([one.hidden_bias for one in parts]),
                np.vstack([one.output for one in parts]).astype(np.float32) / np.float32(len(parts)),
                np.mean([one.output_bias for one in parts], axis=0, dtype=np.float32),
            )
        )
