"""Large tables: two halves, partitions that are stratified and the same again, and tables that may be absent."""

import numpy as np
import pandas as pd
import pytest

from benchmarks import large_real, large_tables
from benchmarks.columns_tables import DEVELOPMENT as COLUMNS_DEVELOPMENT
from benchmarks.columns_tables import REPORT as COLUMNS_REPORT
from benchmarks.large_tables import DEVELOPMENT, DRAWN, REPORTING, load_table
from benchmarks.peers_problems import DEVELOPMENT as SMALL_DEVELOPMENT
from benchmarks.peers_problems import REPORTING as SMALL_REPORTING


def test_the_halves_are_disjoint_as_large_and_agree_with_those_of_other_benchmarks():
    assert len(DEVELOPMENT) == len(REPORTING) == 18
    assert not set(DEVELOPMENT) & {*REPORTING, *SMALL_REPORTING, *COLUMNS_REPORT}
    assert not set(REPORTING) & {*SMALL_DEVELOPMENT, *COLUMNS_DEVELOPMENT}


@pytest.mark.parametrize("name", DRAWN)
def test_drawn_tables_are_the_same_again_and_every_class_is_in_both_parts(name, monkeypatch):
    monkeypatch.setattr(large_tables, "MOST_TEST_ROWS", 500)
    first, again, other = load_table(name, 400, 7), load_table(name, 400, 7), load_table(name, 400, 8)
    assert (len(first.X_train), len(first.X_test)) == (400, 500)
    pd.testing.assert_frame_equal(first.X_train, again.X_train)
    np.testing.assert_array_equal(first.y_test, again.y_test)
    assert not first.X_train.equals(other.X_train)
    assert set(first.y_train) == set(first.y_test)


def test_a_sphere_holds_half_of_the_rows_and_three_thirds_are_alike():
    for name, n_classes in (("drawn_sphere", 2), ("drawn_friedman", 3), ("drawn_spirals", 3)):
        shares = np.bincount(load_table(name, 1).y_test) / 20_000
        np.testing.assert_allclose(shares, np.full(n_classes, 1 / n_classes), atol=0.015)


def raw_table():
    rng = np.random.default_rng(0)
    target = pd.Series(rng.permutation(["a"] * 500 + ["b"] * 460 + ["rare"] * 30 + [None] * 10))
    return large_real.Raw(pd.DataFrame({"row": np.arange(1000.0), "nominal": ["x", "y"] * 500}), target)


@pytest.fixture
def _own_table(monkeypatch):
    large_tables._read.cache_clear()
    monkeypatch.setitem(large_tables.REAL, "own", raw_table)
    yield
    large_tables._read.cache_clear()


@pytest.mark.usefixtures("_own_table")
def test_real_tables_lose_rare_classes_and_rows_without_a_label():
    whole = load_table("own")
    assert large_tables.count_rows("own") == len(whole.X_train) == 720
    assert set(whole.y_train) == set(whole.y_test) == {"a", "b"}
    assert whole.X_train["nominal"].dtype == "category"
    assert not set(whole.X_train["row"]) & set(whole.X_test["row"])


@pytest.mark.usefixtures("_own_table")
def test_test_rows_do_not_depend_on_the_number_of_training_rows():
    whole, part = load_table("own", seed=3), load_table("own", 100, seed=3)
    pd.testing.assert_frame_equal(whole.X_test, part.X_test)
    assert len(part.y_train) == 100 and set(part.X_train["row"]) < set(whole.X_train["row"])
    assert np.mean(part.y_train == "a") == pytest.approx(500 / 960, abs=0.01)
    with pytest.raises(ValueError, match="720 rows for training, not 721"):
        load_table("own", 721)


def test_unknown_and_absent_tables_are_refused(monkeypatch, tmp_path):
    with pytest.raises(ValueError, match="letter"):
        load_table("leter")
    monkeypatch.setenv(large_real.R_LIBRARIES, str(tmp_path))
    monkeypatch.setattr(large_real, "EXTRA", tmp_path)
    large_tables._read.cache_clear()
    for name, source in (("shuttle", "mlbench/data/Shuttle.rda"), ("letter", "letter.csv.gz"), ("usps", "usps11000")):
        with pytest.raises(large_real.Absent, match=source):
            load_table(name)
        assert not large_tables.is_at_hand(name)


def test_a_value_above_the_median_is_missing_where_the_value_is():
    assert large_real.above_median(pd.Series([1.0, 2.0, np.nan, 4.0, 5.0])).tolist()[:2] == [False, False]
    assert large_real.above_median(pd.Series([1.0, np.nan, 4.0])).isna().tolist() == [False, True, False]
