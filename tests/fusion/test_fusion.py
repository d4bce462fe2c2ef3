"""Fusion rules: identities (23), closed form of evidence against brute force (19), ties, no support, bad input."""

from fractions import Fraction
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import softmax

from emphatic.fusion.evidence import Masses, orthogonal_sum, simple_masses
from emphatic.fusion.rules import RULES, conflict, dempster_shafer, find_rule, majority, maximum, mean, minimum, product
from emphatic.margins import favour, normalise_rows

every_rule = pytest.mark.parametrize("fuse", RULES.values(), ids=RULES)
seeds = st.integers(0, 2**32 - 1)


def members(seed, n_members=3, n=20, n_classes=4, sharpness=2.0):
    noise = np.random.default_rng(seed).normal(size=(n_members, n, n_classes))
    return softmax(sharpness * noise, axis=2)


# identities


@every_rule
@given(seed=seeds)
def test_one_member_is_itself(fuse, seed):
    alone = members(seed, n_members=1)
    np.testing.assert_array_equal(fuse(alone).argmax(axis=1), alone[0].argmax(axis=1))
    if fuse is not majority:
        np.testing.assert_allclose(fuse(alone), alone[0], rtol=1e-9)


@every_rule
@given(seed=seeds, copies=st.integers(2, 5))
def test_duplicates_of_one_member_decide_as_it_does(fuse, seed, copies):
    alone = members(seed, n_members=1)
    np.testing.assert_array_equal(fuse(np.repeat(alone, copies, axis=0)).argmax(axis=1), alone[0].argmax(axis=1))


@pytest.mark.parametrize("fuse", [majority, minimum, maximum, mean])
def test_idempotent_rules_do_not_count_duplicates(fuse):
    some = members(0)
    np.testing.assert_allclose(fuse(np.repeat(some, 3, axis=0)), fuse(some))


@every_rule
@given(seed=seeds)
def test_rows_are_distributions_and_members_have_no_order(fuse, seed):
    some = members(seed)
    fused = fuse(some)
    assert fused.shape == (20, 4)
    assert (fused >= 0).all()
    np.testing.assert_allclose(fused.sum(axis=1), 1)
    np.testing.assert_allclose(fuse(some[::-1]), fused, rtol=1e-9)


@given(seed=seeds)
def test_rules_are_what_they_are_called(seed):
    some = members(seed)

    def scaled(supports):
        return supports / supports.sum(axis=1, keepdims=True)

    np.testing.assert_allclose(product(some), scaled(some.prod(axis=0)), rtol=1e-9)
    np.testing.assert_allclose(minimum(some), scaled(some.min(axis=0)))
    np.testing.assert_allclose(maximum(some), scaled(some.max(axis=0)))
    np.testing.assert_allclose(mean(some), some.mean(axis=0))
    votes = np.array([np.bincount(some[:, i].argmax(axis=1), minlength=4) for i in range(20)])
    np.testing.assert_allclose(majority(some), votes / 3, atol=1e-15)


def test_a_product_of_many_members_does_not_underflow():
    some = members(0, n_members=2000, n=5)
    fused = product(some)
    assert np.isfinite(fused).all()
    np.testing.assert_array_equal(fused.argmax(axis=1), np.log(some).sum(axis=0).argmax(axis=1))
    np.testing.assert_allclose(dempster_shafer(some), fused, atol=1e-9)


def test_no_member_alone_excludes_a_class():
    sure = np.array([[[1.0, 0.0]]] + [[[0.001, 0.999]]] * 9)
    assert product(sure).argmax() == 1
    assert dempster_shafer(sure).argmax() == 0  # fully trusted evidence does
    assert dempster_shafer(sure, reliability=0.99).argmax() == 1


def test_a_support_of_0_counts_as_one_in_a_million_million():
    """Small enough that agreement of others prevails, and a class that a single member excludes stays excluded."""
    for fuse in (product, minimum):
        np.testing.assert_allclose(fuse([[[1.0, 0.0]]]), [[1.0, 1e-12]], rtol=1e-9)
    np.testing.assert_allclose(product([[[1.0, 0.0]], [[0.001, 0.999]]]), [[1.0, 999e-12]], rtol=1e-8)
    np.testing.assert_array_equal(maximum([[[1.0, 0.0]]]), [[1.0, 0.0]])  # needs no such care
    np.testing.assert_array_equal(mean([[[1.0, 0.0]]]), [[1.0, 0.0]])
    np.testing.assert_array_equal(dempster_shafer([[[1.0, 0.0]]]), [[1.0, 0.0]])


# evidence


@given(seed=seeds, n_classes=st.integers(2, 5))
def test_evidence_in_closed_form_equals_the_orthogonal_sum(seed, n_classes):
    rng = np.random.default_rng(seed)
    some = members(seed, n=6, n_classes=n_classes)
    some[:, :3] *= rng.random((3, 3, 1))  # supports that leave something open
    for trust in (1.0, rng.random(3), rng.random((3, 6))):
        each = np.broadcast_to(trust if np.ndim(trust) != 1 else trust[:, None], (3, 6))
        both = orthogonal_sum(*(Masses.of_supports(one, weight) for one, weight in zip(some, each, strict=True)))
        np.testing.assert_allclose(conflict(some, trust), both.conflict, atol=1e-12)
        np.testing.assert_allclose(dempster_shafer(some, trust), both.pignistic(), atol=1e-12)


def test_the_formula_of_the_docstring():
    some, trust = members(3), np.array([0.9, 0.5, 0.7])
    single, open_ = some * trust[:, None, None], (1 - trust)[:, None, None]
    on_classes, on_theta = (single + open_).prod(axis=0) - open_.prod(), open_.prod()
    inside = on_classes.sum(axis=1) + on_theta
    np.testing.assert_allclose(conflict(some, trust), 1 - inside)
    np.testing.assert_allclose(dempster_shafer(some, trust), (on_classes + on_theta / 4) / inside[:, None])


@given(seed=seeds)
def test_full_trust_is_the_product_and_hardly_any_the_mean(seed):
    some = members(seed)
    np.testing.assert_allclose(dempster_shafer(some), product(some), rtol=1e-8)
    little = dempster_shafer(some, reliability=1e-7)
    average = mean(some)
    np.testing.assert_allclose((little - 0.25) / 3e-7, average - 0.25, atol=1e-5)  # 1/K + members * r * (mean - 1/K)
    clear = np.diff(np.sort(average, axis=1)[:, -2:], axis=1)[:, 0] > 1e-5
    np.testing.assert_array_equal(little.argmax(axis=1)[clear], average.argmax(axis=1)[clear])


def in_fractions(supports, reliability=1.0):
    """The closed form without rounding: pignistic probabilities and conflict, or None where nothing is left."""
    masses, unknowns = simple_masses(np.array(supports), reliability)
    for row in range(masses.shape[1]):
        single = [[Fraction(mass) for mass in member] for member in masses[:, row]]
        unknown = [Fraction(mass) for mass in unknowns[:, row]]
        theta = prod(unknown)
        on_classes = [prod(s + t for s, t in zip(column, unknown)) - theta for column in zip(*single, strict=True)]
        inside = sum(on_classes) + theta
        bets = [float((one + theta / len(on_classes)) / inside) if inside else None for one in on_classes]
        yield bets, float(1 - inside)


sizes_of_masses = st.one_of(st.just(0.0), st.floats(-323, 0).map(lambda power: 10.0**power), st.floats(0.0, 1.0))


@st.composite
def tiny_supports(draw):
    n_members, n_classes = draw(st.integers(1, 6)), draw(st.integers(2, 4))
    size = n_members * n_classes * 3
    given = np.reshape(draw(st.lists(sizes_of_masses, min_size=size, max_size=size)), (n_members, 3, n_classes))
    complete = draw(st.booleans())
    return normalise_rows(given.reshape(-1, n_classes)).reshape(given.shape) if complete else given


@given(tiny_supports(), st.sampled_from([1.0, 0.5, 1e-200]))
def test_masses_of_any_size_are_combined_as_fractions_are(supports, reliability):
    found, contradiction = dempster_shafer(supports, reliability), conflict(supports, reliability)
    for row, (bets, expected) in enumerate(in_fractions(supports, reliability)):
        if None not in bets:
            np.testing.assert_allclose(found[row], bets, rtol=1e-9, atol=1e-300)
        assert contradiction[row] == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_masses_so_small_that_their_product_underflows():
    """They leaked warnings, and what was left of the supports was lost."""
    pairs = [[[1.0, 1e-310]], [[1e-310, 1.0]]]
    np.testing.assert_allclose(dempster_shafer(pairs), [[0.5, 0.5]])
    np.testing.assert_array_equal(conflict(pairs), [1.0])
    np.testing.assert_allclose(dempster_shafer([[[1.0, 1e-200, 0.0]], [[0.0, 1e-200, 1.0]]]), [[0.0, 1.0, 0.0]])
    camps = np.repeat([[[1 - 1e-10, 1e-10]], [[1e-10, 1 - 1e-10]]], 40, axis=0)
    np.testing.assert_allclose(dempster_shafer(camps), [[0.5, 0.5]])
    np.testing.assert_allclose(dempster_shafer(np.vstack([camps, [[[0.2, 0.8]]]])), [[0.2, 0.8]])


def test_rows_with_tiny_masses_leave_the_others_as_they_are():
    some = members(0, n_classes=12)
    alone = dempster_shafer(some, 0.9), conflict(some, 0.9)
    mixed = np.concatenate([some, np.tile([1e-310] * 11 + [1.0], (3, 1, 1))], axis=1)
    np.testing.assert_array_equal(dempster_shafer(mixed, 0.9)[:-1], alone[0])
    np.testing.assert_array_equal(conflict(mixed, 0.9)[:-1], alone[1])


def test_a_member_that_is_not_trusted_is_not_there():
    some = members(1)
    np.testing.assert_allclose(dempster_shafer(some, [1.0, 0.0, 0.6]), dempster_shafer(some[[0, 2]], [1.0, 0.6]))
    np.testing.assert_allclose(dempster_shafer(some, 0.0), 0.25)
    np.testing.assert_allclose(conflict(some, 0.0), 0.0)


def test_agreement_counts_more_than_the_mean_and_ignorance_shrinks():
    """Two members of reliability 1/2 that both support class 0: masses 3/4 on it and 1/4 on ignorance."""
    agreed = np.array([[[1.0, 0.0]]] * 2)
    np.testing.assert_allclose(dempster_shafer(agreed, 0.5), [[0.75 + 0.125, 0.125]])
    np.testing.assert_allclose(dempster_shafer(agreed[:1], 0.5), [[0.75, 0.25]])
    np.testing.assert_array_equal(conflict(agreed, 0.5), [0.0])


def test_supports_that_lack_something_to_1_leave_it_to_ignorance():
    np.testing.assert_allclose(dempster_shafer([[[0.5, 0.0]]]), [[0.75, 0.25]])
    np.testing.assert_allclose(mean([[[0.5, 0.0]]]), [[1.0, 0.0]])  # the other rules only compare supports
    np.testing.assert_allclose(conflict([[[0.5, 0.0]], [[0.0, 0.5]]]), [0.25])


def test_conflict_is_1_and_the_answer_open_where_all_is_contradiction():
    some = np.array([[[1.0, 0, 0]], [[0, 1.0, 0]], [[0, 0, 1.0]]])
    for order in ([0, 1, 2], [2, 1, 0]):
        np.testing.assert_allclose(dempster_shafer(some[order]), [[1 / 3] * 3])
        np.testing.assert_array_equal(conflict(some[order]), [1.0])


def test_conflict_of_agreement_is_0_and_grows_with_doubt():
    agreed = np.array([[[1.0, 0.0]]] * 3)
    np.testing.assert_array_equal(conflict(agreed), [0.0])
    values = [conflict([[[p, 1 - p]], [[1 - p, p]]])[0] for p in (0.5, 0.7, 0.9, 1.0)]
    np.testing.assert_allclose(values, [0.5, 0.58, 0.82, 1.0])


# ties, and members without support


def test_equal_votes_are_decided_by_the_mean_support():
    some = np.array([[[0.5, 0.3, 0.2]], [[0.1, 0.8, 0.1]], [[0.0, 0.1, 0.9]]])
    fused = majority(some)
    assert fused.argmax() == 1
    np.testing.assert_allclose(fused, 1 / 3)
    assert majority(np.array([[[0.5, 0.5]], [[0.5, 0.5]]])).argmax() == 0  # nothing decides: the first


def test_a_member_more_outvotes_any_support():
    some = np.array([[[0.51, 0.49]], [[0.51, 0.49]], [[0.0, 1.0]]])
    assert majority(some).argmax() == 0
    assert mean(some).argmax() == 1


@every_rule
def test_without_any_support_every_class_has_its_share(fuse):
    np.testing.assert_allclose(fuse(np.zeros((3, 2, 4))), 0.25)
    silent = np.concatenate([members(0, n_members=1), np.zeros((2, 20, 4))])
    if fuse is not minimum:
        np.testing.assert_array_equal(fuse(silent).argmax(axis=1), silent[0].argmax(axis=1))


@every_rule
def test_no_samples_no_answers(fuse):
    assert fuse(np.zeros((3, 0, 4))).shape == (0, 4)


def test_favoured_winners_are_the_largest():
    columns = favour(np.array([2, 0, 1]), np.array([[0.4, 0.2, 0.4], [0.5, 0.5, 0.0], [1.0, 1.0, 1.0]]))
    np.testing.assert_array_equal(columns.argmax(axis=1), [2, 0, 1])
    np.testing.assert_allclose(columns, [[0.4, 0.2, 0.4], [0.5, 0.5, 0.0], [1.0, 1.0, 1.0]], rtol=1e-15)


# bad input


def test_rules_by_name():
    assert set(RULES) == {"majority", "minimum", "maximum", "mean", "product", "dempster_shafer"}
    assert find_rule("product") is product
    for unknown in ("median", "Mean", None, mean):
        with pytest.raises(ValueError, match=r"fusion=.* must be one of 'majority', 'minimum'.*'dempster_shafer'"):
            find_rule(unknown)


@every_rule
@pytest.mark.parametrize(
    ("supports", "message"),
    [
        (np.ones((2, 3)), r"shape \(2, 3\)"),
        (np.ones((1, 2, 3, 4)), r"shape \(1, 2, 3, 4\)"),
        (np.ones((0, 2, 3)), "with no axis empty"),
        (np.ones((3, 2, 0)), "with no axis empty"),
        (np.full((1, 1, 2), 1 + 2e-6), r"in \[0, 1\]"),
        (np.full((1, 1, 2), -0.1), r"in \[0, 1\]"),
        (np.full((1, 1, 2), 1.1), r"in \[0, 1\]"),
        (np.full((1, 1, 2), np.nan), "NaN"),
    ],
)
def test_invalid_supports_are_refused(fuse, supports, message):
    with pytest.raises(ValueError, match=message):
        fuse(supports)


@every_rule
def test_supports_may_exceed_1_by_rounding(fuse):
    np.testing.assert_allclose(fuse([[[1 + 5e-7, 0.0]]]), [[1.0, 0.0]], atol=1e-11)


@pytest.mark.parametrize("reliability", [-1, 1.5, np.nan, [0.5, 0.5], np.ones((3, 4))])
def test_invalid_reliabilities_are_refused(reliability):
    with pytest.raises(ValueError, match="reliability"):
        dempster_shafer(members(0), reliability)
