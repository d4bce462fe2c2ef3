"""`python -m benchmarks.wide`: tables that are drawn alike every time."""

import numpy as np
import pytest
from scipy.sparse import issparse

from benchmarks.wide_tables import DENSE, SPARSE


@pytest.mark.parametrize("name", [*SPARSE, *DENSE])
def test_tables_are_drawn_alike_and_have_more_columns_than_a_few(name):
    table = (SPARSE | DENSE)[name]
    (X, y), (again, labels) = (table.draw(60, np.random.default_rng(0)) for _ in range(2))
    assert issparse(X) == (name in SPARSE)
    assert abs(X - again).max() == 0
    np.testing.assert_array_equal(y, labels)
    assert X.shape[0] == 60
    assert X.shape[1] >= 2000
    assert len(np.unique(y)) >= 2
