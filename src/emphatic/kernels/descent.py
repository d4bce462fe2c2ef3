"""Kernel of stochastic gradient descent for one layer of output weights."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from emphatic.check import FloatArray


def sgd(
    activation: FloatArray,
    targets: FloatArray,
    scale: FloatArray,
    orders: NDArray[np.int32],
    first_step: float,
    implicit: bool,
    squash: bool,
) -> FloatArray:
    """Output weights (outputs, K) by stochastic gradient descent on the squared error, from 0.

    `activation` is (n, K), one row per sample, and `targets` (outputs, n). The step falls linearly from `first_step` to
    0; sample i takes it times scale_i, at most 1 / |g_i|^2 (its exact fit), or, `implicit`, s / (1 + s |g_i|^2). With
    `squash` the output is tanh(w.g), and the gradient has the factor 1 - o^2.
    """
    lengths = np.einsum("ij,ij->i", activation, activation)  # |g_i|^2
    order = orders.ravel()
    arguments = (scale, order, first_step, implicit, squash)
    return np.array([_one_output(activation, lengths, row, *arguments) for row in targets])


@njit(cache=True, fastmath={"reassoc", "contract"})
def _one_output(
    activation: FloatArray,
    lengths: FloatArray,
    targets: FloatArray,
    scale: FloatArray,
    order: NDArray[np.int32],
    first_step: float,
    implicit: bool,
    squash: bool,
) -> FloatArray:
    """Samples are taken two at a time, so that the processor need not wait for one output before it begins the next.

    The first update changes the output for the second sample h by (its change) g.h, which is all that the second update
    needs to know. The order of each sum is the compiler's choice, as in any BLAS.
    """
    w = np.zeros(activation.shape[1])
    total = len(order)
    fall = first_step / total  # of the step, from sample to sample
    caps = np.where(lengths > 0.0, 1.0 / np.where(lengths > 0.0, lengths, 1.0), np.inf)
    for place in range(0, total, 2):
        alone = place + 1 == total  # the last of an odd number
        i, j = order[place], order[place if alone else place + 1]
        wg, wh, gh = 0.0, 0.0, 0.0
        for k in range(len(w)):
            wg += w[k] * activation[i, k]
            wh += w[k] * activation[j, k]
            gh += activation[i, k] * activation[j, k]
        step_i, step_j = (first_step - fall * place) * scale[i], (first_step - fall * (place + 1)) * scale[j]
        if implicit:
            step_i, step_j = step_i / (1.0 + step_i * lengths[i]), step_j / (1.0 + step_j * lengths[j])
        else:
            step_i, step_j = min(step_i, caps[i]), min(step_j, caps[j])
        first = _change(step_i, targets[i], wg, squash)
        second = 0.0 if alone else _change(step_j, targets[j], wh + first * gh, squash)
        for k in range(len(w)):
            w[k] += first * activation[i, k] + second * activation[j, k]
    return w


@njit(cache=True)
def _change(step: float, target: float, output: float, squash: bool) -> float:
    if squash:
        output = np.tanh(output)
        return step * (target - output) * (1.0 - output * output)
    return step * (target - output)
