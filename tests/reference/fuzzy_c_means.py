"""Fuzzy c-means, one sample and one cluster at a time, as the formulas stand."""

import numpy as np


def memberships(X, centres, m):
    U = np.zeros((len(X), len(centres)))
    for i, x in enumerate(X.astype(np.float64)):
        squares = ((x - centres.astype(np.float64)) ** 2).sum(axis=1)
        on = squares == 0
        if on.any():
            U[i] = on / on.sum()
            continue
        for j in range(len(centres)):
            U[i, j] = 1 / sum((squares[j] / squares[k]) ** (1 / (m - 1)) for k in range(len(centres)))
    return U


def objective(X, weights, centres, U, m):
    squares = ((X[:, None, :].astype(np.float64) - centres[None, :, :]) ** 2).sum(axis=2)
    return (weights[:, None] * U**m * squares).sum()


def best_centres(X, weights, U, m):
    power = weights[:, None] * U**m
    return (power.T @ X) / power.sum(axis=0)[:, None]


def fit(X, weights, centres, m, n_iter):
    """Centres, memberships and J after every one of `n_iter` iterations."""
    U, objectives = memberships(X, centres, m), []
    for _ in range(n_iter):
        centres = best_centres(X, weights, U, m)
        U = memberships(X, centres, m)
        objectives.append(objective(X, weights, centres, U, m))
    return centres, U, objectives
