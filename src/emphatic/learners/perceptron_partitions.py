"""Parallel perceptrons on a table in partitions: an epoch is one sum over them.

Every partition lays out its rows once, and keeps them so. Per epoch it is told the weights of the perceptrons, and what
leaves it is a number for the error, one for the margin, and a step for every weight.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from emphatic.check import FloatArray
from emphatic.deferred import evaluate
from emphatic.kernels import perceptron
from emphatic.learners.perceptron_table import Blocks, Course, lay_out
from emphatic.partitions import Partitions


class PartitionedTable:
    """A training table in partitions, laid out for the kernels where its rows are."""

    def __init__(self, rows: Partitions, y: Any, n_classes: int) -> None:
        self.rows = rows
        self.blocks = rows.hold(lay_out, y, shared=[n_classes])

    def train(self, weights: Any, rule: perceptron.Rule, gamma_step: str, courses: Sequence[Course]) -> None:
        """Take all machines through all epochs together: `perceptron.train` and `conclude`, with one sum per epoch."""
        *epochs, last = range(len(courses[0].errors))
        for done in (*epochs, last):
            shared = [rule, gamma_step, [tuple(course.machine) for course in courses]]
            judged = self.rows.total(judge_machines, self.blocks, weights, shared=shared, reads=False)
            for (rate, machine, best, errors), error, rise, change in zip(courses, *evaluate(judged)[0], strict=True):
                perceptron.note(error, machine, best, errors, done)
                if done < last:
                    perceptron.move(rule, rate, machine, change, rise)
                    perceptron.slow_down(rate, errors, done)


def judge_machines(
    held: Sequence[Blocks],
    weights: FloatArray,
    rule: perceptron.Rule,
    gamma_step: str,
    machines: Sequence[tuple[FloatArray, FloatArray]],
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Of every machine the weighted error, the rise of the margin and the change of the weights, by one partition."""
    samples = held[0].weigh(weights, gamma_step)
    changes = np.empty((len(machines), *machines[0][0].shape))
    judged = [
        perceptron.judge(sample, perceptron.Rule(*rule), perceptron.Machine(*map(np.array, machine)), change)
        for sample, machine, change in zip(samples, machines, changes, strict=True)
    ]  # copies, as what has come from elsewhere is read-only, for which numba would compile the kernel anew
    errors, rises = np.array(judged).T
    return errors, rises, changes
