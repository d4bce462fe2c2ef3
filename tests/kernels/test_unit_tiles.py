"""Tiles of distances and activations against slow twins, the vectorised exponential, and half of a Gram matrix."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emphatic.kernels import unit_tiles
from emphatic.kernels.exponential import exponential
from emphatic.kernels.gram import add_gram, mirror
from emphatic.kernels.unit_tiles import TILE
from emphatic.learners import rbf_units
from emphatic.learners.rbf_units import Table, Units
from tests.reference import rbf as slow

seeds = st.integers(0, 2**32 - 1)


@given(st.floats(-700, 700))
def test_the_exponential_is_good_to_three_units_in_the_last_place(x):
    expected = np.exp(np.longdouble(x))
    assert abs(exponential(x) - expected) <= 3 * np.spacing(float(expected))


def test_exact_exponentials():
    assert exponential(0.0) == 1.0
    steps = np.linspace(-700, 700, 5001)
    assert (np.diff([exponential(x) for x in steps]) > 0).all()


@given(seeds, st.integers(1, 4), st.integers(1, 40))
def test_half_of_the_products_make_a_gram_matrix(seed, groups, length):
    rows = np.random.default_rng(seed).normal(size=(3 * groups, length + 5))
    gram = np.eye(len(rows))  # products are added to what is there
    add_gram(rows, length, gram)
    used = rows[:, :length]
    np.testing.assert_allclose(mirror(gram, len(rows)), np.eye(len(rows)) + used @ used.T, atol=1e-12)
    np.testing.assert_array_equal(mirror(gram, 2), mirror(gram, len(rows))[:2, :2])


@pytest.mark.parametrize("n_features", [1, 4, 5, 12, rbf_units.MANY_COLUMNS + 1])
@pytest.mark.parametrize("n_units", [1, 2, 5])
@pytest.mark.parametrize("n", [1, TILE, 2 * TILE + 3])
@settings(max_examples=3)
@given(seed=seeds)
def test_distances_and_cells(n, n_units, n_features, seed):
    rng = np.random.default_rng(seed)
    X, centres = rng.normal(size=(n, n_features)), rng.normal(size=(n_units, n_features))
    units = Units(Table(X, np.zeros(n, dtype=np.intp), 2), centres)
    cell, distance = units.cells()
    expected_cell, expected_distance = slow.cells(X, centres)
    np.testing.assert_array_equal(cell, expected_cell)
    np.testing.assert_allclose(distance, expected_distance, atol=1e-12)
    units.widths, root = rng.uniform(0.5, 3, n_units), rng.uniform(0.1, 1, n)
    found = np.hstack([tile.copy() for _, tile in units.activations(root)])
    np.testing.assert_allclose(found, slow.activations(centres, units.widths, X) * root, rtol=1e-7, atol=1e-12)


def test_tiny_activations_are_zero_not_subnormal():
    tile = np.linspace(0, 3600, 500)[None]
    unit_tiles.activate(tile, np.ones(1), np.ones(500))
    assert (tile[tile < 1e-150] == 0).all() and (tile == 0).any()


@pytest.mark.parametrize("rounding", [0.0, 1e-15])
@pytest.mark.parametrize("n_features", [1, rbf_units.MANY_COLUMNS])
def test_ties_belong_to_the_first_centre_also_where_rounding_says_otherwise(rounding, n_features):
    X = np.zeros((4, n_features))
    X[:, 0] = -2.0, 0.0, 2.0, rounding
    centres = np.zeros((2, n_features))
    centres[:, 0] = -1.0, 1.0
    cell, _ = Units(Table(X, np.zeros(4, dtype=np.intp), 2), centres).cells()
    assert cell.tolist() == [0, 0, 1, 0]
