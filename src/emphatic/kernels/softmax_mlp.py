"""Kernel of networks with one hidden layer of rectified units and a softmax, trained by Adam on the log loss."""

from typing import NamedTuple, Self

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


class Progress(NamedTuple):
    """Of a training: all weights of a network in one array, and what Adam knows of them in arrays like it.

    `lay_out` says where they lie.
    """

    values: Single
    gradient: Single
    means: Single
    squares: Single
    averages: Single
    """Running means of the values: what predicts."""

    @classmethod
    def begin(cls, layers: Layers) -> Self:
        """Of a network with these weights."""
        values = np.concatenate([one.ravel() for one in (layers.hidden, layers.output, *layers[1::2])])
        gradient, means, squares = np.zeros((3, len(values)), np.float32)
        return cls(values, gradient, means, squares, values.copy())


def lay_out(flat: Single, n_inputs: int, n_units: int, n_classes: int) -> Layers:
    """The layers of a network as views of a flat array: the weights one after another, then the biases.

    >>> lay_out(np.arange(10, dtype=np.float32), 1, 2, 2).output_bias
    array([8., 9.], dtype=float32)
    """
    hidden, output, hidden_bias, output_bias = np.split(
        flat, np.cumsum([n_inputs * n_units, n_units * n_classes, n_units])
    )
    return Layers(hidden.reshape(n_inputs, n_units), hidden_bias, output.reshape(n_units, n_classes), output_bias)


class Pace(NamedTuple):
    """Step of Adam, decay of the weights per step, share of the newest weights in their running average."""

    step: float
    decay: float
    newest: float


@njit(cache=True, error_model="numpy", nogil=True)
def train(
    X: Single,
    targets: Single,
    weights: Single,
    batches: Short,
    kept: NDArray[np.bool_],
    scale: np.float32,
    pace: Pace,
    layers: Layers,
    gradients: Layers,
    progress: Progress,
    done: int,
) -> None:
    """Continue the training of a network, in place, by as many steps as there are `batches` (steps, rows per batch).

    `layers` and `gradients` are views of the values and the gradient in `progress` (`lay_out`). `kept` (many, units)
    are masks of dropout, of which a row of a batch takes the one at its place plus its step, going round; `scale` makes
    up for what they drop. A batch of samples whose weights are all 0 teaches nothing. `done` steps came before.
    """
    # Loops in place of slices and array expressions: what numba makes of those took three times as long to compile.
    size, n_units, n_classes = batches.shape[1], layers.hidden.shape[1], targets.shape[1]
    x = np.empty((size, X.shape[1]), np.float32)
    hidden, back = np.empty((size, n_units), np.float32), np.empty((size, n_units), np.float32)
    output = np.empty((size, n_classes), np.float32)
    for step in range(len(batches)):
        batch = batches[step]
        for i in range(size):
            for j in range(X.shape[1]):
                x[i, j] = X[batch[i], j]
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
        np.dot(hidden.T, output, gradients.output)
        np.dot(x.T, back, gradients.hidden)
        for k in range(n_units):
            gradients.hidden_bias[k] = np.float32(0.0)
        for c in range(n_classes):
            gradients.output_bias[c] = np.float32(0.0)
        for i in range(size):
            for k in range(n_units):
                gradients.hidden_bias[k] += back[i, k]
            for c in range(n_classes):
                gradients.output_bias[c] += output[i, c]
        turn = done + step + 1  # running means start at 0: undo that
        rate = pace.step * np.sqrt(1.0 - SQUARE_DECAY**turn) / (1.0 - MEAN_DECAY**turn)
        n_decaying = layers.hidden.size + layers.output.size  # biases do not
        _adam(progress, 0, n_decaying, rate, 1.0 - pace.step * pace.decay, pace.newest)
        _adam(progress, n_decaying, len(progress.values), rate, 1.0, pace.newest)


@njit(cache=True, error_model="numpy", nogil=True)
def _adam(progress: Progress, start: int, end: int, rate: float, keep: float, newest: float) -> None:
    """One step of some of the weights; weight decay is decoupled from the gradient."""
    values, gradient, means, squares, averages = progress
    step, kept, share = np.float32(rate), np.float32(keep), np.float32(newest)
    one, mean_decay, square_decay = np.float32(1.0), np.float32(MEAN_DECAY), np.float32(SQUARE_DECAY)
    for k in range(start, end):
        g = gradient[k]
        means[k] = mean_decay * means[k] + (one - mean_decay) * g
        squares[k] = square_decay * squares[k] + (one - square_decay) * g * g
        values[k] = kept * values[k] - step * means[k] / (np.sqrt(squares[k]) + SMALLEST)
        averages[k] += share * (values[k] - averages[k])
