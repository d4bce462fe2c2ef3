"""What parallel perceptrons learn from and what they are in the midst of training, in memory or in partitions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from emphatic.check import FloatArray, IntArray
from emphatic.kernels import perceptron


class Blocks(NamedTuple):
    """Rows as the kernels take them, and the targets of every machine."""

    inputs: FloatArray
    targets: FloatArray

    def weigh(self, weights: FloatArray, gamma_step: str) -> list[perceptron.Sample]:
        """What each machine learns from, under weights (n,) of the rows."""
        laid_out = perceptron.blocks_of_values(weights)
        margin_weights = (laid_out > 0.0).astype(np.float64) if gamma_step == "unweighted" else laid_out
        return [perceptron.Sample(self.inputs, targets, laid_out, margin_weights) for targets in self.targets]


def lay_out(X: FloatArray, y: IntArray, n_classes: int) -> Blocks:
    """Rows with codes 0 .. K-1 as blocks."""
    targets = np.array([perceptron.blocks_of_values(signs) for signs in signs_of(y, n_classes)])
    return Blocks(perceptron.blocks_of_rows(X), targets)


def signs_of(y: IntArray, n_classes: int) -> FloatArray:
    """(machines, n): +1 for samples of the machine's own class, -1 for others; two classes have one machine.

    >>> signs_of(np.array([0, 1, 1]), 2)
    array([[-1.,  1.,  1.]])
    """
    own = np.arange(n_classes)
    return np.where(y == own[1:, None] if n_classes == 2 else y == own[:, None], 1.0, -1.0)


class Course(NamedTuple):
    """One machine in training. All of it changes in place."""

    rate: FloatArray
    """One number: the learning rate."""
    machine: perceptron.Machine
    best: perceptron.Machine
    """The machine as it was when its error was lowest."""
    errors: FloatArray
    """Before the first and after every epoch."""

    @classmethod
    def begin(cls, machine: perceptron.Machine, learning_rate: float, n_epochs: int) -> Course:
        """A course that has yet to see its first epoch."""
        best = perceptron.Machine(machine.weights.copy(), machine.margin.copy())
        return cls(np.array([learning_rate], dtype=np.float64), machine, best, np.empty(n_epochs + 1))
