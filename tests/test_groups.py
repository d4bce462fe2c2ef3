"""Groups as users give them."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from emphatic.groups import encode_groups, find_lone_classes


@pytest.mark.parametrize(
    "groups",
    [
        ["b", "a", "b"],
        [2, 1, 2],
        [0.5, -1.0, 0.5],
        [True, False, True],
        pd.Series(["b", "a", "b"], index=[7, 8, 9]),
        pd.Categorical(["b", "a", "b"]),
        pl.Series(["b", "a", "b"]),
        np.array(["2024-02-01", "2024-01-01", "2024-02-01"], dtype="datetime64[D]"),
    ],
)
def test_groups_of_any_kind_are_codes_in_their_sorted_order(groups):
    assert encode_groups(groups, 3).tolist() == [1, 0, 1]


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        (["a", "b"], r"groups has shape \(2,\), but X has 3 rows: groups must have shape \(3,\)"),
        ([["a"], ["b"], ["a"]], r"groups has shape \(3, 1\)"),
        ("patient", r"groups has shape \(\), but X has 3 rows"),
        ([1.0, np.nan, 2.0], "groups has no value in 1 row: every row needs its group"),
        (["a", None, None], "groups has no value in 2 rows"),
        (pd.Series(["a", "b", pd.NA], dtype="string"), "groups has no value in 1 row"),
        (np.array(["2024-01-01", "NaT", "2024-01-01"], dtype="datetime64[D]"), "groups has no value in 1 row"),
        (np.array(["a", 1, 2], dtype=object), "groups holds values of mixed type"),
        (["a", "a", "a"], "groups holds one group only: at least 2 are needed"),
    ],
)
def test_what_groups_cannot_be_is_said(groups, message):
    with pytest.raises(ValueError, match=message):
        encode_groups(groups, 3)


def test_a_lone_class_has_all_its_rows_in_one_group():
    codes, groups = np.array([0, 0, 1, 1, 2]), np.array([0, 1, 1, 1, 0])
    assert find_lone_classes(codes, groups).tolist() == [1, 2]
