"""Slow plain-NumPy twin of `emphatic.kernels.perceptron`: pattern by pattern, as ALGORITHMS.md section 4.2 says."""

import numpy as np

ROUNDING = 1e-12


def with_bias(X):
    return np.column_stack([X, np.ones(len(X))])


def is_right(a):
    """Of an odd number of activation margins the majority is positive; 0 is wrong."""
    return (a > 0).sum() > (a <= 0).sum()


def move(x, y, d, d_gamma, W, gamma, mu):
    """(perceptrons, inputs): what a pattern adds to the weights, and (number) what it adds to gamma, before any eta.

    It counts d times for the weights, and d_gamma times for gamma.
    """
    a = y * (W @ x)
    near = (a > 0) & (a < gamma)
    if not is_right(a):
        return d * y * np.outer(a <= 0, x), 0.0
    return mu * d * y * np.outer(near, x), d_gamma * (0.25 - near.any())


def error(X, y, d, W):
    return sum(d_i for x, y_i, d_i in zip(with_bias(X), y, d, strict=True) if not is_right(y_i * (W @ x)))


def normalised(W, before):
    return np.array([row / np.linalg.norm(row) if row.any() else old for row, old in zip(W, before, strict=True)])


def train(X, y, d, orders, eta, W, gamma, step_scale, gamma_scale, mu, d_gamma=None):
    """The best (weights, gamma), the last ones, the errors before every epoch and after the last, and the last eta.

    An empty order is an epoch of batch training. `d_gamma` are the weights of the patterns where they move gamma, d if
    None.
    """
    rows, d_gamma = with_bias(X), d if d_gamma is None else d_gamma
    errors, best = [], None
    for epoch in range(len(orders) + 1):
        errors.append(error(X, y, d, W))
        if best is None or errors[-1] < min(errors[:-1]) - ROUNDING:
            best = W, gamma
        if epoch == len(orders):
            break
        before = W
        if len(orders[epoch]):
            for i in orders[epoch]:
                change, rise = move(rows[i], y[i], d[i], d_gamma[i], W, gamma, mu)
                W, gamma = W + eta * step_scale * change, max(1e-6, gamma + eta * gamma_scale * rise)
        else:
            moves = [move(*pattern, W, gamma, mu) for pattern in zip(rows, y, d, d_gamma, strict=True)]
            W = W + eta * step_scale * sum(change for change, _ in moves)
            gamma = max(1e-6, gamma + eta * gamma_scale * sum(rise for _, rise in moves))
        W = normalised(W, before)
        if epoch > 0 and errors[-1] > errors[-2] + ROUNDING:
            eta *= 0.9
    return best, (W, gamma), np.array(errors), eta
