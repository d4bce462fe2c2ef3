"""The EM algorithm: what must hold exactly, and its slow twin."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from emphatic.audit.annotators import dawid_skene
from emphatic.audit.annotators.dawid_skene import choose_classes, count_votes, find_consensus, share_votes
from tests.audit.annotators.drawn import draw_labels
from tests.reference import dawid_skene as twin

CODES = st.tuples(st.integers(1, 12), st.integers(1, 4)).flatmap(
    lambda shape: arrays(np.intp, shape, elements=st.integers(-1, 2))
)


def drawn(n=120, seed=0, accuracies=(0.9, 0.8, 0.7, 0.55), missing=0.3, n_classes=3):
    rng = np.random.default_rng(seed)
    true = rng.integers(n_classes, size=n)
    return draw_labels(true, accuracies, missing, rng), true


def random_priors(n, n_classes, seed=1):
    return np.random.default_rng(seed).dirichlet(np.ones(n_classes), n) * 0.98 + 0.02 / n_classes


@pytest.mark.parametrize("with_priors", [False, True])
@pytest.mark.parametrize("n_steps", [1, 7])
def test_each_step_is_that_of_the_slow_twin(monkeypatch, with_priors, n_steps):
    monkeypatch.setattr(dawid_skene, "MOST_STEPS", n_steps)
    codes, _ = drawn(40)
    codes[3] = -1
    priors = random_priors(40, 3) if with_priors else None
    found = find_consensus(codes, 3, priors)
    probabilities, confusion = twin.find_consensus(codes.tolist(), 3, priors, n_steps)
    np.testing.assert_allclose(found.probabilities, probabilities, atol=1e-8)
    np.testing.assert_allclose(found.confusion, confusion, atol=1e-8)
    assert len(found.objectives) == n_steps


@given(CODES, st.booleans())
@settings(deadline=None, max_examples=50)
def test_the_posterior_density_never_falls_and_all_are_probabilities(codes, with_priors):
    found = find_consensus(codes, 3, random_priors(len(codes), 3) if with_priors else None)
    assert (np.diff(found.objectives) > -1e-7).all()
    np.testing.assert_allclose(found.probabilities.sum(axis=1), 1.0, atol=1e-8)
    np.testing.assert_allclose(found.confusion.sum(axis=2), 1.0)
    assert (found.confusion > 0.0).all()  # the prior: nothing collapses


def test_the_first_step_counts_votes():
    codes = np.array([[0, 0, 1], [2, -1, -1], [1, 1, -1], [-1, -1, -1]])
    votes = count_votes(codes, 3)
    assert votes.tolist() == [[2, 1, 0], [0, 0, 1], [0, 2, 0], [0, 0, 0]]
    shares, mean = share_votes(codes, 3)
    np.testing.assert_allclose(shares[:3], [[2 / 3, 1 / 3, 0], [0, 0, 1], [0, 1, 0]])
    np.testing.assert_allclose(mean, (np.array([2 / 3, 4 / 3, 1]) + 1 / 3) / 4)
    assert (shares[3] == mean).all()


@given(st.lists(st.integers(0, 2), min_size=2, max_size=60))
@settings(deadline=None, max_examples=50)
def test_the_only_annotator_is_believed_however_rare_a_label(labels):
    codes = np.array(labels)[:, None]
    assert (choose_classes(find_consensus(codes, 3).probabilities) == codes[:, 0]).all()


def test_the_only_annotator_has_the_quality_of_the_prior():
    """Nothing speaks for or against it: the likelihood is the same for all confusion matrices with these marginals."""
    codes = np.tile([0, 1], 10)[:, None]
    np.testing.assert_allclose(find_consensus(codes, 2).confusion[0], [[0.85, 0.15], [0.15, 0.85]], atol=1e-4)


def test_annotators_who_always_agree_are_right():
    codes = np.repeat(np.arange(3).repeat(40)[:, None], 4, axis=1)
    found = find_consensus(codes, 3)
    assert found.probabilities.max(axis=1).min() > 0.999
    assert found.confusion[:, range(3), range(3)].min() > 0.97


def test_the_order_of_annotators_and_rows_does_not_matter():
    codes, _ = drawn()
    rng = np.random.default_rng(2)
    rows, annotators = rng.permutation(120), rng.permutation(4)
    one, other = find_consensus(codes, 3), find_consensus(codes[rows][:, annotators], 3)
    np.testing.assert_allclose(other.probabilities, one.probabilities[rows], atol=1e-8)
    np.testing.assert_allclose(other.confusion, one.confusion[annotators], atol=1e-8)


def test_what_is_symmetric_stays_so():
    """Two annotators who disagree as often one way as the other: neither is better, in whatever order rows are."""
    codes = np.array([[0, 0]] * 20 + [[1, 1]] * 20 + [[0, 1]] * 9 + [[1, 0]] * 9)
    for seed in range(3):
        found = find_consensus(np.random.default_rng(seed).permutation(codes), 2)
        np.testing.assert_allclose(found.confusion[0], found.confusion[1], atol=1e-8)


def test_the_names_of_the_classes_do_not_matter():
    codes, _ = drawn()
    one, other = find_consensus(codes, 3), find_consensus(np.where(codes >= 0, (codes + 1) % 3, -1), 3)
    np.testing.assert_allclose(other.probabilities[:, [1, 2, 0]], one.probabilities, atol=1e-8)


def test_a_copy_of_an_annotator_is_not_punished():
    codes, true = drawn(300)
    alone = find_consensus(codes, 3)
    both = find_consensus(np.column_stack([codes, codes[:, 1]]), 3)

    def quality(found, a):
        return found.confusion[a, range(3), range(3)].mean()

    assert quality(both, 1) == pytest.approx(quality(both, 4), abs=1e-8)
    assert quality(both, 1) > quality(alone, 1) - 0.01
    right = (choose_classes(alone.probabilities) == true).mean()
    assert (choose_classes(both.probabilities) == true).mean() > right - 0.05


def test_an_annotator_without_labels_changes_nothing():
    codes, _ = drawn()
    one, other = find_consensus(codes, 3), find_consensus(np.column_stack([codes, np.full(120, -1)]), 3)
    np.testing.assert_allclose(other.probabilities, one.probabilities, atol=1e-8)
    np.testing.assert_allclose(other.confusion[4], 0.7 * np.eye(3) + 0.3 * share_votes(codes, 3)[1])


def test_rows_without_labels_have_their_priors():
    codes, _ = drawn()
    codes[:5] = -1
    priors = random_priors(120, 3)
    np.testing.assert_allclose(find_consensus(codes, 3, priors).probabilities[:5], priors[:5], atol=1e-8)


def test_five_annotators_of_known_quality_with_half_of_the_labels_missing():
    accuracies = (0.95, 0.85, 0.75, 0.65, 0.55)
    gains = []
    for seed in range(5):
        codes, true = drawn(400, seed, accuracies, 0.5)
        labelled = (codes >= 0).any(axis=1)
        found = find_consensus(codes, 3)
        right = (choose_classes(found.probabilities) == true)[labelled].mean()
        majority = (share_votes(codes, 3)[0].argmax(axis=1) == true)[labelled].mean()
        gains.append(right - majority)
        np.testing.assert_allclose(found.confusion[:, range(3), range(3)].mean(axis=1), accuracies, atol=0.1)
        said = found.probabilities.max(axis=1)[labelled].mean()
        assert said == pytest.approx(right, abs=0.05)  # the consensus is as sure as it should be
    assert min(gains) > 0.0 and np.mean(gains) > 0.02
