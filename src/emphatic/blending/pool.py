"""A product of powers of the members' probabilities, with the powers of the highest likelihood: the audit's blend."""

from collections.abc import Sequence

import numpy as np
from scipy.optimize import minimize
from scipy.special import logsumexp, softmax

from emphatic.check import FloatArray, IntArray

LEAST_PROBABILITY = 1e-4
"""Of a member: a smaller one would overrule all others."""

PRIOR = 10.0
"""How much the powers are held to equal ones, against the log likelihood of all samples. On the tuning problems of
docs/audit.md 10 and 20 did as well, 3 and 40 a little worse."""

MOST_ROWS = 20_000
"""Rows, at even steps, that the powers are found on: so few numbers need no more."""


def pool_by_likelihood(predictions: Sequence[FloatArray], codes: IntArray, weights: FloatArray) -> FloatArray:
    r"""Pool out-of-fold probabilities (n, K) of M members by powers :math:`a_m \ge 0`, given weights of the samples.

    .. math:: p_i[k] \propto \prod_m p_{mi}[k]^{a_m}, \qquad
        \min_a\ -\sum_i w_i \log p_i[y_i] + 10 \sum_m \left(a_m - \tfrac{1}{M}\right)^2

    The minimum is unique, as both parts are convex in a. Members that say the same share their power, and members that
    complement each other add up: the sum of the powers may be above 1.

    >>> import numpy as np
    >>> right, useless = np.tile([0.8, 0.2], (100, 1)), np.tile([0.5, 0.5], (100, 1))
    >>> pool_by_likelihood([right, useless], np.repeat([0, 1], [80, 20]), np.ones(100))[0].round(2)
    array([0.8, 0.2])
    """
    rows = np.unique(np.linspace(0, len(codes) - 1, min(len(codes), MOST_ROWS)).astype(np.intp))
    powers = find_powers(np.stack([_log(one[rows]) for one in predictions]), codes[rows], weights[rows])
    pooled = np.zeros(predictions[0].shape)
    for power, one in zip(powers, predictions, strict=True):  # one at a time: of many rows, each takes much memory
        pooled += power * _log(one)
    return np.asarray(softmax(pooled, axis=1))


def find_powers(logarithms: FloatArray, codes: IntArray, weights: FloatArray) -> FloatArray:
    """The powers (M,) from the logarithms of probabilities (M, n, K)."""
    n_members = len(logarithms)
    given = logarithms[:, np.arange(len(codes)), codes] @ weights

    def cost(powers: FloatArray) -> tuple[float, FloatArray]:
        """What is minimised, and its gradient: the mean logarithms under the pool minus those of the labels."""
        pooled = np.tensordot(powers, logarithms, axes=1)
        away = powers - 1.0 / n_members
        loss = weights @ logsumexp(pooled, axis=1) - powers @ given + PRIOR * away @ away
        expected = np.tensordot(logarithms, weights[:, None] * softmax(pooled, axis=1), axes=2)
        return float(loss), np.asarray(expected - given + 2.0 * PRIOR * away)

    start = np.full(n_members, 1.0 / n_members)
    options = {"ftol": 1e-12, "gtol": 1e-6}
    found = minimize(cost, start, jac=True, method="L-BFGS-B", bounds=[(0.0, None)] * n_members, options=options)
    # rounded to what matters, so that the same table gives the same pool on every machine
    return np.asarray(np.round(found.x, 3))


def _log(probabilities: FloatArray) -> FloatArray:
    return np.asarray(np.log(np.maximum(probabilities, LEAST_PROBABILITY)))
