"""Tables in blocks of samples: every row in its place, and one iteration of fuzzy c-means over them."""

import numpy as np
import pytest

from emphatic.kernels import fuzzy_c_means as kernel
from emphatic.kernels.blocks import BLOCK, arrange_blocks
from tests.reference import fuzzy_c_means as slow

both_types = pytest.mark.parametrize("dtype", [np.float32, np.float64])


def draw(n, d, dtype=np.float64):
    return np.random.default_rng(n + d).normal(size=(n, d)).astype(dtype)


@both_types
@pytest.mark.parametrize("n", [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK])
def test_every_row_is_in_its_place_and_zeros_fill_up_the_last_block(n, dtype):
    X = draw(n, 3, dtype)
    blocks = arrange_blocks(X, 4.0)
    assert blocks.shape == (-(-n // BLOCK), 3, BLOCK) and blocks.dtype == dtype
    rows = blocks.transpose(0, 2, 1).reshape(-1, 3)
    np.testing.assert_array_equal(rows[:n], X / dtype(4.0))
    assert not rows[n:].any()


def test_any_layout_of_the_table_gives_the_same_blocks():
    X = draw(300, 4)
    fixed = X.copy()
    fixed.flags.writeable = False
    for other in (np.asfortranarray(X), np.repeat(X, 2, axis=0)[::2], fixed):
        np.testing.assert_array_equal(arrange_blocks(other, 2.0), arrange_blocks(X, 2.0))


@both_types
@pytest.mark.parametrize("n", [1, BLOCK - 1, BLOCK, 2 * BLOCK + 1])
@pytest.mark.parametrize(("d", "c"), [(1, 1), (3, 2), (4, 3), (9, 5)])
@pytest.mark.parametrize("m", [1.5, 2.0])
def test_sums_over_blocks_are_the_slow_ones(n, d, c, m, dtype):
    X, rng = draw(n, d, dtype), np.random.default_rng(0)
    weights = rng.integers(0, 3, n) / 2.0
    centres = np.vstack([X[:1], rng.normal(size=(c - 1, d))]).astype(dtype)  # one of them on a row
    shares = arrange_blocks(weights.astype(dtype)[:, None], 1.0)
    scratch = kernel.make_scratch(c, dtype)
    objective, mass, sums = kernel.add_up(arrange_blocks(X, 1.0), shares, centres, m, scratch)
    U = slow.memberships(X, centres, m)
    powers, tolerance = weights[:, None] * U**m, 1e-12 if dtype is np.float64 else 1e-5
    np.testing.assert_allclose(objective, slow.objective(X, weights, centres, U, m), rtol=tolerance)
    np.testing.assert_allclose(mass, powers.sum(axis=0), rtol=tolerance, atol=tolerance)
    np.testing.assert_allclose(sums, powers.T @ X.astype(float), rtol=tolerance, atol=n * tolerance)


def test_columns_of_zeros_fill_up_a_multiple():
    X = draw(7, 5, np.float64)
    arranged = arrange_blocks(X, block=4, multiple=4)
    assert arranged.shape == (2, 8, 4)
    np.testing.assert_array_equal(arranged.transpose(0, 2, 1).reshape(8, 8)[:7, :5], X)
    assert not arranged[:, 5:].any() and not arranged[-1, :, 3:].any()
