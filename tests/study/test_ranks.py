import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from emphatic.study.statistics import (
    against_all,
    cliques,
    friedman,
    holm,
    mean_ranks,
    nemenyi_distance,
    signed_rank_p,
)

TABLES = arrays(float, st.tuples(st.integers(1, 8), st.integers(3, 6)), elements=st.integers(0, 5).map(lambda k: k / 5))


def test_mean_ranks_by_hand():
    assert mean_ranks([[3, 1, 2], [30, 20, 10], [0.5, 0.5, 0.5]]).tolist() == [8 / 3, 5 / 3, 5 / 3]


def test_rounding_is_a_tie():
    assert mean_ranks([[0.1 + 0.2, 0.3]]).tolist() == [1.5, 1.5]


@given(TABLES)
def test_mean_ranks_always_sum_to_the_same(errors):
    k = errors.shape[1]
    assert mean_ranks(errors).sum() == pytest.approx(k * (k + 1) / 2)


@settings(max_examples=25)  # each is a dozen tests of scipy's
@given(TABLES, st.randoms(use_true_random=False))
def test_order_of_problems_and_methods_has_no_influence(errors, random):
    rows, columns = (random.sample(range(n), n) for n in errors.shape)
    shuffled = friedman(errors[rows][:, columns])
    assert shuffled.statistic == pytest.approx(friedman(errors).statistic)
    assert shuffled.p == pytest.approx(friedman(errors).p)
    np.testing.assert_allclose(shuffled.mean_ranks, mean_ranks(errors)[columns])
    ps = against_all(errors, columns[0])
    np.testing.assert_allclose(against_all(errors[rows][:, columns], 0), ps[columns])


def test_friedman_is_its_formula_without_ties():
    errors = np.random.default_rng(0).random((14, 4))
    n, k = errors.shape
    by_hand = 12 * n / (k * (k + 1)) * ((mean_ranks(errors) ** 2).sum() - k * (k + 1) ** 2 / 4)
    found = friedman(errors)
    assert found.statistic == pytest.approx(by_hand)
    assert found.p == pytest.approx(stats.chi2.sf(by_hand, k - 1))


def test_friedman_with_ties_is_scipy_s():
    errors = np.random.default_rng(1).integers(0, 4, (9, 5)) / 4
    expected = stats.friedmanchisquare(*errors.T)
    assert (friedman(errors).statistic, friedman(errors).p) == pytest.approx((expected.statistic, expected.pvalue))


def test_friedman_of_nothing_but_ties():
    found = friedman(np.full((3, 4), 0.2))
    assert (found.statistic, found.p, found.mean_ranks.tolist()) == (0.0, 1.0, [2.5] * 4)


@pytest.mark.parametrize(("n_methods", "value"), [(2, 1.960), (3, 2.343), (5, 2.728), (10, 3.164)])
def test_nemenyi_has_the_printed_quantiles(n_methods, value):
    """Demšar's Table 5 (a), q for 0.05: the distance is q sqrt(k (k + 1) / 6N)."""
    scale = np.sqrt(n_methods * (n_methods + 1) / (6 * 7))
    assert nemenyi_distance(n_methods, 7) == pytest.approx(value * scale, abs=0.001 * scale)


def test_nemenyi_of_two_methods_is_the_normal_quantile():
    for level in (0.01, 0.1):
        assert nemenyi_distance(2, 1, level) == pytest.approx(stats.norm.isf(level / 2))


def test_cliques_by_hand():
    assert cliques([1.0, 1.5, 2.5, 4.0], 1.2) == [(0, 1), (1, 2)]
    assert cliques([4.0, 1.0, 1.5, 2.5], 2.0) == [(1, 2, 3), (3, 0)]
    assert cliques([1.0, 2.0, 3.0], 1.0) == []  # at the distance they are told apart
    assert cliques([1.0, 2.0, 3.0], 9.0) == [(0, 1, 2)]


@given(
    st.lists(st.integers(4, 40).map(lambda k: k / 4), min_size=2, max_size=8), st.integers(1, 24).map(lambda k: k / 4)
)
def test_two_methods_share_a_clique_exactly_if_they_are_near(ranks, distance):
    groups = cliques(ranks, distance)
    for a, b in itertools.combinations(range(len(ranks)), 2):
        assert any(a in group and b in group for group in groups) == (abs(ranks[a] - ranks[b]) < distance)
    assert not any(set(one) < set(other) for one, other in itertools.permutations(groups, 2))


def test_holm_by_hand():
    # 0.01 * 4, 0.02 * 3, 0.022 * 2 lifted to the one before, 0.5 * 1.
    np.testing.assert_allclose(holm([0.022, 0.5, 0.01, 0.02]), [0.06, 0.5, 0.04, 0.06])
    assert holm([0.4, 0.9]).tolist() == [0.8, 0.9]
    assert holm([]).tolist() == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9))
def test_holm_lies_between_no_correction_and_bonferroni_s(ps):
    adjusted = holm(ps)
    assert (adjusted >= np.array(ps)).all()
    assert (adjusted <= np.minimum(len(ps) * np.array(ps), 1)).all()
    np.testing.assert_array_equal(adjusted[np.argsort(ps, kind="stable")], np.sort(adjusted))


def test_against_all_is_wilcoxon_then_holm():
    errors = np.random.default_rng(2).random((12, 4)) + np.array([0.3, 0, 0.1, 0.5])
    alone = [signed_rank_p(errors[:, 1], errors[:, other]) for other in (0, 2, 3)]
    np.testing.assert_array_equal(against_all(errors, 1)[[0, 2, 3]], holm(alone))
    assert against_all(errors, 1)[1] == 1.0


def test_what_is_not_allowed_is_said():
    for function in (mean_ranks, friedman):
        with pytest.raises(ValueError, match="problems x methods"):
            function([0.1, 0.2, 0.3])
        with pytest.raises(ValueError, match="NaN"):
            function([[0.1, np.nan, 0.3]])
    with pytest.raises(ValueError, match=r"three methods, got 2.*signed_rank_p"):
        friedman([[0.1, 0.2]])
    with pytest.raises(ValueError, match="reference=3"):
        against_all([[0.1, 0.2, 0.3]], 3)
    with pytest.raises(ValueError, match="ps must be"):
        holm([0.5, 1.5])
    with pytest.raises(ValueError, match="level=1"):
        nemenyi_distance(3, 10, level=1)
