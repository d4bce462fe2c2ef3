"""Products and distances of rows: what they are, to the last bit, and that a row's do not depend on its company."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from emphatic.kernels import rows
from emphatic.kernels.cityblock import cityblock

PRECISIONS = (np.float32, np.float64)


def matrices(n, inputs, m, dtype=np.float64, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, inputs)).astype(dtype), rng.normal(size=(inputs, m)).astype(dtype)


def compute(kernel, A, B):
    """What a kernel writes, for B (inputs, m), into an array that holds something else before."""
    if kernel is rows.product:
        return kernel(A, B)
    result = np.full((len(A), B.shape[1]), np.nan, A.dtype)
    kernel(A, B.T.copy() if kernel is rows.dots else B, result)
    return result


# slow twins, one rounding after another


def add_one_by_one(terms):
    total = terms.dtype.type(0)
    for term in terms:
        total = total + term
    return total


def add_in_lanes(terms):
    return add_one_by_one(np.array([add_one_by_one(terms[lane :: rows.LANES]) for lane in range(rows.LANES)]))


@pytest.mark.parametrize("dtype", PRECISIONS)
@pytest.mark.parametrize("inputs", [0, 1, 3, 4, 7, 16, 30, 64, 100])
def test_every_sum_has_the_order_that_is_promised(dtype, inputs):
    A, B = matrices(5, inputs, 19, dtype)
    pairs = [(a, b) for a in A for b in B.T]
    shape = len(A), B.shape[1]
    one_by_one = np.reshape([add_one_by_one(a * b) for a, b in pairs], shape)
    in_lanes = np.reshape([add_in_lanes(a * b) for a, b in pairs], shape)
    gaps = np.reshape([add_one_by_one((a - b) * (a - b)) for a, b in pairs], shape)
    for kernel, expected in ((rows.multiply, one_by_one), (rows.dots, in_lanes), (rows.squared_distances, gaps)):
        np.testing.assert_array_equal(compute(kernel, A, B), expected.astype(dtype))


def test_products_and_distances_are_numpys_and_scipys():
    A, B = matrices(21, 300, 700)
    np.testing.assert_allclose(compute(rows.multiply, A, B), A @ B, atol=1e-12)
    np.testing.assert_allclose(compute(rows.dots, A, B), A @ B, atol=1e-12)
    np.testing.assert_allclose(compute(rows.squared_distances, A, B), cdist(A, B.T, "sqeuclidean"), rtol=1e-13)


@pytest.mark.parametrize("m", [1, 5, 31, 32, 50])
def test_a_product_takes_what_numpy_takes(m):
    A, B = matrices(8, 12, m)
    single = A.astype(np.float32)
    single.flags.writeable = B.flags.writeable = False
    found = rows.product(single[::2], B)
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, single[::2].astype(np.float64) @ B, atol=1e-13)
    np.testing.assert_array_equal(rows.product(np.asfortranarray(A), np.asfortranarray(B)), rows.product(A, B))


@pytest.mark.parametrize("dtype", PRECISIONS)
def test_activations_decay_as_numpys_exponential_does(dtype):
    distances = np.concatenate([[0.0], np.geomspace(1e-8, 1e5, 998), [np.finfo(dtype).max]]).astype(dtype)[None]
    found = np.full(distances.shape, np.nan)
    rows.decay(distances, 0.7, found)
    np.testing.assert_allclose(found, np.exp(np.maximum(-0.7 * distances.astype(np.float64), -700.0)), rtol=1e-15)
    assert found[0, 0] == 1.0


@given(st.integers(1, 40), st.integers(0, 20))
@settings(max_examples=30, deadline=None)
def test_an_activation_does_not_depend_on_its_place(size, start):
    distances = np.random.default_rng(0).uniform(0.0, 9.0, (2, 61)).astype(np.float32)
    whole, part = np.empty((2, 61)), np.empty((2, size))
    rows.decay(distances, 1.3, whole)
    rows.decay(np.ascontiguousarray(distances[:, start : start + size]), 1.3, part)
    np.testing.assert_array_equal(part, whole[:, start : start + size])


sizes = st.integers(1, 40)


@given(sizes, sizes, st.integers(1, 70), st.sampled_from(PRECISIONS), st.lists(st.integers(0, 40), max_size=5))
@settings(max_examples=60, deadline=None)
def test_a_row_is_computed_alike_in_any_company(n, inputs, m, dtype, cuts):
    A, B = matrices(n, inputs, m, dtype)
    order = np.random.default_rng(n).permutation(n)
    parts = np.split(order, sorted(min(cut, n) for cut in cuts))
    for kernel in (rows.product, rows.multiply, rows.dots, rows.squared_distances, cityblock):
        whole = compute(kernel, A, B)
        np.testing.assert_array_equal(np.vstack([compute(kernel, A[part], B) for part in parts]), whole[order])
        if kernel is not rows.product:  # which chooses its sums by the number of columns
            columns = [compute(kernel, A, B[:, k : k + 1].copy()) for k in range(m)]
            np.testing.assert_array_equal(np.hstack(columns), whole)


@pytest.mark.parametrize("dtype", PRECISIONS)
@pytest.mark.parametrize("function", [np.exp, np.log, np.sqrt, np.tanh, np.log1p])
def test_numpys_functions_do_not_depend_on_the_position(function, dtype):
    """Predictions call them on contiguous arrays, whose tails numpy might compute otherwise than their bulk."""
    values = np.random.default_rng(0).uniform(0.01, 5.0, 997).astype(dtype)
    whole = function(values)
    for start in range(20):
        for size in (*range(1, 40), 100):
            np.testing.assert_array_equal(function(values[start : start + size].copy()), whole[start : start + size])
            np.testing.assert_array_equal(function(values[start : start + size]), whole[start : start + size])
