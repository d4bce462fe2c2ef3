import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from emphatic.study.statistics import improvability, win_lose_draw, win_rates

TABLES = arrays(float, st.tuples(st.integers(1, 8), st.integers(1, 5)), elements=st.integers(0, 5).map(lambda k: k / 5))


@given(TABLES)
def test_win_rates_are_wins_and_half_the_draws(errors):
    found = win_rates(errors)
    for one, row in enumerate(found):
        for other, rate in enumerate(row):
            wins, _, draws = win_lose_draw(errors[:, one], errors[:, other])
            assert np.isnan(rate) if one == other else rate == pytest.approx((wins + draws / 2) / len(errors))


@given(TABLES)
def test_two_win_rates_of_a_pair_sum_to_one(errors):
    found = win_rates(errors)
    off = ~np.eye(len(found), dtype=bool)
    np.testing.assert_allclose((found + found.T)[off], 1.0)


def test_rounding_is_a_tie():
    assert win_rates([[0.1 + 0.2, 0.3]])[0, 1] == 0.5
    assert improvability([[0.1 + 0.2, 0.3]]).tolist() == [0.0, 0.0]


def test_improvability_by_hand():
    assert improvability([[0.1, 0.2], [0.3, 0.1]]) == pytest.approx([100 * (0 + 2 / 3) / 2, 100 * (1 / 2 + 0) / 2])
    assert improvability([[0.0, 0.2]]).tolist() == [0.0, 100.0]
    assert improvability([[0.0, 0.0]]).tolist() == [0.0, 0.0]


@given(TABLES)
def test_improvability_does_not_depend_on_the_scale_and_is_zero_for_the_best(errors):
    found = improvability(errors)
    assert ((found >= 0) & (found <= 100)).all()
    np.testing.assert_allclose(improvability(1000 * errors), found)
    always_best = (errors == errors.min(axis=1, keepdims=True)).all(axis=0)
    assert (found[always_best] == 0).all()
    assert (found[~always_best] > 0).all()


def test_what_is_not_allowed_is_said():
    for function in (win_rates, improvability):
        with pytest.raises(ValueError, match="problems x methods"):
            function([0.1, 0.2])
        with pytest.raises(ValueError, match="NaN"):
            function([[0.1, np.nan]])
    with pytest.raises(ValueError, match=r"negative values \(least -0.1\)"):
        improvability([[0.1, -0.1]])
