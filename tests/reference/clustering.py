"""The variants of fuzzy c-means, one sample and one cluster at a time, as the formulas of the papers stand."""

import numpy as np

from tests.reference.fuzzy_c_means import best_centres


def shares_of(costs, m):
    """Memberships of one row: 1 / sum_k (cost_j / cost_k)^(1/(m-1)); a cost of 0 takes all."""
    if (costs == 0).any():
        return (costs == 0) / (costs == 0).sum()
    return np.array([1 / sum((one / other) ** (1 / (m - 1)) for other in costs) for one in costs])


def squared(X, centres):
    return np.array([[((x - v) ** 2).sum() for v in centres] for x in X])


def noise(X, weights, centres, m, delta, n_iter):
    """Davé: centres, memberships in the clusters, and J."""
    for turn in range(n_iter + 1):
        costs = np.column_stack([squared(X, centres), np.full(len(X), delta**2)])
        U = np.array([shares_of(row, m) for row in costs])
        J = (weights[:, None] * U**m * costs).sum()
        if turn < n_iter:
            centres = best_centres(X, weights, U[:, :-1], m)
    return centres, U[:, :-1], J


def entropy(X, weights, centres, temperature, n_iter):
    """Li and Mukaidono."""
    for turn in range(n_iter + 1):
        costs = squared(X, centres)
        U = np.array([np.exp(-row / temperature) / np.exp(-row / temperature).sum() for row in costs])
        J = (weights[:, None] * (U * costs + temperature * U * np.log(len(centres) * U))).sum()
        if turn < n_iter:
            centres = best_centres(X, weights, U, 1)
    return centres, U, J


def possibilistic(X, weights, centres, m, widths, n_iter):
    """Krishnapuram and Keller."""
    for turn in range(n_iter + 1):
        costs = squared(X, centres)
        U = 1 / (1 + (costs / widths) ** (1 / (m - 1)))
        J = (weights[:, None] * (U**m * costs + widths * (1 - U) ** m)).sum()
        if turn < n_iter:
            centres = best_centres(X, weights, U, m)
    return centres, U, J


def gustafson_kessel(X, weights, centres, m, n_iter, max_condition, shrinkage):
    """Babuska, algorithm 1: shrink, limit the ratio of the eigenvalues, invert."""
    d = X.shape[1]
    sphere = np.linalg.det(np.cov(X.T, aweights=weights, bias=True)) ** (1 / d)
    metrics = [np.eye(d)] * len(centres)
    for turn in range(n_iter + 1):
        costs = np.array([[(x - v) @ A @ (x - v) for v, A in zip(centres, metrics)] for x in X])
        U = np.array([shares_of(row, m) for row in costs])
        J = (weights[:, None] * U**m * costs).sum()
        if turn == n_iter:
            break
        centres = best_centres(X, weights, U, m)
        metrics = []
        for j, v in enumerate(centres):
            power = weights * U[:, j] ** m
            F = sum(p * np.outer(x - v, x - v) for p, x in zip(power, X)) / power.sum()
            F = (1 - shrinkage) * F + shrinkage * sphere * np.eye(d)
            values, vectors = np.linalg.eigh(F)
            values = np.maximum(values, values.max() / max_condition)
            metrics.append(np.prod(values) ** (1 / d) * vectors @ np.diag(1 / values) @ vectors.T)
    return centres, U, J


def medoids(distances, weights, rows, m, n_iter):
    """Krishnapuram: the row of least cost for each cluster (they must come out different)."""
    for turn in range(n_iter + 1):
        costs = distances[:, rows]
        U = np.array([shares_of(row, m) for row in costs])
        J = (weights[:, None] * U**m * costs).sum()
        if turn < n_iter:
            power = weights[:, None] * U**m
            rows = [int((power[:, j] @ distances).argmin()) for j in range(len(rows))]
            assert len(set(rows)) == len(rows)
    return np.array(rows), U, J


def evidential(X, weights, centres, sets, m, alpha, delta, n_iter):
    """Masson and Denoeux: `sets` are tuples of clusters, the first one empty."""
    c, d = centres.shape
    for turn in range(n_iter + 1):
        means = [centres[list(one)].mean(axis=0) for one in sets[1:]]
        sizes = np.array([len(one) for one in sets[1:]])
        costs = np.column_stack([np.full(len(X), delta**2), squared(X, means) * sizes**alpha])
        M = np.array([shares_of(row, m) for row in costs])
        J = (weights[:, None] * M**m * costs).sum()
        if turn == n_iter:
            break
        H, B = np.zeros((c, c)), np.zeros((c, d))
        for power, x in zip(weights[:, None] * M**m, X):
            for one, p in zip(sets[1:], power[1:]):
                for k in one:
                    B[k] += len(one) ** (alpha - 1) * p * x
                    for other in one:
                        H[k, other] += len(one) ** (alpha - 2) * p
        centres = np.linalg.solve(H, B)
    return centres, M, J


def fuzzy_rand(U, V):
    """Campello: the sums over pairs, and the adjusted index."""

    def same(W, i, k):
        return max(min(W[i, j], W[k, j]) for j in range(W.shape[1]))

    def other(W, i, k):
        c = W.shape[1]
        return max((min(W[i, j], W[k, q]) for j in range(c) for q in range(c) if q != j), default=0.0)

    a = b = c = d = 0.0
    for i in range(len(U)):
        for k in range(i):
            a += min(same(U, i, k), same(V, i, k))
            b += min(same(U, i, k), other(V, i, k))
            c += min(other(U, i, k), same(V, i, k))
            d += min(other(U, i, k), other(V, i, k))
    expected = (a + b) * (a + c) / (a + b + c + d)
    return (a - expected) / (((a + b) + (a + c)) / 2 - expected)
