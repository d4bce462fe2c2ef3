"""Dates as people write them, in whatever order, in seconds since 1970."""

from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emphatic.tables.spelling import DateSpelling
from emphatic.tables.spelling.dates import ORDERS


def seconds(*fields):
    return datetime(*fields, tzinfo=UTC).timestamp()


READ = {
    "2024-01-31": seconds(2024, 1, 31),
    "2024/1/31": seconds(2024, 1, 31),
    "31.1.2024": seconds(2024, 1, 31),
    "31. 1. 2024": seconds(2024, 1, 31),
    "1/31/24": seconds(2024, 1, 31),
    "31-01-1969": seconds(1969, 1, 31),
    "31.1.69": seconds(1969, 1, 31),
    "31 Jan 2024": seconds(2024, 1, 31),
    "31st January 2024": seconds(2024, 1, 31),
    "Jan. 31, 2024": seconds(2024, 1, 31),
    "31-Jan-24": seconds(2024, 1, 31),
    "Wed, 31 Jan 2024 10:11:12": seconds(2024, 1, 31, 10, 11, 12),
    "20240131": seconds(2024, 1, 31),
    "2024-01-31T10:11:12.5Z": seconds(2024, 1, 31, 10, 11, 12) + 0.5,
    "2024-01-31 10:11+02:00": seconds(2024, 1, 31, 8, 11),
    "2024-01-31 10:11:12 -0330": seconds(2024, 1, 31, 13, 41, 12),
    "1/31/2024 12:05 AM": seconds(2024, 1, 31, 0, 5),
    "1/31/2024 12:05 pm": seconds(2024, 1, 31, 12, 5),
}


@pytest.mark.parametrize("text", READ)
def test_what_is_read(text):
    spelling = DateSpelling.learn([text, None, "NA"])
    np.testing.assert_array_equal(spelling.read([text, None, "NA"]), [READ[text], np.nan, np.nan])
    assert spelling.doubt == ""


@pytest.mark.parametrize(
    "text",
    ["2024-13-01", "2024-02-30", "31.1", "12:30", "1.5", "2024", "12345678", "31 Foo 2024", "1/31/24 13:00 PM"],
)
def test_what_is_no_date(text):
    assert DateSpelling.learn([text]) is None


def test_the_order_is_found_where_a_single_date_shows_it():
    assert DateSpelling.learn(["1/2/2024", "1/13/2024"]).order == "mdy"
    assert DateSpelling.learn(["1/2/2024", "13/1/2024"]).order == "dmy"
    assert DateSpelling.learn(["1/13/2024", "13/1/2024"]) is None, "no order reads both"
    open_order = DateSpelling.learn(["1/2/2024", "3/4/2024"])
    assert open_order.order == "mdy"
    assert open_order.doubt == ("1/2/2024 is read as 2 January 2024; day and month could also be the other way round")
    assert DateSpelling.learn(["1.2.2024", "3.4.2024"]).order == "dmy"
    decided = DateSpelling.learn(["1/2/2024", "3/4/2024"], order="dmy")
    assert (decided.order, decided.doubt) == ("dmy", "")
    assert DateSpelling.learn(["1/1/2024", "2/2/2024"]).doubt == "", "the same either way"


def test_another_order_later_is_an_error_that_names_the_cell():
    with pytest.raises(ValueError, match=r"holds '13/1/2024', which is not a date written month, day, year"):
        DateSpelling.learn(["1/13/2024"]).read(["1/2/2024", "13/1/2024"])


@given(
    st.lists(st.datetimes(datetime(1000, 1, 1), datetime(9999, 12, 28)), min_size=1, max_size=10),
    st.sampled_from(ORDERS),
    st.sampled_from(["-", "/", "."]),
)
def test_dates_come_back_in_every_order(dates, order, sign):
    names = {"y": "{0.year:04d}", "m": "{0.month}", "d": "{0.day}"}
    texts = [sign.join(names[one] for one in order).format(date) for date in dates]
    wanted = [datetime(date.year, date.month, date.day, tzinfo=UTC).timestamp() for date in dates]
    found = DateSpelling.learn(texts)
    assert np.array_equal(found.read(texts), wanted) or found.doubt
    np.testing.assert_array_equal(DateSpelling.learn(texts, order=order).read(texts), wanted)


@given(st.lists(st.text("0123456789-/.: TZJanPM+", max_size=25) | st.none(), min_size=1))
def test_any_text_is_read_or_left(texts):
    found = DateSpelling.learn(texts)
    if found is not None:
        assert len(found.read(texts)) == len(texts)
        assert isinstance(found.describe() + found.doubt, str)
