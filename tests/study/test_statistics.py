import pytest

from emphatic.study.statistics import in_published_stds, mean_and_std, rank_sum_p, signed_rank_p


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
