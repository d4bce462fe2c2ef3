"""`benchmarks.imbalance` and `benchmarks.coverage`: how tables are thinned, and what is measured."""

import numpy as np
import pytest

from benchmarks.coverage import measure_sets
from benchmarks.imbalance import SHARE, Half, draw_halves, find_best


@pytest.mark.parametrize("table", ["image", "clusters, 3,000 rows"])
def test_one_row_in_a_hundred_is_positive(table):
    train, test = draw_halves(table, 0)
    assert train.y.mean() == pytest.approx(SHARE, abs=1 / len(train.y) + 1e-3)
    assert np.average(test.y, weights=test.weights) == pytest.approx(SHARE)
    assert len(train.X) == len(train.y) and len(test.X) == len(test.y)


def test_the_best_threshold():
    half = Half(None, np.array([0, 0, 1, 0, 1]), np.ones(5))
    assert find_best(half, np.array([0.1, 0.2, 0.3, 0.4, 0.5])) == 0.3


def test_coverage_of_rows_and_of_classes():
    sets = np.array([[True, False], [True, False], [True, False], [False, True], [True, True]])
    codes = np.array([0, 0, 0, 0, 1])
    assert measure_sets(sets, codes, per_class=False) == pytest.approx((4 / 5, 6 / 5))
    assert measure_sets(sets, codes, per_class=True) == pytest.approx(((3 / 4 + 1) / 2, 6 / 5))
