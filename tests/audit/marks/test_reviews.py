"""How a review stands: against plain twins, in the limits, and on simulated reviews."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.special import expit, logit

from emphatic.audit.marks.record import NO_MARKS, Marks
from emphatic.audit.marks.review import estimate_review, shift_suspicion

shares = st.floats(0.001, 0.999)


def marked(rows, wrong):
    return Marks.of({row: (bool(one), -1) for row, one in zip(rows, wrong)})


def test_without_marks_the_audit_counts_as_it_is():
    forecast = np.array([0.9, 0.3, 0.1])
    review = estimate_review(forecast, NO_MARKS)
    assert (review.shift, review.n_marked, review.n_unmarked) == (0.0, 0, 3)
    assert review.remaining == pytest.approx(1.3) and review.next_suspicion == pytest.approx(0.9)
    assert not review.enough


@given(st.lists(st.tuples(shares, st.booleans()), min_size=1, max_size=30))
def test_the_shift_is_the_most_probable_one(samples):
    forecast, wrong = np.array([one for one, _ in samples]), np.array([one for _, one in samples])

    def loss(shift):
        s = expit(logit(forecast) + shift)
        return -np.log(np.where(wrong, s, 1.0 - s)).sum() + shift**2 / 2

    review = estimate_review(forecast, marked(range(len(wrong)), wrong))
    best = minimize_scalar(loss, bounds=(-31, 31), method="bounded", options={"xatol": 1e-9}).x
    assert review.shift == pytest.approx(best, abs=1e-5)


@given(st.lists(shares, min_size=2, max_size=20), st.data())
def test_a_wrong_mark_raises_and_a_right_one_lowers_all_other_suspicions(forecast, data):
    forecast = np.array(forecast)
    row = data.draw(st.integers(0, len(forecast) - 1))
    wrong, right = (estimate_review(forecast, marked([row], [one])) for one in (True, False))
    others = np.delete(forecast, row).sum()
    assert right.remaining < others < wrong.remaining
    assert right.shift < 0 < wrong.shift


def test_the_precision_and_its_interval():
    """Wilson's interval of 15 out of 20, as statsmodels gives it."""
    review = estimate_review(np.full(30, 0.5), marked(range(20), [True] * 15 + [False] * 5))
    assert review.precision == 0.75
    assert review.precision_interval == pytest.approx((0.531299, 0.888138), abs=1e-6)


def test_intervals_shrink_with_marks_and_stay_within_what_is_possible():
    rng = np.random.default_rng(0)
    forecast = rng.uniform(0.2, 0.8, size=1000)
    widths = []
    for n in (20, 80, 320):
        review = estimate_review(forecast, marked(range(n), rng.random(n) < forecast[:n]))
        low, high = review.remaining_interval
        widths.append((high - low) / review.n_unmarked)
        assert 0 <= low <= review.remaining <= high <= review.n_unmarked
    assert widths[0] > widths[1] > widths[2]


@pytest.mark.parametrize("true_shift", [-1.0, 0.0, 1.0])
def test_simulated_reviews_know_how_many_remain(true_shift):
    """The audit over- or underestimates; the most suspicious third is marked; the interval of 95% covers the truth."""
    covered, errors = 0, []
    for seed in range(100):
        rng = np.random.default_rng(seed)
        forecast = np.sort(rng.beta(0.5, 2.0, size=300).clip(0.001, 0.999))[::-1]
        wrong = rng.random(300) < shift_suspicion(forecast, true_shift)
        review = estimate_review(forecast, marked(range(100), wrong[:100]))
        low, high = review.remaining_interval
        covered += low <= wrong[100:].sum() <= high
        errors.append(review.remaining - wrong[100:].sum())
    assert covered >= 88  # below with a probability of 0.1% if it is 95%
    assert abs(np.mean(errors)) < 2.5  # of 9 to 42; the prior draws the shift towards 0


def test_a_review_ends_when_the_next_sample_is_hardly_worth_a_look():
    forecast = np.array([0.9] * 20 + [0.05] * 80)
    right = estimate_review(forecast, marked(range(20), [True] * 18 + [False] * 2))
    assert right.enough and right.next_suspicion < 0.1
    assert right.describe() == (
        "18 of 20 marked labels were wrong (90%; 70% to 97%). Of the 80 others, about 4 are expected to be wrong "
        "(0 to 10). You can stop: no unmarked label is wrong with a probability of 10% or more."
    )
    assert not estimate_review(forecast, marked(range(19), [True] * 19)).enough  # too few marks
    more = estimate_review(np.array([0.9] * 20 + [0.5] * 2), marked(range(20), [True] * 20))
    assert not more.enough
    assert "Go on: the next one is wrong with a probability of 71%. You can stop when no" in more.describe()
    skipped = estimate_review(forecast, marked(range(1, 21), [True] * 18 + [False] * 2))  # the first has no mark
    assert not skipped.enough and skipped.next_suspicion > 0.8


def test_all_are_marked():
    review = estimate_review(np.array([0.5, 0.2]), marked([0, 1], [True, False]))
    assert (review.enough, review.remaining, review.remaining_interval) == (True, 0.0, (0.0, 0.0))
    assert review.describe() == "1 of 2 marked labels were wrong (50%; 9% to 91%). Every sample is marked."


def test_certainty_is_not_infinite():
    review = estimate_review(np.array([1.0, 0.0, 0.5]), marked([0, 1], [False, True]))
    assert np.isfinite([review.shift, review.remaining]).all()
