"""Weights and votes with the largest soft margin: the game between samples and learners, made smooth.

Samples choose weights d below their caps, learners choose votes w that sum to 1:

    min over d of  max over w of  sum_ij d_i U_ij w_j + KL(d | prior) / eta

(ERLPBoost: Warmuth, Glocer and Vishwanathan 2008.) The larger eta, the nearer to the linear program of LPBoost. Its
solutions are not unique, and which one is found would depend on the last bit; this one has a single solution.
"""

import numpy as np
from scipy.optimize import minimize
from scipy.special import rel_entr

from emphatic.check import FloatArray
from emphatic.margins import cap_distribution, normalise


def weigh_samples(margin: FloatArray, prior: FloatArray, caps: FloatArray, eta: float) -> FloatArray:
    """The weights that are best against an ensemble with these margins.

    >>> weigh_samples(np.array([-1.0, 0.0, 1.0]), np.full(3, 1 / 3), np.full(3, 0.5), eta=10.0).round(3)
    array([0.5, 0.5, 0. ])
    """
    with np.errstate(divide="ignore"):  # a prior of 0 stays 0: exp(-inf)
        return cap_distribution(normalise(np.log(prior) - eta * margin), caps)


def choose_votes(margins: FloatArray, prior: FloatArray, caps: FloatArray, eta: float, start: FloatArray) -> FloatArray:
    """The votes that are best against such samples, from margins (n, learners); the search begins at `start`."""

    def loss(votes: FloatArray) -> tuple[float, FloatArray]:
        ensemble = margins @ votes
        weights = weigh_samples(ensemble, prior, caps, eta)
        return -float(weights @ ensemble + rel_entr(weights, prior).sum() / eta), -(weights @ margins)

    ones = np.ones(margins.shape[1])
    sum_to_one = {"type": "eq", "fun": lambda votes: votes.sum() - 1.0, "jac": lambda votes: ones}
    found = minimize(
        loss,
        start,
        jac=True,
        method="SLSQP",
        bounds=[(0.0, 1.0)] * len(ones),
        constraints=[sum_to_one],
        options={"ftol": 1e-8, "maxiter": 200},
    )
    votes = np.clip(found.x, 0.0, None)
    return np.asarray(votes / votes.sum())
