"""Folds share every class evenly; the noise of labels is counted where models are confident, and can be removed."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emphatic.blending.folds import draw_folds
from emphatic.blending.noise import (
    LEAST_TRUST,
    estimate_least_noise,
    estimate_noise,
    hedge_noise,
    remove_noise,
    trust_labels,
)


@given(st.lists(st.integers(0, 4), min_size=2, max_size=60), st.integers(2, 7), st.integers(0, 9))
@settings(max_examples=50, deadline=None)
def test_folds_partition_the_rows_and_share_every_class_evenly(codes, n_folds, seed):
    codes = np.array(codes)
    folds = draw_folds(codes, n_folds, np.random.default_rng(seed))
    assert sorted(np.concatenate(folds).tolist()) == list(range(len(codes)))
    for code in np.unique(codes):
        counts = [(codes[rows] == code).sum() for rows in folds]
        assert max(counts) - min(counts) <= 1
    assert max(map(len, folds)) - min(map(len, folds)) <= 1


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 9)), min_size=2, max_size=60), st.integers(0, 9))
@settings(max_examples=50, deadline=None)
def test_folds_of_groups_partition_the_rows_and_keep_groups_together(rows, seed):
    codes, names = np.array(rows).T
    groups = np.unique(names, return_inverse=True)[1]
    folds = draw_folds(codes, 4, np.random.default_rng(seed), groups)
    assert sorted(np.concatenate(folds).tolist()) == list(range(len(codes)))
    assert len(folds) == min(4, groups.max() + 1)
    assert all(map(len, folds))
    assert all(set(groups[one]).isdisjoint(groups[other]) for one in folds for other in folds if one is not other)


def test_folds_of_equal_groups_share_every_class_evenly():
    """Twenty groups of ten rows, of which 0 to 3 are of the rare class: five folds have 40 rows each and 6 of them."""
    groups = np.arange(20).repeat(10)
    codes = (np.tile(np.arange(10), 20) < groups % 4).astype(int)
    for seed in range(5):
        folds = draw_folds(codes, 5, np.random.default_rng(seed), groups)
        assert [len(rows) for rows in folds] == [40] * 5
        assert max(abs(codes[rows].sum() - 6) for rows in folds) <= 1


def test_a_large_group_is_balanced_by_small_ones():
    groups = np.concatenate([np.zeros(30, dtype=int), np.arange(1, 31)])
    sizes = sorted(len(rows) for rows in draw_folds(np.arange(60) % 2, 2, np.random.default_rng(0), groups))
    assert sizes == [30, 30]


def test_noise_is_counted_among_the_confident_predictions_only():
    p = np.repeat([0.9, 0.6], [30, 70])  # of class 0: confident in 30 of 100 rows
    probabilities = np.column_stack([p, 1 - p])
    codes = np.zeros(100, dtype=int)
    codes[50:] = 1  # contradicted, but not confidently
    assert estimate_noise(probabilities, codes) == pytest.approx(0.5 / 31)
    codes[:6] = 1
    assert estimate_noise(probabilities, codes) == pytest.approx(6.5 / 31)
    codes[:20] = 1
    assert estimate_noise(probabilities, codes) == 0.4  # more is not believed


def test_the_least_noise_is_one_standard_error_below_the_estimate_and_never_negative():
    codes = np.repeat([0, 1], 50)
    probabilities = np.where(np.eye(2)[codes] == 1, 0.9, 0.1)
    assert estimate_least_noise(probabilities, codes) == 0.0
    codes[:6] = 1
    noise = 6.5 / 31
    expected = noise - np.sqrt(noise * (1 - noise) / 30)
    assert estimate_least_noise(probabilities, codes) == pytest.approx(expected)


@pytest.mark.parametrize(("n", "n_confident"), [(5, 5), (100, 30), (1_500, 450), (3_000, 450), (20_000, 2_000)])
def test_of_many_rows_fewer_are_confident_enough_to_be_evidence(n, n_confident):
    p = np.where(np.arange(n) < n_confident, 0.9, 0.6)
    codes = (np.arange(n) >= n_confident).astype(int)  # only those that do not count are contradicted
    assert estimate_noise(np.column_stack([p, 1 - p]), codes) == pytest.approx(0.5 / (n_confident + 1))


def test_classes_that_overlap_are_not_taken_for_wrong_labels_and_flips_are():
    rng, n = np.random.default_rng(0), 10_000
    p = np.linspace(1.0, 0.5, n)
    overlapping = (rng.random(n) >= p).astype(int)
    assert estimate_least_noise(np.column_stack([p, 1 - p]), overlapping) == pytest.approx(0.025, abs=0.01)
    flipped = np.where(rng.random(n) < 0.2, 1 - overlapping, overlapping)
    q = 0.8 * p + 0.2 * (1 - p)  # what a model of the flipped labels says
    assert estimate_least_noise(np.column_stack([q, 1 - q]), flipped) == pytest.approx(0.2, abs=0.03)


def test_models_that_only_know_the_class_frequencies_are_no_evidence_of_noise():
    codes = np.repeat([0, 1], [75, 25])
    frequencies = np.tile([0.75, 0.25], (100, 1))
    assert estimate_noise(frequencies, codes[::-1]) > 0.2
    assert estimate_least_noise(frequencies, codes[::-1]) == 0.0


def test_removing_noise_undoes_random_flips():
    clean = np.random.default_rng(0).dirichlet([2.0, 2.0, 2.0], size=50)
    noisy = 0.8 * clean + 0.2 * (1 - clean) / 2
    np.testing.assert_allclose(remove_noise(noisy, 0.2), clean, atol=2e-3)


def test_a_hedge_is_between_no_correction_and_all_of_it():
    noisy = np.random.default_rng(1).dirichlet([2.0, 2.0, 2.0], size=50)
    np.testing.assert_array_equal(hedge_noise(noisy, 0.2, 0.0), noisy)
    np.testing.assert_array_equal(hedge_noise(noisy, 0.2, 1.0), remove_noise(noisy, 0.2))
    np.testing.assert_array_equal(hedge_noise(noisy, 0.2, 0.3).argmax(axis=1), noisy.argmax(axis=1))
    np.testing.assert_allclose(hedge_noise(noisy, 0.2, 0.3).sum(axis=1), 1.0)


@pytest.mark.parametrize("chance", [0.2, 0.5, 0.9])
def test_no_other_probabilities_have_a_lower_log_loss_on_average_over_clean_and_noisy_labels(chance):
    rng = np.random.default_rng(2)
    clean = rng.dirichlet([2.0, 2.0, 2.0], size=20)
    noisy = 0.8 * clean + 0.2 * (1 - clean) / 2

    def expected_loss(probabilities):
        losses = -np.log(probabilities)
        return (chance * clean * losses + (1 - chance) * noisy * losses).sum(axis=1)

    least = expected_loss(hedge_noise(noisy, 0.2, chance))
    for _ in range(20):
        other = np.abs(hedge_noise(noisy, 0.2, chance) + rng.normal(scale=0.1, size=clean.shape)) + 1e-3
        assert (expected_loss(other / other.sum(axis=1, keepdims=True)) >= least - 2e-5).all()


@pytest.mark.parametrize("n_classes", [2, 4])
def test_trust_in_a_label_is_its_probability_by_bayes_rule(n_classes):
    """A class is drawn by its true probabilities; with the chance `noise`, the label is one of the others."""
    rng, noise = np.random.default_rng(n_classes), 0.3
    true = rng.dirichlet(np.ones(n_classes), 50)
    kept = (1.0 - noise) * true
    labels = kept + noise * (1.0 - true) / (n_classes - 1)
    np.testing.assert_allclose(labels.sum(axis=1), 1.0)
    for code in range(n_classes):
        found = trust_labels(labels, np.full(50, code), noise)
        expected = np.maximum(kept[:, code] / labels[:, code], LEAST_TRUST)
        np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_every_label_is_trusted_where_none_is_wrong():
    labels = np.random.default_rng(0).dirichlet(np.ones(3), 20)
    np.testing.assert_allclose(trust_labels(labels, np.zeros(20, np.intp), 0.0), 1.0)
    assert trust_labels(np.array([[0.0, 1.0]]), np.array([0]), 0.1) == LEAST_TRUST
