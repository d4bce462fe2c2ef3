"""Kernels against their slow twins, and the width formulas (identity 14)."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emphatic.kernels import descent, draws, rbf
from tests.reference import rbf as slow

seeds = st.integers(0, 2**32 - 1)


def table(seed, n=40, d=3, k=7):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return rng, X, X[rng.choice(n, k, replace=False)]


def activations(centres, widths, X):
    return np.hstack([block.copy() for _, block in rbf.activation_blocks(centres, widths, X)])


@given(seeds)
def test_squared_distances(seed):
    _, X, centres = table(seed)
    np.testing.assert_allclose(rbf.squared_distances(centres, X), slow.squared_distances(centres, X), atol=1e-12)


@given(seeds)
def test_activations(seed):
    rng, X, centres = table(seed)
    widths = rng.uniform(0.02, 3, len(centres))
    expected = slow.activations(centres, widths, X)
    np.testing.assert_allclose(activations(centres, widths, X), expected, rtol=1e-7, atol=1e-12)


def test_activations_do_not_depend_on_the_blocks(monkeypatch):
    rng, X, centres = table(0, n=700)
    widths = rng.uniform(0.5, 3, len(centres))
    whole = activations(centres, widths, X)
    monkeypatch.setattr(rbf, "BLOCK", 7 * 100)
    assert len(list(rbf.blocks(700, 7))) == 7
    np.testing.assert_array_equal(activations(centres, widths, X), whole)


def test_tiny_activations_are_zero_not_subnormal():
    X = np.linspace(0, 60, 500)[:, None]
    values = activations(np.zeros((1, 1)), np.ones(1), X)
    assert (values[values < 1e-150] == 0).all() and (values == 0).any()
    products = values * values
    assert ((products == 0) | (products >= np.finfo(float).tiny)).all()


@given(seeds)
def test_paired_distances(seed):
    _, X, centres = table(seed)
    cell, expected = slow.cells(X, centres)
    np.testing.assert_allclose(rbf.paired_distances(X, centres, cell), expected, atol=1e-15)


@given(seeds)
def test_widths_are_equations_16_to_20(seed):
    rng, X, centres = table(seed)
    cell, distance = slow.cells(X, centres)
    weights = rng.dirichlet(np.ones(len(X)))
    widths = rbf.cell_widths(cell, distance, weights, len(centres), 1e-8)
    for k in range(len(centres)):
        members = cell == k
        if members.sum() >= 2:
            assert widths[k] == pytest.approx(slow.width(distance[members], weights[members]), rel=1e-9)
        else:
            assert widths[k] == 0


def one_cell(distances, weights):
    cell = np.zeros(len(distances), dtype=np.intp)
    return rbf.cell_widths(cell, np.array(distances), np.array(weights), 1, 1e-8)[0]


@given(st.floats(0.01, 100))
def test_uniform_cell_of_two_has_half_the_distance_as_width(a):
    assert one_cell([0.0, a], [0.5, 0.5]) == pytest.approx(a / 2)


@given(st.floats(0.01, 100), st.integers(2, 30))
def test_all_the_mass_on_one_member_shrinks_the_width(a, members):
    weights = np.zeros(members)
    weights[-1] = 1.0
    assert one_cell(np.linspace(0, a, members), weights) == pytest.approx(a / np.sqrt(members - 1))


@pytest.mark.parametrize(
    ("distances", "weights"),
    [([0.0], [1.0]), ([0.0, 0.0], [0.5, 0.5]), ([0.0, 1.0], [0.0, 0.0]), ([1.0, 1.0], [0.5, 0.5])],
    ids=["one member", "no distance", "no weight", "no spread"],
)
def test_degenerate_cells_are_marked(distances, weights):
    assert one_cell(distances, weights) == 0


def test_box_measures_spread_and_diameter():
    X = np.random.default_rng(0).normal(3, [1, 2, 5], size=(500, 3))
    spread, diameter = rbf.box(X)
    assert spread == pytest.approx(np.sqrt(X.var(axis=0).mean()))
    assert diameter == pytest.approx(np.linalg.norm(np.ptp(X, axis=0)))


def shuffled(noise):
    orders = np.empty(noise.shape, dtype=np.int32)
    draws.shuffle(noise, orders)
    return orders


@given(seeds)
def test_orders_are_permutations_and_equal_their_twin(seed):
    noise = np.random.default_rng(seed).integers(2**32, size=(3, 17), dtype=np.uint32)
    orders = shuffled(noise)
    np.testing.assert_array_equal(np.sort(orders, axis=1), np.tile(np.arange(17), (3, 1)))
    np.testing.assert_array_equal(orders, slow.shuffled_orders(noise))


def test_every_order_is_equally_likely():
    noise = np.random.default_rng(0).integers(2**32, size=(24_000, 4), dtype=np.uint32)
    _, counts = np.unique(shuffled(noise), axis=0, return_counts=True)
    assert len(counts) == 24 and abs(counts - 1000).max() < 150


@given(seeds, st.integers(1, 3))
def test_the_first_arrivals_of_each_class(seed, n_classes):
    rng = np.random.default_rng(seed)
    times, weights = rng.standard_exponential(30), rng.random(30) * (rng.random(30) > 0.3)
    y = rng.integers(n_classes, size=30)
    counts = np.array([rng.integers(0, (y == c).sum() + 1) for c in range(n_classes)])
    found = draws.first_arrivals(times, weights, y, counts)
    np.testing.assert_array_equal(found, slow.first_arrivals(times, weights, y, counts))


@pytest.mark.parametrize("squash", [False, True])
@pytest.mark.parametrize("implicit", [False, True])
@pytest.mark.parametrize("n_outputs", [1, 3])
@pytest.mark.parametrize("n", [20, 21])
@settings(max_examples=10)
@given(seed=seeds)
def test_stochastic_gradient(n, n_outputs, implicit, squash, seed):
    rng = np.random.default_rng(seed)
    activation = rng.random((n, 6))
    activation[3] = 0.0  # a sample out of reach of every unit
    targets = rng.choice([-1.0, 1.0], size=(n_outputs, n))
    scale = rng.uniform(0, 6, n)
    orders = shuffled(rng.integers(2**32, size=(5, n), dtype=np.uint32))
    orders[0, :2] = orders[0, 0]  # the same sample twice in a row, as "resample" may draw it
    arguments = (activation, targets, scale, orders, 0.1, implicit, squash)
    np.testing.assert_allclose(descent.sgd(*arguments), slow.sgd(*arguments), atol=1e-10)
