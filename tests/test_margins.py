"""Identities 1 of ALGORITHMS.md section 7, and the properties of scores, labels, weights and probabilities."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from emphatic import margins as mg

finite = st.floats(-1000, 1000)
scores = npst.arrays(float, st.integers(1, 30), elements=finite)
score_tables = npst.arrays(float, st.tuples(st.integers(1, 20), st.integers(3, 6)), elements=finite)


@given(scores, st.randoms())
def test_two_columns_say_what_one_signed_score_says(f, random):
    y = np.array([random.randint(0, 1) for _ in f])
    d = 2 * y - 1
    np.testing.assert_array_equal(mg.margins(np.column_stack([-f, f]), y), d * f)
    np.testing.assert_array_equal(mg.margins(f, y), d * f)


@given(st.integers(2, 6), st.integers(1, 30), st.randoms())
def test_margins_of_crisp_votes_are_plus_or_minus_one(n_classes, n, random):
    y = np.array([random.randrange(n_classes) for _ in range(n)])
    voted = np.array([random.randrange(n_classes) for _ in range(n)])
    score = np.where(voted[:, None] == np.arange(n_classes), 1.0, -1.0)
    np.testing.assert_array_equal(mg.margins(score, y), np.where(voted == y, 1.0, -1.0))


def test_margin_of_k_classes_is_half_of_true_minus_best_other():
    score = np.array([[0.5, -0.5, 0.1], [0.0, 1.0, 0.8]])
    np.testing.assert_allclose(mg.margins(score, np.array([0, 2])), [0.2, -0.1])


@given(score_tables)
def test_positive_margin_means_right_label(score):
    winner = mg.labels(score)
    assert (mg.margins(score, winner) >= 0).all()
    loser = (winner + 1) % score.shape[1]
    assert (mg.margins(score, loser) <= 0).all()


def test_ties_go_to_class_one_of_two_and_else_to_the_lowest():
    assert mg.labels(np.array([0.0, -0.0, -1e-300])).tolist() == [1, 1, 0]
    assert mg.labels(np.array([[0.3, 0.3, 0.3], [0.1, 0.3, 0.3]])).tolist() == [0, 1]


@given(scores)
def test_normalised_weights_are_a_distribution_for_any_margin(exponents):
    weights = mg.normalise(exponents)
    assert (weights >= 0).all() and np.isfinite(weights).all()
    assert weights.sum() == pytest.approx(1)


@given(scores, finite)
def test_a_constant_in_the_exponent_does_not_matter(exponents, constant):
    np.testing.assert_allclose(mg.normalise(exponents + constant), mg.normalise(exponents), rtol=1e-9, atol=1e-300)


@pytest.mark.parametrize("hopeless", [np.full(4, -np.inf), np.full(4, np.nan)])
def test_weights_that_vanish_become_uniform_with_a_warning(hopeless):
    with pytest.warns(UserWarning, match="uniform"):
        np.testing.assert_array_equal(mg.normalise(hopeless), np.full(4, 0.25))
    with pytest.warns(UserWarning, match="uniform"):
        np.testing.assert_array_equal(mg.distribution_or_uniform(np.zeros(4)), np.full(4, 0.25))


@given(st.one_of(scores, score_tables))
def test_most_probable_class_is_the_label_even_on_ties(score):
    for probabilities in (mg.probabilities_of_score(score), mg.probabilities_of_output(np.clip(score, -1, 1))):
        np.testing.assert_allclose(probabilities.sum(axis=1), 1)
        assert ((probabilities >= 0) & (probabilities <= 1)).all()
    np.testing.assert_array_equal(mg.probabilities_of_score(score).argmax(axis=1), mg.labels(score))
    output = np.clip(score, -1, 1)
    np.testing.assert_array_equal(mg.probabilities_of_output(output).argmax(axis=1), mg.labels(output))


@pytest.mark.parametrize("tiny", [0.0, -0.0, 1e-20, -1e-20])
def test_a_score_too_small_to_move_one_half_still_shows_in_the_probabilities(tiny):
    score = np.array([tiny])
    assert mg.probabilities_of_score(score).argmax(axis=1) == mg.labels(score)
    assert mg.probabilities_of_output(score).argmax(axis=1) == mg.labels(score)


def test_probabilities_of_two_columns_equal_those_of_one_score():
    f = np.linspace(-3, 3, 7)
    two = mg.probabilities_of_score(np.column_stack([-f, f]))
    np.testing.assert_allclose(mg.probabilities_of_score(f), two, atol=1e-15)


def test_effective_sample_size_counts_equal_weights():
    assert mg.effective_sample_size(np.full(8, 1 / 8)) == pytest.approx(8)
    assert mg.effective_sample_size(np.array([1.0, 0, 0])) == 1


@pytest.mark.parametrize("hopeless", [np.array([1.0, np.inf]), np.array([1.0, np.nan]), np.array([1.0, -1.0])])
def test_weights_without_a_finite_positive_sum_become_uniform(hopeless):
    with pytest.warns(UserWarning, match="uniform"):
        np.testing.assert_array_equal(mg.distribution_or_uniform(hopeless), [0.5, 0.5])


@given(npst.arrays(float, st.integers(1, 20), elements=st.floats(1e-3, 1e3)))
def test_weights_are_divided_by_their_sum(weights):
    np.testing.assert_allclose(mg.distribution_or_uniform(weights), weights / weights.sum(), rtol=1e-14)
    np.testing.assert_allclose(mg.normalise(np.log(weights)), weights / weights.sum(), rtol=1e-12)


@given(npst.arrays(float, st.tuples(st.integers(1, 10), st.integers(2, 5)), elements=st.sampled_from([0, 0.1, 0.5, 2])))
def test_rows_are_divided_by_their_sums_and_equal_where_nothing_supports_a_class(supports):
    for row, found in zip(supports, mg.normalise_rows(supports), strict=True):
        expected = row / row.sum() if row.any() else np.full(len(row), 1 / len(row))
        np.testing.assert_allclose(found, expected, rtol=1e-14)


def distributions(n_classes, seed):
    """Rows that sum to 1, among them ties of two and of all classes, and certainty."""
    rows = np.random.default_rng(seed).dirichlet(np.ones(n_classes), size=6)
    tie = np.zeros(n_classes)
    tie[-2:] = 0.5
    return np.vstack([rows, tie, np.full(n_classes, 1 / n_classes), np.eye(n_classes)])


@pytest.mark.parametrize("n_classes", [2, 3, 5])
@given(seed=st.integers(0, 99))
def test_probabilities_survive_being_made_an_output(n_classes, seed):
    probabilities = distributions(n_classes, seed)
    output = mg.output_of_probabilities(probabilities.copy())
    assert output.shape == (len(probabilities),) if n_classes == 2 else probabilities.shape
    np.testing.assert_allclose(
        output, 2 * probabilities[:, 1] - 1 if n_classes == 2 else 2 * probabilities - 1, atol=1e-15
    )
    np.testing.assert_array_equal(mg.labels(output), probabilities.argmax(axis=1))  # of a tie the first class
    np.testing.assert_allclose(mg.probabilities_of_output(output), probabilities, atol=1e-15)


def test_an_output_is_read_as_2p_minus_1():
    np.testing.assert_allclose(mg.probabilities_of_output(np.array([-1.0, 0.2, 1.0])), [[1, 0], [0.4, 0.6], [0, 1]])
    columns = np.array([[1.0, -1.0, -1.0], [0.0, 0.0, -1.0], [-1.0, -1.0, -1.0]])
    expected = [[1, 0, 0], [0.5, 0.5, 0], [1 / 3, 1 / 3, 1 / 3]]
    np.testing.assert_allclose(mg.probabilities_of_output(columns), expected, atol=1e-15)


def test_an_output_beyond_1_is_read_as_1():
    np.testing.assert_array_equal(mg.probabilities_of_output(np.array([-5.0, 3.0])), [[1, 0], [0, 1]])
    np.testing.assert_allclose(mg.probabilities_of_output(np.array([[7.0, 1.0, -9.0]])), [[0.5, 0.5, 0.0]])


@given(npst.arrays(float, 10, elements=st.floats(0.001, 0.999)))
def test_a_score_is_half_of_the_log_odds(p):
    score = 0.5 * np.log(p / (1 - p))
    np.testing.assert_allclose(mg.probabilities_of_score(score), np.column_stack([1 - p, p]), rtol=1e-9)


def test_numba_is_not_imported_before_it_is_needed():
    """It takes half a second; and a fork that is killed while it looks at numba's threads leaves a lock behind."""
    look = "import sys, emphatic.margins, emphatic.study; print('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", look], check=True, capture_output=True, text=True).stdout == "False\n"
