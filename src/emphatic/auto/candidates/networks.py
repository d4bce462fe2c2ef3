"""Networks with one hidden layer, trained by Adam with averaged weights: one per fold, which predict as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emphatic.auto.candidates.contract import Candidate, Fitted, is_past_best
from emphatic.auto.candidates.points import Points
from emphatic.auto.candidates.training_data import Size, TrainingData
from emphatic.blending.temperature import fit_factor
from emphatic.check import FloatArray
from emphatic.fields import Number, Part, TupleOf, Whole, saved
from emphatic.kernels.softmax_mlp import Layers, Pace, Progress, lay_out, train

MASKS = 997
"""Dropout masks, used in turn; a prime number, so that rows and steps meet them in ever new pairs."""

AVERAGED = 5.0
"""The running average of the weights reaches back over a fifth of the steps."""

STEPS_BETWEEN_LOOKS = 1000
"""At the clock: tenths of a second at most, while the last checkpoints are seconds apart."""


@saved(layers=Part("Layers"))
class NetworkModel(NamedTuple):
    """One network, or the mean of several as one wide network."""

    layers: Layers

    def scores(self, points: Points) -> FloatArray:
        """(rows, K)"""
        hidden = points.multiply(points.inputs, self.layers.hidden)
        hidden += self.layers.hidden_bias
        np.maximum(hidden, 0.0, out=hidden)
        return np.asarray(points.multiply(hidden, self.layers.output) + self.layers.output_bias, dtype=np.float64)

    def check_shape(self, n_inputs: int, n_units: int, n_classes: int) -> None:
        """Raise ValueError unless it is for so many inputs and classes."""
        if (len(self.layers.hidden), self.layers.output.shape[1]) != (n_inputs, n_classes):
            raise ValueError(f"a network has layers of the shapes {self.layers.hidden.shape, self.layers.output.shape}")


@saved(
    n_units=Whole(1),
    dropout=Number(0.0, 1.0),
    decay=Number(0.0),
    step=Number(0.0),
    batch=Whole(1),
    checkpoints=TupleOf(Whole(1)),
)
@dataclass(frozen=True)
class Network(Candidate):
    """Rectified units and a softmax, with dropout, weight decay or both; the number of steps is chosen out of fold."""

    n_units: int = 64
    dropout: float = 0.0
    decay: float = 0.0
    step: float = 0.01
    batch: int = 32
    checkpoints: tuple[int, ...] = (50, 100, 200, 400, 800, 1600)
    family: ClassVar[str] = "network"
    ends_early: ClassVar[bool] = True

    def scale_training(self, visits: float) -> Network:
        """The same for a larger table: this many times as many visits to samples, in larger batches from 4 on."""
        batch = self.batch if visits < 4 else 4 * self.batch
        checkpoints = tuple(round(k * visits * self.batch / batch) for k in self.checkpoints)
        return replace(self, batch=batch, checkpoints=checkpoints)

    def describe(self, variant: int = -1) -> str:
        kinds = {"dropout": self.dropout, "weight decay": self.decay}
        regularisation = [f"{kind} {value:g}" for kind, value in kinds.items() if value]
        return ", ".join([f"{self.n_units} hidden units", *regularisation, f"{self.checkpoints[variant]} steps"])

    def seconds(self, size: Size) -> float:
        width = (size.n_inputs + size.n_classes) * self.n_units
        per_unit = 8e-10 + 4e-11 * size.n_inputs + 8e-11 * size.n_classes  # of a row: a unit, and its products
        scored = len(self.checkpoints) * size.n * width * 1e-10
        return self.checkpoints[-1] * (2e-6 + 4e-10 * width + self.batch * self.n_units * per_unit) + scored

    def fit(self, data: TrainingData, fold: int, rng: np.random.Generator) -> Fitted:
        rows, held_out = data.split(fold)
        X, codes = data.singles[rows], data.codes[rows]
        targets = np.eye(data.n_classes, dtype=np.float32)[codes]
        weights = data.weights[rows]
        # Only ratios count. By a power of two, so that no digit changes: single precision has no 1e-100.
        weights = np.ldexp(weights, -np.frexp(weights.max())[1]).astype(np.float32)
        batches = self._draw_batches(len(rows), rng)
        kept = rng.random((MASKS, self.n_units), dtype=np.float32) >= self.dropout
        scale = np.float32(kept.size / max(kept.sum(), 1))
        shape = X.shape[1], self.n_units, data.n_classes
        progress = Progress.begin(self._draw_layers(X.shape[1], data.n_classes, rng))
        views = lay_out(progress.values, *shape), lay_out(progress.gradient, *shape)
        points = Points(data.singles[held_out])
        learnt: list[NetworkModel] = []
        scores, losses, done = [], [], 0
        for steps in self.checkpoints:
            pace = Pace(self.step, self.decay, newest=AVERAGED / steps)
            while done < steps and not (learnt and data.is_over()):
                end = min(steps, done + STEPS_BETWEEN_LOOKS)
                train(X, targets, weights, batches[done:end], kept, scale, pace, *views, progress, done)
                done = end
            if done < steps:
                break
            learnt.append(NetworkModel(lay_out(progress.averages.copy(), *shape)))
            scores.append(learnt[-1].scores(points))
            losses.append(fit_factor(scores[-1], data.codes[held_out], data.weights[held_out], data.smoothing)[1])
            if is_past_best(losses):
                break
        missing = len(self.checkpoints) - len(learnt)
        return np.array(scores + scores[-1:] * missing), learnt + learnt[-1:] * missing

    def _draw_batches(self, n: int, rng: np.random.Generator) -> NDArray[np.int32]:
        """Rows of every step; every row is visited before any is visited again."""
        size = min(self.batch, n)
        n_sweeps = -(-self.checkpoints[-1] * size // n)
        sweeps = rng.permuted(np.tile(np.arange(n, dtype=np.int32), (n_sweeps, 1)), axis=1).ravel()
        return sweeps[: self.checkpoints[-1] * size].reshape(-1, size)

    def _draw_layers(self, n_inputs: int, n_classes: int, rng: np.random.Generator) -> Layers:
        hidden = rng.normal(size=(n_inputs, self.n_units)) * np.sqrt(2.0 / n_inputs)
        output = rng.normal(size=(self.n_units, n_classes)) * np.sqrt(0.1 / self.n_units)
        biases = rng.uniform(-1.0, 1.0, self.n_units), np.zeros(n_classes)
        return Layers(*(one.astype(np.float32) for one in (hidden, biases[0], output, biases[1])))

    def merge(self, learnt: Sequence[Any], variant: int) -> NetworkModel:
        networks = [checkpoints[variant].layers for checkpoints in learnt]
        return NetworkModel(
            Layers(
                np.hstack([one.hidden for one in networks]),
                np.hstack([one.hidden_bias for one in networks]),
                np.vstack([one.output for one in networks]).astype(np.float32) / np.float32(len(networks)),
                np.mean([one.output_bias for one in networks], axis=0, dtype=np.float32),
            )
        )
