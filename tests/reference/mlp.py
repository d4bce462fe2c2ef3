"""Slow plain-NumPy twins of `emphatic.kernels.mlp`: one network, pattern by pattern, as the formulas are written."""

import numpy as np


def outputs(X, hidden, output):
    """(n, outputs)."""
    h = np.tanh(with_bias(X) @ hidden.T)
    return np.tanh(with_bias(h) @ output.T)


def with_bias(rows):
    return np.column_stack([rows, np.ones(len(rows))])


def weighted_error(X, targets, weights, hidden, output):
    return sum(w * ((d - o) ** 2).sum() for w, d, o in zip(weights, targets, outputs(X, hidden, output), strict=True))


def visit(x, d, step, hidden, output):
    """Weights after one pattern."""
    x = np.append(x, 1.0)
    h = np.append(np.tanh(hidden @ x), 1.0)
    o = np.tanh(output @ h)
    delta = step * (d - o) * (1 - o**2)
    below = (delta @ output)[:-1] * (1 - h[:-1] ** 2)
    return hidden + np.outer(below, x), output + np.outer(delta, h)


def train(X, targets, rows, steps, judged, shares, orders, stall, hidden, output):
    """The best weights, the last ones, and the errors of all epochs."""
    errors, best = [], None
    for order in orders:
        for place in order:
            i = rows[place]
            hidden, output = visit(X[i], targets[i], steps[place], hidden, output)
        errors.append(weighted_error(X[judged], targets[judged], shares, hidden, output))
        if best is None or errors[-1] < min(errors[:-1]):
            best = hidden, output
        if len(errors) - 1 - int(np.argmin(errors)) >= stall:
            break
    return best, (hidden, output), errors
