"""Powers of the members of a pool: the lowest cost, found by plain search, and what it means for copies and noise."""

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_softmax, softmax

from emphatic.blending import pool
from emphatic.blending.pool import pool_by_likelihood
from emphatic.blending.temperature import calibrate


def two_members(n=150, n_classes=3, seed=0):
    """Calibrated members that know the class of different samples better, and weights of the samples."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(n_classes, size=n)
    scores = rng.normal(size=(2, n, n_classes))
    scores[:, np.arange(n), codes] += np.array([[2.0, 0.5], [0.5, 2.0]])[:, np.arange(n) % 2]
    return [calibrate(one, codes) for one in scores], codes, rng.uniform(0.1, 1.0, n)


def test_the_powers_have_the_lowest_cost():
    members, codes, weights = two_members()

    def cost(powers):
        logarithms = sum(power * np.log(one) for power, one in zip(powers, members))
        given = log_softmax(logarithms, axis=1)[np.arange(len(codes)), codes]
        return -weights @ given + 10 * ((powers - 0.5) ** 2).sum()

    best = minimize(cost, [0.5, 0.5], method="Nelder-Mead", options={"xatol": 1e-5, "fatol": 1e-9}).x
    expected = softmax(sum(power * np.log(one) for power, one in zip(best, members)), axis=1)
    np.testing.assert_allclose(pool_by_likelihood(members, codes, weights), expected, atol=2e-3)
    assert best.sum() > 1.2  # they complement each other


def test_a_calibrated_member_alone_stays_as_it_is():
    [one, _], codes, _ = two_members()
    np.testing.assert_allclose(pool_by_likelihood([one], codes, np.ones(len(codes))), one, atol=5e-3)


def test_copies_are_pooled_to_what_they_are_and_a_member_that_knows_nothing_changes_nothing():
    [one, _], codes, weights = two_members()
    alone = pool_by_likelihood([one], codes, weights)
    np.testing.assert_allclose(pool_by_likelihood([one, one], codes, weights), alone, atol=0.01)
    useless = np.full_like(one, 1 / 3)
    np.testing.assert_allclose(pool_by_likelihood([one, useless], codes, 100 * weights), alone, atol=0.02)


def test_a_member_that_contradicts_the_labels_gets_no_power():
    [one, other], codes, weights = two_members()
    logarithms = np.log(np.stack([one, other[:, [1, 2, 0]] ** 3]))
    assert pool.find_powers(logarithms, codes, 100 * weights)[1] == 0.0


def test_members_that_are_certain_do_not_overrule_the_others():
    certain, sensible = np.array([[1.0, 0.0]] * 4), np.array([[0.2, 0.8]] * 4)
    pooled = pool_by_likelihood([certain, sensible], np.array([0, 1, 1, 1]), np.ones(4))
    assert np.isfinite(pooled).all() and (pooled > 0).all()
    np.testing.assert_allclose(pooled.sum(axis=1), 1.0)


def test_the_powers_of_many_rows_are_found_on_some_of_them(monkeypatch):
    members, codes, weights = two_members(400)
    every = pool_by_likelihood(members, codes, weights)
    monkeypatch.setattr(pool, "MOST_ROWS", 100)
    some = pool_by_likelihood(members, codes, weights)
    rows = np.linspace(0, 399, 100).astype(int)
    powers = pool.find_powers(np.log(np.stack(members))[:, rows], codes[rows], weights[rows])
    np.testing.assert_allclose(some, softmax(np.tensordot(powers, np.log(members), axes=1), axis=1))
    assert (some != every).any()
