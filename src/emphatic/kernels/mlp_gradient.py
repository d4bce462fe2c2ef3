"""Kernels of networks with one hidden layer of tanh units that are trained by gradients of all rows together."""

import numpy as np
from numba import njit

from emphatic.check import FloatArray
from emphatic.kernels.copies import copy_cells
from emphatic.kernels.mlp import Network, Part, activate, answer, weigh_error
from emphatic.kernels.options import OPTIONS


@njit(**OPTIONS)
def sum_gradient(X: FloatArray, targets: FloatArray, training: Part, network: Network, gradient: Network) -> float:
    """The error sum_i weight_i (d_i - o_i)^2 over all outputs; its gradient is written to `gradient`."""
    w, v = np.ascontiguousarray(network.hidden.T), network.output
    width, units = X.shape[1], w.shape[1]
    h, back, slope = np.empty(units), np.empty(units), np.zeros_like(w)
    gradient.output[:] = 0.0
    total = 0.0
    for place in range(len(training.rows)):
        i, weight = training.rows[place], training.weights[place]
        activate(X, i, w, h)
        back[:] = 0.0
        for c in range(v.shape[0]):
            o = answer(v, c, h)
            gap = targets[i, c] - o
            total += weight * gap * gap
            delta = -2.0 * weight * gap * (1.0 - o * o)
            for k in range(units):
                back[k] += delta * v[c, k]
                gradient.output[c, k] += delta * h[k]
            gradient.output[c, units] += delta
        for k in range(units):
            back[k] *= 1.0 - h[k] * h[k]
            slope[width, k] += back[k]
        for j in range(width):
            for k in range(units):
                slope[j, k] += X[i, j] * back[k]
    copy_cells(slope.T, gradient.hidden)
    return total


@njit(**OPTIONS)
def sum_error(X: FloatArray, targets: FloatArray, judged: Part, network: Network) -> float:
    """The error sum_i weight_i (d_i - o_i)^2 over all outputs."""
    return weigh_error(X, targets, judged, np.ascontiguousarray(network.hidden.T), network.output)
