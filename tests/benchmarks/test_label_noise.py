"""Labels made wrong on purpose: how many, which, and by which rule; and the calibration error by hand."""

import numpy as np
import pytest

from benchmarks.audit_calibration import calibration_error, measure_errors
from benchmarks.label_noise import KINDS_OF_NOISE, flip_labels, read_problem


def ordered_classes(n=300):
    """Three classes along a line that overlap where they meet."""
    x = np.linspace(0.0, 3.0, n)
    noise = 0.2 * np.random.default_rng(0).normal(size=n)
    return x[:, None], np.clip(x + noise, 0.0, 2.99).astype(int)


@pytest.mark.parametrize("kind", KINDS_OF_NOISE)
@pytest.mark.parametrize("rate", [0.0, 0.1, 0.2])
def test_as_many_labels_become_wrong_as_asked_for_and_the_same_for_the_same_seed(kind, rate):
    X, y = ordered_classes()
    given, wrong = flip_labels(kind, X, y, rate, 0)
    assert wrong.sum() == round(300 * rate)
    assert ((given != y) == wrong).all() and set(given) <= {0, 1, 2}
    assert (flip_labels(kind, X, y, rate, 0)[0] == given).all()
    assert not rate or (flip_labels(kind, X, y, rate, 1)[0] != given).any()


def test_each_kind_keeps_to_its_rule():
    X, y = ordered_classes()
    given, wrong = flip_labels("next-class", X, y, 0.2, 0)
    assert (given[wrong] == (y[wrong] + 1) % 3).all()
    given, wrong = flip_labels("boundary", X, y, 0.2, 0)
    away = np.abs(X[:, 0, None] - [1.0, 2.0]).min(axis=1)
    assert away[wrong].mean() < 0.7 * away.mean()
    assert (np.abs(given - y)[wrong] == 1).mean() > 0.9  # the class beside it
    given, wrong = flip_labels("annotator", X, y, 0.1, 0)
    assert np.bincount(given[wrong]).max() >= 0.8 * wrong.sum()


def test_problems_are_cut_to_the_rows_and_classes_that_were_asked_for():
    X, y = read_problem("zoo", largest=60, smallest_class=8)
    assert len(X) == len(y) <= 60
    assert np.bincount(y).min() >= 8


def test_the_calibration_error_of_four_labels_by_hand():
    suspicion, wrong = np.array([0.1, 0.15, 0.6, 0.8]), np.array([False, True, True, True])
    # of equal width: (0.1, 0.15) against 1 in 2, 0.6 and 0.8 against 1
    assert calibration_error(suspicion, wrong, np.array([1, 1, 6, 8])) == pytest.approx((0.75 + 0.4 + 0.2) / 4)
    by_width, by_count, mean = measure_errors(suspicion, wrong)
    assert by_width == pytest.approx(1.35 / 4)
    assert by_count == pytest.approx((0.1 + 0.85 + 0.4 + 0.2) / 4)  # four bins of one label each
    assert mean == pytest.approx(0.4125)
