"""Weights of the members of a blend: by their own losses, and by greedy picks on top of them."""

import numpy as np
import pytest
from scipy.special import softmax

from emphatic.blending.by_loss import (
    balance_classes,
    balanced_error,
    brier_score,
    error,
    log_loss,
    scale_strictness,
    weigh_by_loss,
)
from emphatic.blending.greedy import weigh_greedily

THREE = np.array([[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.6, 0.3, 0.1], [0.1, 0.1, 0.8]])


def test_losses_of_a_table_by_hand():
    codes, weights = np.array([0, 1, 1, 2]), np.array([1.0, 2.0, 3.0, 4.0])
    assert error(THREE, codes, weights) == pytest.approx(0.3)  # the third is wrong
    assert log_loss(THREE, codes, weights) == pytest.approx(-np.log([0.7, 0.4, 0.3, 0.8]) @ weights / 10)
    assert log_loss(np.eye(2), np.array([1, 0]), np.ones(2)) == pytest.approx(-np.log(1e-12))  # finite
    # divided by the shares 1, 5, 4 class 0 wins wherever it has more than a fifth of class 1's odds: errors 0, 1, 0
    assert balanced_error(THREE, codes, weights) == pytest.approx((0 + 1 + 0) / 3)
    # equal shares change no winner: of class 1 the row of weight 1 is right, and that of weight 3 wrong
    assert balanced_error(THREE, codes, np.array([4.0, 1.0, 3.0, 4.0])) == pytest.approx((0 + 0.75 + 0) / 3)


def test_balancing_undoes_the_shares_of_the_classes():
    clean = np.random.default_rng(0).dirichlet([2.0, 2.0, 2.0], size=50)
    shares = np.array([0.7, 0.2, 0.1])
    shifted = clean * shares / (clean * shares).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(balance_classes(shifted, shares), clean)
    absent = np.array([[0.5, 0.25, 0.0]])  # a class without samples divides by 0, on any scale of the shares
    for scale in (1e-6, 1e6):
        np.testing.assert_allclose(balance_classes(absent, scale * np.array([2.0, 1.0, 0.0])), [[0.5, 0.5, 0.0]])


# by loss


def test_equal_losses_have_equal_weights_and_more_rows_make_them_stricter():
    np.testing.assert_allclose(weigh_by_loss(np.array([0.4, 0.4]), scale_strictness(50)), 0.5)
    few, many = (weigh_by_loss(np.array([0.3, 0.35]), scale_strictness(n))[0] for n in (50, 5000))
    assert 0.5 < few < many < 1
    odds = np.divide(*weigh_by_loss(np.array([0.30, 0.31]), scale_strictness(10_000)))
    assert odds == pytest.approx(np.exp(3 * 100 * 0.01))


def test_the_brier_score_sums_squares_over_the_classes():
    codes = np.random.default_rng(5).integers(3, size=50)
    good = np.where(np.eye(3)[codes] == 1, 0.8, 0.1)
    assert brier_score(good, codes) == pytest.approx(0.2**2 + 2 * 0.1**2)


# greedy


def halves(n):
    """One member is right about the first half and undecided about the second, the next one the other way round."""
    codes = np.random.default_rng(0).integers(2, size=n)
    right = np.where(codes[:, None] == np.arange(2), 0.9, 0.1)
    unsure = np.full((n, 2), 0.5)
    first = (np.arange(n) < n // 2)[:, None]
    return np.stack([np.where(first, right, unsure), np.where(first, unsure, right), unsure]), codes


def test_members_that_complement_each_other_are_picked_where_rows_are_many():
    predictions, codes = halves(4000)
    np.testing.assert_allclose(weigh_greedily(predictions, codes, np.ones(4000)), [0.5, 0.5, 0.0], atol=0.02)


def test_few_rows_keep_the_weights_by_loss():
    predictions, codes = halves(20)
    losses = np.array([log_loss(one, codes, np.ones(20)) for one in predictions])
    expected = weigh_by_loss(losses, scale_strictness(20))
    np.testing.assert_allclose(weigh_greedily(predictions, codes, np.ones(20)), expected, atol=0.07)


def test_the_weights_of_the_samples_decide_which_member_is_right():
    predictions, codes = halves(4000)
    first = np.arange(4000) < 2000
    for half in (0, 1):
        weights = np.where(first == (half == 0), 1.0, 1e-6)
        assert weigh_greedily(predictions, codes, weights)[half] == pytest.approx(1.0)


def random_members(n, seed):
    """Six members, each better than the one before; their labels and weights of the samples."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(3, size=n)
    scores = rng.normal(size=(6, n, 3)) + np.linspace(0, 1.5, 6)[:, None, None] * np.eye(3)[codes]
    return softmax(scores, axis=2), codes, rng.uniform(0.1, 3.0, n)


def pick_slowly(predictions, codes, weights, loss):
    """The same choice by counting picks, each mean computed anew."""

    def judge(counts):
        mean = np.average(predictions, axis=0, weights=counts)
        return round(loss(mean, codes, weights), 12), log_loss(mean, codes, weights)

    own = np.array([loss(one, codes, weights) for one in predictions])
    first = np.exp(-3 * np.sqrt(len(codes)) * (own - own.min()))
    path = [first / first.sum() * 10_000 / len(codes)]
    for _ in range(30):
        path.append(min((path[-1] + one for one in np.eye(len(predictions))), key=judge))
    best = min(path, key=judge)
    best[best < best.max() / 10] = 0.0
    return best / best.sum()


@pytest.mark.parametrize("loss", [log_loss, error, balanced_error])
@pytest.mark.parametrize("n", [300, 3000])
def test_greedy_weights_are_those_of_the_slow_twin(loss, n):
    predictions, codes, weights = random_members(n, seed=6)
    found = weigh_greedily(predictions, codes, weights, loss)
    np.testing.assert_allclose(found, pick_slowly(predictions, codes, weights, loss), atol=1e-9)


def test_picks_never_raise_the_loss():
    predictions, codes, weights = random_members(3000, seed=7)
    own = weigh_by_loss(np.array([log_loss(one, codes, weights) for one in predictions]), scale_strictness(3000))
    losses = [
        log_loss(np.tensordot(shares, predictions, axes=1), codes, weights)
        for shares in (weigh_greedily(predictions, codes, weights), own)
    ]
    assert losses[0] < losses[1]


def test_ties_of_the_error_are_broken_by_the_log_loss():
    n = 20_000
    codes = np.arange(n) % 2
    sharp, dull = (np.where(np.eye(2)[codes] == 1, p, 1 - p) for p in (0.9, 0.6))
    weights = weigh_greedily(np.stack([dull, sharp]), codes, np.ones(n), error)
    assert weights[1] > weights[0]
