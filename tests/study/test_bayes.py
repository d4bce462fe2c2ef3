import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emphatic.study.statistics import Posterior, signed_rank_posterior
from emphatic.study.statistics import bayes as bayes_module
from emphatic.study.statistics.bayes import find_thetas

PERCENTS = st.integers(0, 40).map(lambda k: k / 100)
PAIRS = st.lists(st.tuples(PERCENTS, PERCENTS), min_size=1, max_size=12)
ROPES = st.sampled_from([0.0, 0.01, 0.1])


def as_tuple(posterior):
    return posterior.first_better, posterior.equivalent, posterior.second_better


def slow_thetas(z, weights, limit):
    """Pair by pair, as the formula is written."""
    below = above = 0.0
    for i in range(len(z)):
        for j in range(len(z)):
            below += weights[i] * weights[j] * (z[i] + z[j] < -limit)
            above += weights[i] * weights[j] * (z[i] + z[j] > limit)
    return below, 1 - below - above, above


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=9), st.integers(0, 12), st.integers(0, 99))
def test_thetas_are_those_of_the_double_loop(z, limit, seed):
    z = np.array(z, dtype=float)
    weights = np.random.default_rng(seed).dirichlet(np.ones(z.size), 3)
    expected = [slow_thetas(z, row, limit) for row in weights]
    np.testing.assert_allclose(find_thetas(z, weights, limit), expected, atol=1e-12)


@settings(max_examples=50)
@given(PAIRS, ROPES)
def test_swapping_the_methods_swaps_the_probabilities_and_they_sum_to_one(pairs, rope):
    first, second = np.array(pairs).T
    found = signed_rank_posterior(first, second, rope, n_samples=500)
    swapped = signed_rank_posterior(second, first, rope, n_samples=500)
    assert as_tuple(swapped) == as_tuple(found)[::-1]
    assert sum(as_tuple(found)) == pytest.approx(1)


@settings(max_examples=50)
@given(PAIRS)
def test_a_wider_region_is_never_less_probable(pairs):
    first, second = np.array(pairs).T
    found = [signed_rank_posterior(first, second, rope, n_samples=500).equivalent for rope in (0.0, 0.02, 0.1, 0.5)]
    assert found == sorted(found)
    assert found[-1] == 1.0  # no difference is that large


@given(PAIRS, ROPES)
def test_a_method_is_equivalent_to_itself(pairs, rope):
    errors = [first for first, _ in pairs]
    assert signed_rank_posterior(errors, errors, rope, n_samples=50) == Posterior(0.0, 1.0, 0.0)


def test_better_by_far_on_every_problem():
    errors = np.linspace(0.1, 0.3, 20)
    assert signed_rank_posterior(errors, errors + 0.2, rope=0.01).first_better > 0.9999
    assert signed_rank_posterior(errors + 0.2, errors, rope=0.01).second_better > 0.9999


def test_a_strong_prior_says_that_methods_are_equivalent():
    found = signed_rank_posterior([0.1, 0.2], [0.3, 0.4], rope=0.01, prior_strength=1000)
    assert found.equivalent > 0.999


def test_one_problem_has_the_share_of_a_beta_distribution():
    """theta_- = 1 - w_0^2 is the largest where w_0^2 < 1/2; as w_0 is of a Beta(s, 1), that has the chance 2^(-s/2)."""
    for strength in (0.5, 1.0, 2.0):
        found = signed_rank_posterior([0.1], [0.3], rope=0.05, prior_strength=strength)
        assert found.first_better == pytest.approx(0.5 ** (strength / 2), abs=0.01)
        assert found.second_better == 0.0


def test_a_difference_at_the_border_is_inside_to_the_last_bit():
    assert 0.31 - 0.3 > 0.01  # by rounding
    assert signed_rank_posterior([0.31] * 5, [0.3] * 5, rope=0.01).equivalent == 1.0


@pytest.mark.parametrize(
    ("first", "second", "rope", "expected"),
    [
        ([0.10, 0.21, 0.05, 0.30, 0.12], [0.14, 0.25, 0.05, 0.36, 0.19], 0.01, (0.9840, 0.0160, 0.0)),
        (
            [0.113, 0.242, 0.087, 0.301, 0.155, 0.064, 0.208, 0.177],
            [0.121, 0.229, 0.095, 0.287, 0.158, 0.083, 0.199, 0.204],
            0.0062,
            (0.4107, 0.5241, 0.0653),
        ),
        (
            [0.31, 0.18, 0.22, 0.09, 0.27, 0.15, 0.12, 0.33, 0.41, 0.05, 0.16, 0.24],
            [0.29, 0.19, 0.17, 0.08, 0.29, 0.11, 0.13, 0.28, 0.36, 0.06, 0.12, 0.25],
            0.004,
            (0.0443, 0.0000, 0.9557),
        ),
    ],
)
def test_the_probabilities_are_those_of_baycomp(first, second, rope, expected):
    """`baycomp.SignedRankTest.probs(1 - first, 1 - second, rope, nsamples=400_000, random_state=0)`, baycomp 1.0.3.

    It decides about sums at the border of the region by their last bit, and counts exact ties half; here, no sum lies
    there. Both draw at random: 0.005 is more than four standard deviations of the difference for every probability.
    """
    found = signed_rank_posterior(first, second, rope, n_samples=400_000)
    assert as_tuple(found) == pytest.approx(expected, abs=0.005)


def test_draws_in_pieces_are_the_same_draws(monkeypatch):
    first, second = np.random.default_rng(0).random((2, 9))
    whole = signed_rank_posterior(first, second, 0.02, n_samples=1000)
    monkeypatch.setattr(bayes_module, "_NUMBERS_AT_ONCE", 70)
    assert signed_rank_posterior(first, second, 0.02, n_samples=1000) == whole
    assert signed_rank_posterior(first, second, 0.02, n_samples=1000, random_state=1) != whole


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([0.1, np.nan], [0.1, 0.2]), {}, "first holds NaN 1 times: leave out problems"),
        (([0.1, 0.2], [np.nan, np.nan]), {}, "second holds NaN 2 times"),
        (([0.1, np.inf], [0.1, 0.2]), {}, "first must be one-dimensional, with finite values"),
        (([0.1], [0.1, 0.2]), {}, "first holds 1 errors and second 2"),
        (([], []), {}, "at least one pair"),
        (([0.1], [0.2], -0.1), {}, "rope=-0.1 is not allowed"),
        (([0.1], [0.2]), {"prior_strength": 0}, "prior_strength=0 is not allowed"),
        (([0.1], [0.2]), {"n_samples": 0}, "n_samples=0 is not allowed"),
        (([0.1], [0.2]), {"random_state": "x"}, "random_state='x' is not allowed"),
    ],
)
def test_what_is_not_allowed_is_said(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        signed_rank_posterior(*arguments, **options)
