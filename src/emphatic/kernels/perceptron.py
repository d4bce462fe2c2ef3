"""Kernels of parallel perceptrons: a few perceptrons that vote, trained all rows at a time or row by row.

The table is laid out in blocks of `BLOCK` rows, (inputs, BLOCK) each: so every loop runs over rows side by side, and a
block stays in the cache while all perceptrons look at it. Loops take four inputs at a time; inputs of 0 fill up their
number. Targets are +-1; rows that fill up the last block have inputs, target and weight 0, and change nothing. Weights
w are (perceptrons, inputs + 1), the bias last.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from emphatic.check import FloatArray
from emphatic.kernels.copies import copy_cells
from emphatic.kernels.options import OPTIONS

BLOCK = 160
"""Rows whose inputs, some thirty, fit into the nearest cache; with fewer the loops over them are too short to pay."""

ALIGNMENT = 64
"""Bytes of a line of the cache: vectors that lie across two of them cost an eighth of the time."""

SMALLEST_MARGIN = 1e-6
FALL_OF_RATE = 0.9
ROUNDING = 1e-12
"""Errors are sums of weights that sum to 1: two that differ by less are the same, summed in another order."""


class Sample(NamedTuple):
    """Inputs (blocks, inputs, BLOCK), and the targets and weights (blocks, BLOCK) of one machine.

    `margin_weights`, in the same form, are those with which samples move the margin.
    """

    inputs: FloatArray
    targets: FloatArray
    weights: FloatArray
    margin_weights: FloatArray


class Rule(NamedTuple):
    """Constants of a training."""

    step_scale: float
    """Times the weight of a sample: its share of a step."""
    margin_scale: float
    """The same for the step of the margin."""
    stabilisation: float
    """mu: the share of a step for a right perceptron within the margin."""


class Machine(NamedTuple):
    """Weights, and an array of one number: the margin gamma. Both change in place."""

    weights: FloatArray
    margin: FloatArray


def blocks_of_rows(X: FloatArray) -> FloatArray:
    """(n, columns) as (blocks, inputs, BLOCK)."""
    n, columns = X.shape
    rows = np.zeros((n_blocks(n) * BLOCK, n_inputs(columns)))
    rows[:n, :columns] = X
    blocks = rows.reshape(-1, BLOCK, rows.shape[1]).transpose(0, 2, 1)
    room = np.empty(blocks.size + ALIGNMENT // 8)
    start = -room.ctypes.data % ALIGNMENT // 8
    aligned = room[start : start + blocks.size].reshape(blocks.shape)
    aligned[:] = blocks
    return aligned


def blocks_of_values(values: FloatArray) -> FloatArray:
    """(n,) as (blocks, BLOCK)."""
    padded = np.zeros((n_blocks(len(values)), BLOCK))
    padded.flat[: len(values)] = values
    return padded


def n_blocks(n: int) -> int:
    """Blocks for `n` rows."""
    return -(-n // BLOCK)


def n_inputs(columns: int) -> int:
    """Inputs for so many columns: the next multiple of 4."""
    return -(-columns // 4) * 4


@njit(inline="always", **OPTIONS)
def _activate(x: FloatArray, w: FloatArray, a: FloatArray) -> None:
    """a = w.x + bias, for every perceptron and every row of a block."""
    inputs = x.shape[0]
    for k in range(w.shape[0]):
        for r in range(BLOCK):
            a[k, r] = w[k, inputs]
        for j in range(0, inputs, 4):
            w0, w1, w2, w3 = w[k, j], w[k, j + 1], w[k, j + 2], w[k, j + 3]
            for r in range(BLOCK):
                a[k, r] += w0 * x[j, r] + w1 * x[j + 1, r] + w2 * x[j + 2, r] + w3 * x[j + 3, r]


@njit(inline="always", **OPTIONS)
def _sum_up(shares: FloatArray, x: FloatArray, change: FloatArray) -> None:
    """Add to `change` the rows of a block, times the share that every perceptron gives them; the bias has input 1."""
    inputs = x.shape[0]
    for k in range(change.shape[0]):
        for j in range(0, inputs, 4):
            sum0, sum1, sum2, sum3 = 0.0, 0.0, 0.0, 0.0
            for r in range(BLOCK):
                sum0 += shares[k, r] * x[j, r]
                sum1 += shares[k, r] * x[j + 1, r]
                sum2 += shares[k, r] * x[j + 2, r]
                sum3 += shares[k, r] * x[j + 3, r]
            change[k, j] += sum0
            change[k, j + 1] += sum1
            change[k, j + 2] += sum2
            change[k, j + 3] += sum3
        bias = 0.0
        for r in range(BLOCK):
            bias += shares[k, r]
        change[k, inputs] += bias


@njit(inline="always", **OPTIONS)
def _share(a: float, right: bool, margin: float, stabilisation: float) -> float:
    """Rosenblatt's rule where the machine is wrong, output stabilisation where it is right."""
    within = stabilisation if 0.0 < a < margin else 0.0
    wrong = 1.0 if a <= 0.0 else 0.0
    return within if right else wrong


@njit(**OPTIONS)
def judge(sample: Sample, rule: Rule, machine: Machine, change: FloatArray) -> tuple[float, float]:
    """Weighted error of a machine and how much its margin should rise; `change` is what its weights should."""
    w, margin = machine.weights, machine.margin[0]
    a, votes, near = np.empty((w.shape[0], BLOCK)), np.empty(BLOCK), np.empty(BLOCK)
    error, rise = 0.0, 0.0
    change[:] = 0.0
    for block in range(sample.inputs.shape[0]):
        x, targets, weights = sample.inputs[block], sample.targets[block], sample.weights[block]
        margin_weights = sample.margin_weights[block]
        _activate(x, w, a)
        votes[:] = 0.0
        near[:] = 0.0
        for k in range(w.shape[0]):
            for r in range(BLOCK):
                a[k, r] *= targets[r]  # how right the perceptron is
                votes[r] += 1.0 if a[k, r] > 0.0 else -1.0
                near[r] = 1.0 if 0.0 < a[k, r] < margin else near[r]
        for r in range(BLOCK):
            error += 0.0 if votes[r] > 0.0 else weights[r]
            rise += margin_weights[r] * (0.25 - near[r]) if votes[r] > 0.0 else 0.0
        for k in range(w.shape[0]):
            for r in range(BLOCK):
                a[k, r] = weights[r] * targets[r] * _share(a[k, r], votes[r] > 0.0, margin, rule.stabilisation)
        _sum_up(a, x, change)
    return error, rise


@njit(**OPTIONS)
def _visit(sample: Sample, rule: Rule, order: NDArray[np.int32], rate: float, machine: Machine) -> None:
    """The same rules row by row, each with the weights and the margin that the row before it left."""
    w, margin = machine
    inputs, a = sample.inputs.shape[1], np.empty(w.shape[0])
    for i in order:
        block, r = i // BLOCK, i % BLOCK
        x, target, weight = sample.inputs[block, :, r], sample.targets[block, r], sample.weights[block, r]
        votes, near = 0, 0.0
        for k in range(w.shape[0]):
            total = w[k, inputs]
            for j in range(inputs):
                total += w[k, j] * x[j]
            a[k] = target * total
            votes += 1 if a[k] > 0.0 else -1
            near = 1.0 if 0.0 < a[k] < margin[0] else near
        for k in range(w.shape[0]):
            share = _share(a[k], votes > 0, margin[0], rule.stabilisation)
            if share > 0.0:
                step = rate * rule.step_scale * weight * target * share
                for j in range(inputs):
                    w[k, j] += step * x[j]
                w[k, inputs] += step
        if votes > 0:
            rise = rate * rule.margin_scale * sample.margin_weights[block, r] * (0.25 - near)
            margin[0] = max(SMALLEST_MARGIN, margin[0] + rise)


@njit(**OPTIONS)
def _normalise(w: FloatArray, before: FloatArray) -> None:
    """Rows of length 1; one that has no length is again what it was before."""
    for k in range(w.shape[0]):
        length = np.sqrt((w[k] ** 2).sum())
        for j in range(w.shape[1]):
            w[k, j] = w[k, j] / length if length > 0.0 else before[k, j]


@njit(**OPTIONS)
def train(
    sample: Sample,
    rule: Rule,
    orders: NDArray[np.int32],
    rate: FloatArray,
    machine: Machine,
    best: Machine,
    errors: FloatArray,
    done: int,
) -> int:
    """Train for as many epochs as there are `orders`; return how many are then done.

    An order lists the rows as they are visited; empty ones ask for batch training. The error before every epoch is
    written to `errors`, and the machine of the lowest error so far is copied to `best`. `rate`, an array of one number,
    falls after every epoch that began with a larger error than the one before it.
    """
    change = np.empty_like(machine.weights)
    for order in orders:
        error, rise = judge(sample, rule, machine, change)
        note(error, machine, best, errors, done)
        if len(order) == 0:
            move(rule, rate, machine, change, rise)
        else:
            before = machine.weights.copy()
            _visit(sample, rule, order, rate[0], machine)
            _normalise(machine.weights, before)
        slow_down(rate, errors, done)
        done += 1
    return done


@njit(**OPTIONS)
def note(error: float, machine: Machine, best: Machine, errors: FloatArray, done: int) -> None:
    """Write down the error after `done` epochs; the machine of the lowest error so far is copied to `best`."""
    errors[done] = error
    lowest = np.inf
    for epoch in range(done):
        lowest = min(lowest, errors[epoch])
    if error < lowest - ROUNDING:
        copy_cells(machine.weights, best.weights)
        best.margin[0] = machine.margin[0]


@njit(**OPTIONS)
def move(rule: Rule, rate: FloatArray, machine: Machine, change: FloatArray, rise: float) -> None:
    """One step of batch training, by the sums over all rows that `judge` returns."""
    w, margin = machine
    before = w.copy()
    w += rate[0] * rule.step_scale * change
    margin[0] = max(SMALLEST_MARGIN, margin[0] + rate[0] * rule.margin_scale * rise)
    _normalise(w, before)


@njit(**OPTIONS)
def slow_down(rate: FloatArray, errors: FloatArray, done: int) -> None:
    """The rate falls if the epoch began with a larger error than the one before it."""
    if done > 0 and errors[done] > errors[done - 1] + ROUNDING:
        rate[0] *= FALL_OF_RATE


@njit(**OPTIONS)
def conclude(sample: Sample, rule: Rule, machine: Machine, best: Machine, errors: FloatArray, done: int) -> None:
    """Write the error after the last epoch, and copy the machine to `best` if it is that."""
    error, _ = judge(sample, rule, machine, np.empty_like(machine.weights))
    note(error, machine, best, errors, done)
