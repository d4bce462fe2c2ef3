import numpy as np
import pytest
from scipy import stats

from emphatic.study.statistics import (
    bootstrap_interval,
    in_published_stds,
    mean_and_std,
    rank_sum_p,
    signed_rank_p,
    win_lose_draw,
)


def test_mean_and_std_by_hand():
    assert mean_and_std([2, 4, 4, 4, 5, 5, 7, 9]) == (5.0, pytest.approx((32 / 7) ** 0.5))
    assert mean_and_std([3]) == (3.0, None)
    with pytest.raises(ValueError, match="at least one"):
        mean_and_std([])


def test_rank_sum_by_hand():
    # Complete separation of 3 and 3: 2 of the C(6, 3) = 20 arrangements are as extreme.
    assert rank_sum_p([1, 2, 3], [4, 5, 6]) == pytest.approx(2 / 20)


def test_signed_rank_by_hand():
    # Five differences of one sign, all different: 2 of the 2^5 = 32 signings are as extreme.
    assert signed_rank_p([1, 2, 3, 4, 5], [2, 4, 6, 8, 10]) == pytest.approx(2 / 32)


@pytest.mark.parametrize("test", [rank_sum_p, signed_rank_p])
@pytest.mark.parametrize("n", [1, 2, 50])
def test_equal_samples_give_one(test, n):
    assert test([0.1] * n, [0.1] * n) == 1.0


def test_rounding_is_no_difference():
    assert signed_rank_p([0.1 + 0.2] * 5, [0.3] * 5) == 1.0


@pytest.mark.parametrize("test", [rank_sum_p, signed_rank_p])
def test_ties_and_zeros_warn_of_nothing(test):
    p = test([1, 1, 2, 2, 3, 3, 4], [1, 2, 2, 3, 3, 4, 4])
    assert 0 < p <= 1


def test_pairing_finds_a_small_constant_shift():
    runs = [10 + 0.7 * (i % 7) for i in range(20)]
    shifted = [run + 0.1 + 0.001 * i for i, run in enumerate(runs)]
    assert signed_rank_p(runs, shifted) < 0.001 < rank_sum_p(runs, shifted)


def test_difference():
    assert in_published_stds(9.87, 9.53, 0.34) == pytest.approx(1)
    assert in_published_stds(9.87, 9.53, None) is None
    assert in_published_stds(9.87, 9.53, 0) is None


def test_win_lose_draw():
    first, second = [1, 2, 3, 0.1 + 0.2, 5], [2, 2, 1, 0.3, 6]
    assert win_lose_draw(first, second) == (2, 1, 2)
    assert win_lose_draw(second, first) == (1, 2, 2)
    assert win_lose_draw(first, second, tolerance=1) == (0, 1, 4)
    with pytest.raises(ValueError, match="first holds 2 errors and second 3"):
        win_lose_draw([1, 2], [1, 2, 3])


def test_bootstrap_interval_is_scipy_s_percentile():
    values = np.random.default_rng(3).normal(0.5, 1, 40)
    found = bootstrap_interval(values, 0.9)
    theirs = stats.bootstrap((values,), np.mean, confidence_level=0.9, method="percentile", n_resamples=10_000)
    assert found == pytest.approx(tuple(theirs.confidence_interval), abs=0.02)
    assert found == bootstrap_interval(values, 0.9)


def test_bootstrap_interval_moves_and_scales_with_its_values():
    values = np.array([0.5, 1.0, 2.0, 4.0, 8.0])
    low, high = bootstrap_interval(values)
    assert bootstrap_interval(3 + 2 * values) == pytest.approx((3 + 2 * low, 3 + 2 * high))
    assert bootstrap_interval([0.25, 0.25, 0.25]) == (0.25, 0.25)
    assert low < values.mean() < high


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1.0],), "at least two"),
        (([1.0, np.nan],), "finite"),
        (([1.0, 2.0], 1.5), "level=1.5"),
        (([1.0, 2.0], 0.9, 0), "n_draws=0"),
    ],
)
def test_bootstrap_interval_says_what_is_not_allowed(arguments, message):
    with pytest.raises(ValueError, match=message):
        bootstrap_interval(*arguments)


@pytest.mark.parametrize("test", [signed_rank_p, win_lose_draw])
def test_pairs_need_as_many_of_each(test):
    with pytest.raises(ValueError, match="equal numbers"):
        test([1, 2, 3], [1, 2])
