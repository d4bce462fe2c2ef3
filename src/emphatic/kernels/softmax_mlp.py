"""Kernel of networks with one hidden layer of rectified units and a softmax, trained by Adam on the log loss."""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from emphatic.fields import Array, saved

Single = NDArray[np.float32]
Short = NDArray[np.int32]

MEAN_DECAY, SQUARE_DECAY, SMALLEST = 0.9, 0.99, np.float32(1e-8)
"""Of the running means of gradients and of their squares, and what keeps a division finite."""

LARGEST_WEIGHT = 1e12
"""In a model file: products of two layers of bounded inputs stay finite in single precision."""


@saved(
    hidden=Array(np.float32, "inputs", "units", low=-LARGEST_WEIGHT, high=LARGEST_WEIGHT),
    hidden_bias=Array(np.float32, "units", low=-LARGEST_WEIGHT, high=LARGEST_WEIGHT),
    output=Array(np.float32, "units", "outputs", low=-LARGEST_WEIGHT, high=LARGEST_WEIGHT),
    output_bias=Array(np.float32, "outputs", low=-LARGEST_WEIGHT, high=LARGEST_WEIGHT),
)
class Layers(NamedTuple):
    """hidden (inputs, units), its bias (units,), output (units, K), its bias (K,)."""

    hidden: Single
    hidden_bias: Single
    output: Single
    output_bias: Single


class Pace(NamedTuple):
    """Step of Adam, decay of the weights per step, share of the newest weights in their running average."""

    step: float
    decay: float
    newest: float


@njit(cache=True, error_model="numpy", inline="always")
def _adam(
    value: Single, gradient: Single, mean: Single, square: Single, average: Single, rate: float, pace: Pace
) -> None:
    """One step for an array seen as a flat one; weight decay is decoupled from the gradient."""
    step, keep, newest = np.float32(rate), np.float32(1.0 - pace.step * pace.decay), np.float32(pace.newest)
    one, mean_decay, square_decay = np.float32(1.0), np.float32(MEAN_DECAY), np.float32(SQUARE_DECAY)
    for k in range(value.shape[0]):
        g = gradient[k]
        mean[k] = mean_decay * mean[k] + (one - mean_decay) * g
        square[k] = square_decay * square[k] + (one - square_decay) * g * g
        value[k] = keep * value[k] - step * mean[k] / (np.sqrt(square[k]) + SMALLEST)
        average[k] += newest * (value[k] - average[k])


@njit(cache=True, error_model="numpy", nogil=True)
def train(
    X: Single,
    targets: Single,
    weights: Single,
    batches: Short,
    kept: NDArray[np.bool_],
    pace: Pace,
    layers: Layers,
    means: Layers,
    squares: Layers,
    averages: Layers,
    done: int,
) -> None:
    """Continue the training of a network, in place, by as many steps as there are `batches` (steps, rows per batch).

    `kept` (many, units) are masks of dropout, of which a row of a batch takes the one at its place plus its step,
    going round. A batch of samples whose weights are all 0 teaches nothing. `done` steps came before. What predicts are
    the `averages`: running means of the weights.
    """
    size, n_units, n_classes = batches.shape[1], layers.hidden.shape[1], targets.shape[1]
    x = np.empty((size, X.shape[1]), np.float32)
    hidden, back = np.empty((size, n_units), np.float32), np.empty((size, n_units), np.float32)
    output = np.empty((size, n_classes), np.float32)
    gradient, gradient_out = np.empty_like(layers.hidden), np.empty_like(layers.output)
    bias, bias_out = np.empty_like(layers.hidden_bias), np.empty_like(layers.output_bias)
    scale = np.float32(kept.size / max(kept.sum(), 1))
    for step in range(len(batches)):
        batch = batches[step]
        for i in range(size):
            x[i] = X[batch[i]]
        np.dot(x, layers.hidden, hidden)
        for i in range(size):
            mask = kept[(i + (done + step) * 7) % len(kept)]
            for k in range(n_units):
                value = hidden[i, k] + layers.hidden_bias[k]
                hidden[i, k] = scale * value if value > 0 and mask[k] else np.float32(0.0)
        np.dot(hidden, layers.output, output)
        total = np.float32(0.0)
        for i in range(size):
            total += weights[batch[i]]
        for i in range(size):
            largest = np.float32(-np.inf)
            for c in range(n_classes):
                output[i, c] += layers.output_bias[c]
                largest = max(largest, output[i, c])
            norm = np.float32(0.0)
            for c in range(n_classes):
                output[i, c] = np.exp(output[i, c] - largest)
                norm += output[i, c]
            share = weights[batch[i]] / total if total > 0 else np.float32(0.0)
            for c in range(n_classes):
                output[i, c] = share * (output[i, c] / norm - targets[batch[i], c])
        np.dot(output, layers.output.T, back)
        for i in range(size):
            for k in range(n_units):
                back[i, k] = scale * back[i, k] if hidden[i, k] > 0 else np.float32(0.0)
        np.dot(hidden.T, output, gradient_out)
        np.dot(x.T, back, gradient)
        bias[:] = np.float32(0.0)
        bias_out[:] = np.float32(0.0)
        for i in range(size):
            for k in range(n_units):
                bias[k] += back[i, k]
            for c in range(n_classes):
                bias_out[c] += output[i, c]
        turn = done + step + 1  # running means start at 0: undo that
        rate = pace.step * np.sqrt(1.0 - SQUARE_DECAY**turn) / (1.0 - MEAN_DECAY**turn)
        _adam(
            layers.hidden.reshape(-1),
            gradient.reshape(-1),
            means.hidden.reshape(-1),
            squares.hidden.reshape(-1),
            averages.hidden.reshape(-1),
            rate,
            pace,
        )
        _adam(
            layers.output.reshape(-1),
            gradient_out.reshape(-1),
            means.output.reshape(-1),
            squares.output.reshape(-1),
            averages.output.reshape(-1),
            rate,
            pace,
        )
        free = Pace(pace.step, 0.0, pace.newest)  # biases do not decay
        _adam(layers.hidden_bias, bias, means.hidden_bias, squares.hidden_bias, averages.hidden_bias, rate, free)
        _adam(layers.output_bias, bias_out, means.output_bias, squares.output_bias, averages.output_bias, rate, free)
