"""The deflected objective of fuzzy c-means, memberships (n, k), all orders of the clusters tried in turn."""

from itertools import permutations

import numpy as np

from tests.reference import fuzzy_c_means


def distance(U, V, aligned):
    orders = permutations(range(V.shape[1])) if aligned else [range(V.shape[1])]
    return min(np.linalg.norm(U - V[:, list(order)]) for order in orders) / np.sqrt(len(U))


def objective(X, U, groups, m, relaxation, aligned):
    weights = np.ones(len(X))
    centres = fuzzy_c_means.best_centres(X, weights, U, m)
    J = fuzzy_c_means.objective(X, weights, centres, U, m)
    return np.log(J) - sum(np.log(np.tanh(relaxation * distance(U, V, aligned))) for V in groups)
