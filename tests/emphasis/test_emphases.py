"""Every emphasis: exact identities first (ALGORITHMS.md section 7, numbers 2, 4, 6, 7), then properties."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from sklearn.base import clone

from emphatic.base import Stage
from emphatic.emphasis import (
    Annealed,
    Averaged,
    Brown,
    Capped,
    Controlled,
    CostSensitive,
    DynamicMixed,
    Exponential,
    Focal,
    FuzzyEntropy,
    Logistic,
    Mada,
    Mixed,
    Multiplicative,
    Neighbour,
    Oversampled,
    PatternType,
    Robust,
    Savage,
    Smooth,
    Tangent,
    Undersampled,
    Uniform,
)
from tests.reference import boosting as reference

EMPHASES = [
    Uniform(),
    Exponential(),
    *[Mixed(lam) for lam in (0.0, 0.3, 0.5, 0.8, 1.0)],
    *[Mixed(0.7, f_scale=scale) for scale in ("sum", "tanh", "clip", "one_sided")],
    *[Controlled(alpha, beta) for alpha in (0.0, 0.3, 1.0) for beta in (0.0, 0.5, 1.0)],
    *[Controlled(f_scale=scale) for scale in ("tanh", "clip")],
    DynamicMixed(),
    DynamicMixed((0.0, 0.7), f_scale="sum"),
    *[Neighbour(base, n_neighbors=1) for base in (Uniform(), Mixed(0.8), Controlled(), DynamicMixed((0.0, 0.7)))],
    Neighbour(Exponential(), n_neighbors=1, share=1.0),
    *[PatternType(policy) for policy in ("standard", "negative", "positive", "balanced")],
    Neighbour(PatternType(), n_neighbors=1),
    *[Brown(c) for c in (0.5, 5.0)],
    Robust(0.2),
    *[CostSensitive(policy) for policy in ("adac1", "adac2", "adac3")],
    *[FuzzyEntropy(order, init="supervised") for order in ("hard", "easy", "alternate")],
    Logistic(),
    Mada(),
    *[Smooth(gamma) for gamma in (0.001, 0.1, 0.499)],
    Savage(),
    Tangent(),
    *[Focal(gamma) for gamma in (0.0, 0.5, 2.0, 100.0)],
    Multiplicative(),
    *[Neighbour(base, n_neighbors=1) for base in (Smooth(), Multiplicative())],
    *[Averaged(base) for base in (Exponential(), Mixed(0.8), PatternType())],
    *[Capped(base, 2.0) for base in (Exponential(), PatternType(), DynamicMixed((0.0, 0.7)))],
    *[Annealed(Exponential(), Controlled(), rounds) for rounds in (1, 2, 50)],
    *[Undersampled(Mixed(0.8)), Oversampled(Mixed(0.8))],
]
UNIFORM_AT_FIRST = [emphasis for emphasis in EMPHASES if not isinstance(emphasis, FuzzyEntropy)]
margin_arrays = npst.arrays(float, st.integers(2, 40), elements=st.floats(-50, 50))


class HiddenUnits:
    """A learner whose hidden margins are the columns of the table: all types of samples occur."""

    def respond_margins(self, X, y):
        return np.asarray(X)


def stage_of(score, y, total_alpha=None, X=None):
    """A stage of which the score matters; the rows are what a neighbour and a hidden unit see."""
    n = len(y)
    uniform = np.full(n, 1 / n)
    total = float(np.abs(score).max()) + 1.0 if total_alpha is None else total_alpha
    rows = np.random.default_rng(n).normal(size=(n, 2)) if X is None else X
    return Stage(rows, y, uniform, uniform, HiddenUnits(), np.sign(score), 1.0, 0.5, score, total)


def updated(emphasis, stage):
    """What a clone says of the stage, as `grow` would ask it."""
    emphasis = clone(emphasis)
    emphasis.check_parameters()
    emphasis.start(stage.X, stage.y)
    return emphasis.update(stage)


def random_stage(score, seed=0):
    return stage_of(score, np.random.default_rng(seed).integers(0, 2, len(score)))


@pytest.mark.parametrize("emphasis", EMPHASES, ids=repr)
@given(score=margin_arrays)
def test_every_emphasis_is_a_finite_distribution(emphasis, score):
    weights = updated(emphasis, random_stage(score))
    assert np.isfinite(weights).all() and (weights >= 0).all()
    np.testing.assert_allclose(weights.sum(axis=-1), 1)


@pytest.mark.parametrize("emphasis", EMPHASES, ids=repr)
def test_margins_of_a_thousand_stay_finite(emphasis):
    weights = updated(emphasis, stage_of(np.array([-1000.0, -1.0, 0.0, 1.0, 1000.0]), np.array([1, 1, 1, 1, 1])))
    assert np.isfinite(weights).all()
    np.testing.assert_allclose(weights.sum(axis=-1), 1)


@pytest.mark.parametrize("emphasis", EMPHASES, ids=repr)
@given(score=margin_arrays, seed=st.integers(0, 99))
def test_the_order_of_the_samples_does_not_matter(emphasis, score, seed):
    stage = random_stage(score)
    order = np.random.default_rng(seed).permutation(len(score))
    shuffled = stage_of(score[order], stage.y[order], stage.total_alpha, stage.X[order])
    expected = updated(emphasis, stage)[..., order]
    np.testing.assert_allclose(updated(emphasis, shuffled), expected, rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("emphasis", EMPHASES, ids=repr)
def test_a_clone_emphasises_alike(emphasis):
    stage = random_stage(np.linspace(-2, 2, 9))
    np.testing.assert_array_equal(updated(clone(emphasis), stage), updated(emphasis, stage))


@pytest.mark.parametrize("emphasis", UNIFORM_AT_FIRST, ids=repr)
def test_the_first_round_is_uniform(emphasis):
    stage = random_stage(np.linspace(-2, 2, 9))
    np.testing.assert_allclose(clone(emphasis).start(stage.X, stage.y), np.full(9, 1 / 9), rtol=1e-15)


@pytest.mark.parametrize("emphasis", EMPHASES, ids=repr)
def test_update_does_not_depend_on_observe(emphasis):
    stage = random_stage(np.linspace(-2, 2, 9))
    observed = clone(emphasis)
    observed.start(stage.X, stage.y)
    arrays = observed.observe(stage)
    assert all(name.endswith("_") and len(array) == 9 for name, array in arrays.items())
    np.testing.assert_array_equal(observed.update(stage), updated(emphasis, stage))


def test_one_sided_counts_margins_below_one_as_squared_errors():
    m = np.array([-2.0, -0.5, 0.0, 0.7, 1.0, 1.5])
    weights = Mixed(0.7, f_scale="one_sided").update(stage_of(m, np.ones(6, dtype=int)))
    expected = np.exp(0.7 * np.maximum(0.0, 1.0 - m) ** 2 - 0.3 * m**2)
    np.testing.assert_allclose(weights, expected / expected.sum(), rtol=1e-12)
    # below margin 1 it is equation 11 itself
    np.testing.assert_allclose(
        weights[:4] / weights[0], (w := Mixed(0.7).update(stage_of(m, np.ones(6, int))))[:4] / w[0]
    )


@pytest.mark.parametrize("total", [0.05, 0.5, 1.0, 3.0])
def test_a_margin_over_the_sum_of_the_votes_is_that_however_small_the_sum_is(total):
    m = np.array([-0.04, 0.0, 0.05])
    stage = stage_of(m, np.ones(3, dtype=int), total_alpha=total)
    np.testing.assert_allclose(stage.scaled_margin("sum"), m / total, rtol=1e-15)
    assert np.abs(stage_of(np.array([total, -total]), np.ones(2, int), total).scaled_margin("sum")).tolist() == [1, 1]


@given(score=margin_arrays)
def test_mixed_at_one_half_is_real_adaboost(score):
    stage = random_stage(score)
    np.testing.assert_allclose(Mixed(0.5).update(stage), Exponential().update(stage), rtol=1e-12, atol=1e-300)


@given(score=npst.arrays(float, 12, elements=st.floats(-5, 5)), lam=st.floats(0, 1))
def test_mixed_is_equation_11(score, lam):
    stage = random_stage(score)
    d = 2 * stage.y - 1
    np.testing.assert_allclose(Mixed(lam).update(stage), reference.mixed_weights(score, d, lam), rtol=1e-10)


@given(
    outputs=npst.arrays(float, (5, 10), elements=st.floats(-1, 1)),
    alphas=npst.arrays(float, 5, elements=st.floats(0.01, 2)),
)
def test_the_multiplicative_update_is_the_softmax_of_the_ensemble_margin(outputs, alphas):
    y = np.arange(10) % 2
    stage = stage_of(alphas @ outputs, y)
    by_hand = reference.multiplicative_weights(outputs, alphas, 2 * y - 1)
    np.testing.assert_allclose(Exponential().update(stage), by_hand, rtol=0, atol=1e-12)


def test_lambda_zero_looks_at_the_boundary_and_lambda_one_at_the_errors():
    stage = stage_of(np.array([-2.0, 0.0, 2.0]), np.array([1, 1, 1]))
    assert Mixed(0.0).update(stage).argmax() == 1
    assert Mixed(1.0).update(stage).argmax() == 0


def test_beyond_its_turning_point_a_right_sample_outweighs_the_boundary():
    """Why the vote of Mixed is "bound": at lam = .8 a margin above 2 lam / (2 lam - 1) = 2.67 outweighs margin 0."""
    weights = Mixed(0.8).update(stage_of(np.array([0.0, 2.6, 2.7]), np.array([1, 1, 1])))
    assert weights[1] < weights[0] < weights[2]
    one_sided = Mixed(0.8, f_scale="one_sided").update(stage_of(np.array([0.0, 2.6, 2.7]), np.array([1, 1, 1])))
    assert (np.diff(one_sided) < 0).all()


@given(margin=npst.arrays(float, 12, elements=st.floats(-20, 1)), lam=st.floats(0, 1))
def test_one_sided_differs_from_raw_only_for_margins_above_1(margin, lam):
    stage = stage_of(margin, np.ones(12, dtype=int))
    one_sided, raw = Mixed(lam, f_scale="one_sided").update(stage), Mixed(lam).update(stage)
    np.testing.assert_allclose(one_sided, raw, rtol=1e-9, atol=1e-300)


@pytest.mark.parametrize(
    ("f_scale", "bounded"),
    [("sum", lambda m: m / 4.0), ("tanh", np.tanh), ("clip", lambda m: np.clip(m, -1, 1))],
)
def test_the_scale_replaces_the_margin_in_the_exponent(f_scale, bounded):
    f = np.array([-3.0, -0.5, 0.2, 4.0])
    stage = stage_of(f, np.array([1, 0, 1, 0]), total_alpha=4.0)
    d = np.array([1, -1, 1, -1])
    expected = reference.mixed_weights(bounded(f), d, 0.7)
    np.testing.assert_allclose(Mixed(0.7, f_scale=f_scale).update(stage), expected, rtol=1e-12)


@pytest.mark.parametrize("emphasis", [Mixed(0.8, "sum"), Controlled(), DynamicMixed((0.0, 0.7), "sum")], ids=repr)
@pytest.mark.parametrize("factor", [1e-3, 0.5, 40.0])
def test_a_factor_common_to_all_votes_does_not_matter_to_the_scale_sum(emphasis, factor):
    score, y = np.linspace(-1, 1, 11), np.arange(11) % 2
    expected = emphasis.update(stage_of(score, y, total_alpha=1.5))
    found = emphasis.update(stage_of(factor * score, y, total_alpha=factor * 1.5))
    np.testing.assert_allclose(found, expected, rtol=1e-12)
