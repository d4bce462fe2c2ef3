"""Drift along the rows or with time: of labels, of columns within classes, and none where there is none."""

import numpy as np
import pandas as pd
import pytest

from emphatic.audit.troubles import find_troubles
from emphatic.audit.troubles.drift import find_drift
from tests.audit.troubles.planted import blobs, evidence_of


def test_nothing_changes_in_rows_at_random():
    n_found = [len(find_drift(evidence_of(*blobs(400, 6, seed)))) for seed in range(20)]
    assert sum(n_found) <= 1  # each test is wrong once in a hundred tables


def test_a_column_that_moves_is_told_with_its_means():
    X, y = blobs(500, 3)
    table = pd.DataFrame(X, columns=["a", "b", "c"])
    table["c"] += np.repeat([0.0, 3.0], 250)
    [one] = find_drift(evidence_of(table, y))
    assert one.columns == ("c",) and one.score > 0.7
    assert one.explanation.startswith("c changes along the rows: its mean is ")
    means = table["c"].to_numpy().reshape(10, 50).mean(axis=1)
    assert f"is {means.min():.4g} in the" in one.explanation and f"and {means.max():.4g} in the" in one.explanation


def test_the_order_is_that_of_time_if_it_is_given():
    X, y = blobs(500, 3)
    time = np.random.default_rng(1).permutation(500)
    X[:, 2] += 3.0 * (time > 250)
    assert find_drift(evidence_of(X, y)) == []
    dates = pd.Timestamp("2024-01-01") + pd.to_timedelta(time, unit="D")
    for when in (time, np.asarray(dates)):
        [one] = find_troubles(X, y, time=when).of("drift")
        assert one.columns == ("x2",) and "with time" in one.explanation
    table = pd.DataFrame(X, columns=list("abc")).assign(when=dates.strftime("%d.%m.%Y"))
    [one] = find_troubles(table, y, time="when").of("drift")
    assert one.columns == ("c",)


def test_labels_that_change_are_told_and_columns_only_beyond_them():
    X, y = blobs(600, 3)
    order = np.argsort(y, kind="stable")  # sorted by label: the columns change with the labels alone
    [one] = find_drift(evidence_of(X[order], y[order]))
    assert one.columns == () and one.score > 0.9
    assert "0 is the label of 0% of the rows in the" in one.explanation


def test_shares_of_categories_and_sorted_columns_are_described():
    X, y = blobs(400, 2)
    rng = np.random.default_rng(0)
    colour = np.where(rng.random(400) < np.repeat([0.9, 0.2], 200), "red", "blue")
    table = pd.DataFrame(X, columns=["a", "b"]).assign(colour=colour, rank=np.sort(rng.normal(size=400)))
    found = {one.columns[0]: one.explanation for one in find_drift(evidence_of(table, y))}
    assert set(found) == {"colour", "rank"}
    assert found["rank"] == "The rows look sorted by rank."
    assert "the share of colour_" in found["colour"]


def test_a_few_rows_or_one_time_say_nothing():
    X, y = blobs(90, 2)
    assert find_drift(evidence_of(np.sort(X, axis=0), y)) == []
    X, y = blobs(200, 2)
    assert find_drift(evidence_of(np.sort(X, axis=0), y), np.zeros(200)) == []
    few = np.repeat([0.0, 1.0], 100)  # two times: two blocks
    X[:, 0] += 5 * few
    assert "block 2 of 2" in find_drift(evidence_of(X, y), few)[0].explanation


@pytest.mark.parametrize(
    ("time", "message"),
    [
        ([1.0] * 7, "time has shape"),
        (["a", "b"] * 100, "time must hold numbers or dates"),
        ([np.nan, *range(199)], "time has no value in 1 of 200 rows"),
        ("x9", "unknown column x9"),
    ],
)
def test_bad_times_are_refused(time, message):
    with pytest.raises(ValueError, match=message):
        find_troubles(*blobs(200, 2), time=time)


def test_a_column_of_text_is_no_time():
    table = pd.DataFrame(blobs(200, 2)[0], columns=["a", "b"]).assign(colour=["red", "blue"] * 100)
    with pytest.raises(ValueError, match="time='colour' is not allowed: the column is taken for category"):
        find_troubles(table, [0, 1] * 100, time="colour")
