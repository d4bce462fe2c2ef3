"""Agreement beyond chance: examples of the literature, and what must hold exactly."""

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from emphatic.audit.annotators.agreement import compare_pairs, fleiss_kappa, krippendorff_alpha
from emphatic.audit.annotators.dawid_skene import count_votes

NAN = -1
OBSERVERS = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
        [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
    ]
).T
"""Krippendorff's example of four observers and twelve units; nominal alpha is 0.743."""

PSYCHIATRY = np.array(
    [
        [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
    ]
)  # fmt: skip
"""The usual example of Fleiss' kappa: fourteen raters, ten subjects; 0.210."""


def krippendorff_by_pairs(codes):
    """1 - observed / expected disagreement, of all pairs of labels one by one."""
    rows = [[code for code in row if code != NAN] for row in codes.tolist()]
    rows = [row for row in rows if len(row) > 1]
    everything = [code for row in rows for code in row]
    n = len(everything)
    observed = sum(sum(a != b for a in row for b in row) / (len(row) - 1) for row in rows) / n
    expected = sum(a != b for a in everything for b in everything) / (n * (n - 1))
    return 1 - observed / expected


def test_examples_of_the_literature():
    assert krippendorff_alpha(count_votes(OBSERVERS, 6)) == pytest.approx(0.743, abs=5e-4)
    assert fleiss_kappa(PSYCHIATRY.astype(float)) == pytest.approx(0.210, abs=5e-4)


@pytest.mark.parametrize("seed", range(3))
def test_alpha_is_one_minus_the_share_of_pairs_that_disagree_relative_to_chance(seed):
    codes = np.random.default_rng(seed).integers(-1, 3, (15, 4))
    assert krippendorff_alpha(count_votes(codes, 3)) == pytest.approx(krippendorff_by_pairs(codes))


def test_two_annotators_with_equal_frequencies_have_the_same_kappa_by_cohen_and_fleiss():
    codes = np.array([[0, 0]] * 6 + [[1, 1]] * 5 + [[0, 1], [1, 0]] * 2)
    assert compare_pairs(codes)[0, 1] == pytest.approx(fleiss_kappa(count_votes(codes, 2)))


def test_pairs_are_compared_on_the_rows_that_both_have():
    codes = np.random.default_rng(0).integers(-1, 3, (60, 3))
    found = compare_pairs(codes)
    for a, b in ((0, 1), (0, 2), (1, 2)):
        both = (codes[:, a] >= 0) & (codes[:, b] >= 0)
        assert found[a, b] == found[b, a] == pytest.approx(cohen_kappa_score(codes[both, a], codes[both, b]))
    assert (np.diag(found) == 1.0).all()


def test_rows_with_one_label_say_nothing_and_agreement_is_one():
    codes = np.array([[0, 0, -1], [1, 1, -1], [1, -1, -1], [-1, -1, 0]])
    votes = count_votes(codes, 2)
    assert fleiss_kappa(votes) == krippendorff_alpha(votes) == 1.0
    assert np.isnan(compare_pairs(codes)[2, :2]).all()
    assert np.isnan(fleiss_kappa(votes[2:])) and np.isnan(krippendorff_alpha(votes[2:]))
    assert fleiss_kappa(votes[:1]) == krippendorff_alpha(votes[:1]) == 1.0  # one class: 0/0, and they agree
