"""The order of rows in time, however it is written."""

from datetime import UTC, date, datetime

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emphatic.study.order import as_order


@given(st.lists(st.datetimes(datetime(1800, 1, 1), datetime(2300, 1, 1)), min_size=1))
def test_text_and_dates_and_pandas_agree(moments):
    expected = [moment.replace(tzinfo=UTC).timestamp() for moment in moments]
    for values in (moments, [moment.isoformat(" ") for moment in moments], pd.Series(moments, dtype="datetime64[us]")):
        np.testing.assert_allclose(as_order(values), expected, rtol=0, atol=1e-5)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_numbers_are_their_own_order_also_as_text(numbers):
    assert as_order(numbers).tolist() == numbers
    assert as_order([repr(one) for one in numbers]).tolist() == numbers


@pytest.mark.parametrize(
    "values",
    [
        [date(2024, 5, 31), date(2024, 6, 1)],
        ["2024-05-31", "2024-06-01T00:00"],
        ["2024-05-31T23:00+02:00", "2024-05-31T22:00Z"],
        pd.Series(["2024-05-31", "2024-06-01"]).astype("datetime64[ns, Europe/Madrid]"),
        np.array(["2024-05-31", "2024-06-01"], dtype="datetime64[D]"),
        pd.Series(["9", "10"], dtype="category"),
        [-1, np.int64(7)],
    ],
)
def test_later_is_larger(values):
    first, second = as_order(values)
    assert first < second


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            ["Monday", "Tuesday"],
            "when cannot be ordered in time: 'Monday' is neither a number nor a date such as 2024-",
        ),
        (["31.05.2024", "01.06.2024"], "'31.05.2024' is neither a number nor a date"),
        (["2024-05-31", None, ""], "when has no value in 2 rows"),
        ([1.0, np.nan], "when has no value in 1 row:"),
        (pd.array(["2024-05-31", pd.NA], dtype="string"), "when has no value in 1 row:"),
        (["1", "nan"], "when holds NaN or infinity"),
        ([True, False], "when holds truth values"),
        (["2024-05-31T23:00+02:00", "2024-05-31"], "when has 1 time with a time zone and others without"),
        ([[1], [2]], r"when has shape \(2, 1\)"),
    ],
)
def test_what_has_no_order_is_named(values, message):
    with pytest.raises(ValueError, match=message):
        as_order(values, "when")
