"""Stochastic gradient descent, four samples at a time and in either precision, against one sample at a time."""

import numpy as np
import pytest

from emphatic.kernels import descent
from emphatic.kernels.memory import scratch
from tests.reference import rbf as slow


def problem(n, n_units, epochs=3, n_outputs=1, seed=0):
    """Activations, targets, scales and orders."""
    rng = np.random.default_rng(seed)
    activation = np.exp(-3.0 * rng.random((n, n_units)))
    targets = rng.choice([-1.0, 1.0], size=(n_outputs, n))
    orders = np.array([rng.permutation(n) for _ in range(epochs)], dtype=np.int32)
    return activation, targets, rng.uniform(0, 6, n), orders


def rows_of(activation, spans=None):
    n, n_units = activation.shape
    blocks = [(span, np.ascontiguousarray(activation[span].T)) for span in spans or [slice(0, n)]]
    scratch("rows", (n, 64 * (1 + n_units // 64)), np.float32)[:] = np.nan  # what another network left behind
    return descent.make_rows(blocks, n, n_units).copy()


@pytest.mark.parametrize("n_units", [1, 15, 16, 17, 50])
def test_rows_are_the_blocks_and_end_in_zeros(n_units):
    activation, *_ = problem(37, n_units)
    rows = rows_of(activation, [slice(0, 20), slice(20, 37)])
    np.testing.assert_array_equal(rows[:, :n_units], activation.astype(np.float32))
    assert rows.shape == (37, -(-n_units // 16) * 16) and not rows[:, n_units:].any()


def test_rows_hold_no_number_whose_products_are_subnormal():
    activation = np.array([[1.0, 1e-18, 9e-19, 1e-30, 1e-42, 0.0]])
    np.testing.assert_array_equal(rows_of(activation)[0, :6], np.array([1, 1e-18, 0, 0, 0, 0], dtype=np.float32))
    assert descent.SMALLEST**2 > np.finfo(np.float32).smallest_normal


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6, 7, 85, 86, 87, 88])  # 256 samples and more: weights are added up
@pytest.mark.parametrize(("implicit", "squash"), [(False, False), (True, False), (False, True)])
def test_any_number_of_samples(n, implicit, squash):
    activation, *others = problem(n, 6)
    expected = slow.sgd(activation, *others, 0.1, implicit, squash)
    np.testing.assert_allclose(descent.sgd(activation, *others, 0.1, implicit, squash), expected, atol=1e-12)
    single = descent.sgd(activation.astype(np.float32), *others, 0.1, implicit, squash)
    np.testing.assert_allclose(single, expected, atol=2e-6)


@pytest.mark.parametrize("n_units", range(1, 34))
def test_any_number_of_units(n_units):
    activation, *others = problem(10, n_units, n_outputs=2)
    expected = slow.sgd(activation, *others, 0.1, False, False)
    np.testing.assert_allclose(descent.sgd(activation, *others, 0.1, False, False), expected, atol=1e-12)
    found = descent.sgd(rows_of(activation), *others, 0.1, False, False)
    np.testing.assert_allclose(found[:, :n_units], expected, atol=2e-6)
    assert not found[:, n_units:].any()


@pytest.mark.parametrize("n_outputs", [1, 3])
def test_outputs_are_learnt_one_by_one(n_outputs):
    activation, targets, *others = problem(30, 9, n_outputs=n_outputs)
    together = descent.sgd(activation, targets, *others, 0.1, False, False)
    alone = [descent.sgd(activation, row[None], *others, 0.1, False, False)[0] for row in targets]
    np.testing.assert_array_equal(together, alone)


def test_a_sample_without_activations_changes_nothing():
    activation, targets, scale, orders = problem(12, 5)
    activation[[2, 7]] = 0.0
    found = [
        descent.sgd(rows_of(activation), targets * flip, scale, orders, 0.1, implicit, False)
        for implicit in (False, True)
        for flip in (1.0, np.where(activation.any(axis=1), 1.0, -1.0))
    ]
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[2], found[3])


@pytest.mark.parametrize("first_step", [1.0, 1e20, 1e300])
@pytest.mark.parametrize("implicit", [False, True])
def test_no_step_overflows_float32(first_step, implicit):
    activation, *others = problem(60, 5)
    activation[::3] *= np.logspace(-17, 0, 20)[:, None]
    activation[1::3] = 0.0
    assert np.isfinite(descent.sgd(rows_of(activation), *others, first_step, implicit, False)).all()


@pytest.mark.parametrize("squash", [False, True])
def test_rounding_of_activations_is_far_below_the_spread_of_the_orders(squash):
    """The weights of networks that differ in the order of samples only vary 100,000 times as much as rounding does."""
    activation, targets, scale, orders = problem(300, 50, epochs=20)
    rows = rows_of(activation)
    exact = descent.sgd(activation, targets, scale, orders, 0.1, False, squash)[0]
    rounded = descent.sgd(rows, targets, scale, orders, 0.1, False, squash)[0, :50]
    seeds = range(1, 9)
    others = [descent.sgd(rows, targets, scale, problem(300, 50, 20, seed=s)[3], 0.1, False, squash)[0] for s in seeds]
    spread = np.std([weights[:50] for weights in others], axis=0)
    assert np.abs(rounded - exact).max() < 1e-5 * spread.min()


def test_many_small_steps_are_not_lost_in_float32():
    """A change of 1e-9 is lost in a float32 weight of 1, a hundred of them in turn too; the sum in float64 has them."""
    n = 4000
    activation, orders = np.ones((n, 1), dtype=np.float32), np.arange(n, dtype=np.int32)[None]
    targets, scale = np.full((1, n), 3.0), np.full(n, 1e-9)
    targets[0, 0], scale[0] = 1.0, 1.0  # the first sample is fitted exactly
    scale[1:1000] = 0.0
    found = descent.sgd(activation, targets, scale, orders, 1.0, False, False)
    expected = slow.sgd(activation.astype(np.float64), targets, scale, orders, 1.0, False, False)
    assert expected[0, 0] - 1.0 > 2e-6
    np.testing.assert_allclose(found - 1.0, expected - 1.0, rtol=1e-4)
