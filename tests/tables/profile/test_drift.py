"""The distance of two samples, and what chance explains of it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emphatic.tables.profile.drift import SMALLEST, bound_chance, find_drift, measure_distance

counts = st.integers(2, 6).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 50), min_size=n, max_size=n).filter(any)] * 2)
)


@given(counts)
def test_the_distance_is_the_largest_difference_of_the_shares_of_any_set_of_bins(pair):
    """The definition of total variation, over all sets of bins."""
    before, after = (np.array(one) / sum(one) for one in pair)
    sets = np.array(np.meshgrid(*[[0, 1]] * len(before))).reshape(len(before), -1).T
    largest = max(abs(chosen @ (before - after)) for chosen in sets)
    assert measure_distance(*map(np.array, pair)) == pytest.approx(largest, abs=1e-12)


@given(counts)
def test_the_order_of_the_samples_and_of_the_bins_does_not_matter(pair):
    before, after = map(np.array, pair)
    assert measure_distance(before, after) == measure_distance(after, before)
    assert bound_chance(before, after, 0.01) == pytest.approx(bound_chance(after[::-1], before[::-1], 0.01), rel=1e-12)


def test_equal_shares_are_no_distance_and_disjoint_bins_the_whole():
    assert measure_distance(np.array([2, 6]), np.array([10, 30])) == 0
    assert measure_distance(np.array([2, 0, 6]), np.array([0, 5, 0])) == 1


@pytest.mark.parametrize(
    ("n", "m", "bins"), [(200, 20, 10), (1000, 1000, 10), (50, 500, 52), (30, 30, 2), (5000, 1, 10)]
)
def test_samples_of_one_distribution_exceed_the_bound_as_rarely_as_it_says(n, m, bins):
    rng = np.random.default_rng(0)
    shares = rng.dirichlet(np.ones(bins))
    pairs = [(rng.multinomial(n, shares), rng.multinomial(m, shares)) for _ in range(500)]
    assert sum(measure_distance(*pair) > bound_chance(*pair, 0.1) for pair in pairs) <= 0.1 * 500
    assert not any(find_drift(*pair, n_columns=1) for pair in pairs)


def test_what_has_moved_is_found_given_enough_rows_and_a_few_rows_prove_nothing():
    before, shares = np.full(10, 100), np.array([0.3, 0.2, *[0.0625] * 8])
    assert find_drift(before, (1600 * shares).astype(int), n_columns=10) == pytest.approx(0.3, abs=1e-12)
    assert find_drift(before, (16 * shares).astype(int), n_columns=10) == 0
    assert find_drift(before, np.eye(10, dtype=int)[0], n_columns=1) == 0


def test_a_certain_but_small_difference_is_not_worth_a_word():
    before, after = np.array([5000000, 5000000]), np.array([5900000, 4100000])
    assert bound_chance(before, after, 1e-6) < measure_distance(before, after) < SMALLEST
    assert find_drift(before, after, n_columns=1) == 0


def test_an_empty_sample_differs_from_nothing():
    assert find_drift(np.array([1, 2]), np.array([0, 0]), 1) == find_drift(np.array([0, 0]), np.array([3, 1]), 1) == 0
