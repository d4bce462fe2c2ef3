"""Slow plain-NumPy twins of `emphatic.kernels.rbf`, sample by sample as the paper writes the formulas."""

import numpy as np


def squared_distances(centres, X):
    return np.array([[((c - x) ** 2).sum() for x in X] for c in centres])


def activations(centres, widths, X):
    values = np.exp(-squared_distances(centres, X) / (2 * np.asarray(widths)[:, None] ** 2))
    return np.where(values > 1e-150, values, 0.0)


def cells(X, centres, y=None, owner=None):
    cell, distance = [], []
    for i, x in enumerate(X):
        gaps = [np.sqrt(((c - x) ** 2).sum()) for c in centres]
        if owner is not None:
            gaps = [gap if owner[k] == y[i] else np.inf for k, gap in enumerate(gaps)]
        cell.append(int(np.argmin(gaps)))
        distance.append(gaps[cell[-1]])
    return np.array(cell), np.array(distance)


def width(distances, weights):
    """beta of one cell, equations 16 to 20 letter by letter."""
    members = len(distances)
    share = weights / weights.sum()  # (17)
    dist = members * share * distances  # (16)
    mu = dist.mean()  # (19)
    sigma = np.sqrt(((dist - mu) ** 2).mean())  # (20)
    return mu**2 / sigma  # (18)


def first_arrivals(times, weights, y, counts):
    arrival = [time / weight if weight > 0 else np.inf for time, weight in zip(times, weights, strict=True)]
    chosen = []
    for code, count in enumerate(counts):
        members = sorted(np.flatnonzero(y == code), key=lambda i: (arrival[i], i))
        chosen += sorted(members[:count])
    return np.array(chosen, dtype=int)


def shuffled_orders(noise):
    orders = []
    for row in noise:
        order = list(range(len(row)))
        for i in range(len(row) - 1, 0, -1):
            j = int(row[i]) * (i + 1) // 2**32
            order[i], order[j] = order[j], order[i]
        orders.append(order)
    return np.array(orders)


def sgd(activation, targets, scale, orders, first_step, implicit, squash):
    weights = np.zeros((len(targets), activation.shape[1]))
    total = orders.size
    for count, i in enumerate(orders.ravel()):
        g = activation[i]
        step = first_step * (1 - count / total) * scale[i]
        step = step / (1 + step * (g @ g)) if implicit else min(step, 1 / (g @ g)) if g @ g > 0 else step
        for c in range(len(weights)):
            output = weights[c] @ g
            if squash:
                output = np.tanh(output)
                weights[c] += step * (targets[c, i] - output) * (1 - output**2) * g
            else:
                weights[c] += step * (targets[c, i] - output) * g
    return weights


def pseudo_inverse(activation, targets, weights):
    """Output weights (outputs, K) from activations (n, K): the pseudo-inverse by singular values, as in textbooks."""
    root = np.sqrt(weights)[:, None]
    U, values, V = np.linalg.svd(root * activation, full_matrices=False)
    kept = values > max(activation.shape) * np.finfo(float).eps * values[0]
    return ((V[kept].T / values[kept]) @ U[:, kept].T @ (root * targets)).T


def ridge(activation, targets, weights, regularisation):
    """Output weights (outputs, K) from activations (n, K): the normal equations as written."""
    D = np.diag(weights)
    gram = activation.T @ D @ activation + regularisation * np.eye(activation.shape[1])
    return np.linalg.solve(gram, activation.T @ D @ targets).T
