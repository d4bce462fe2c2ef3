"""DateEncoding: calendar parts as Python's datetime has them, exact periods, and what is left out."""

import datetime

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emphatic.tables.encodings import DateEncoding

DAY = 86_400.0
MISSING = np.nan


def to_seconds(*texts):
    dates = np.array(texts, dtype="M8[s]")
    return np.where(np.isnat(dates), np.nan, dates.astype(np.float64))


def every(hours, n, start="2020-01-01"):
    return to_seconds(start)[0] + 3600.0 * hours * np.arange(n)


def get(encoding, name, seconds):
    return encoding.encode(np.asarray(seconds, dtype=float))[:, encoding.names("t").index(f"t_{name}")]


@given(st.datetimes(datetime.datetime(1, 1, 1), datetime.datetime(9999, 12, 31)))
@settings(max_examples=200, deadline=None)
def test_parts_are_those_of_the_calendar(moment):
    encoding = DateEncoding.learn(every(1, 24 * 400))
    seconds = (moment - datetime.datetime(1970, 1, 1)) / datetime.timedelta(seconds=1)
    codes = encoding.encode(np.array([seconds]))[0, : len(encoding.parts)]
    found = dict(zip(encoding.parts, codes * encoding.spreads + encoding.means, strict=True))
    expected = {"month": moment.month, "day": moment.day, "weekday": moment.weekday(), "hour": moment.hour}
    assert found.pop("elapsed") == pytest.approx(seconds, rel=1e-12, abs=1e-4)  # the mean is 1.6e9
    assert found == pytest.approx(expected, abs=1e-9)


def test_names_of_hourly_dates():
    assert DateEncoding.learn(every(1, 24 * 400)).names("t") == [
        *("t_elapsed", "t_month", "t_day", "t_weekday", "t_hour"),
        *("t_year_sin", "t_year_cos", "t_week_sin", "t_week_cos", "t_day_sin", "t_day_cos"),
    ]


@pytest.mark.parametrize(
    ("seconds", "names"),
    [
        (every(24, 400), ["elapsed", "month", "day", "weekday", "year_sin", "year_cos", "week_sin", "week_cos"]),
        (every(24, 20), ["elapsed", "day", "weekday", "week_sin", "week_cos"]),  # of one month
        (to_seconds("2020-01-01", "2020-02-01", "2021-05-01"), ["elapsed", "month", "year_sin", "year_cos"]),
        (to_seconds("2020-01-01", "2021-01-01", "2022-01-01"), ["elapsed"]),  # years
        (every(1, 24), ["elapsed", "hour", "day_sin", "day_cos"]),  # one day
        (every(1, 5), ["elapsed", "hour"]),  # too short for a cycle
        (to_seconds("2020-01-01", "2020-01-01"), []),
        (to_seconds("2020-01-01"), []),
        (to_seconds("2020-01-01", "NaT"), ["missing"]),
        (to_seconds("NaT", "NaT"), []),
        (np.empty(0), []),
    ],
)
def test_only_what_varies_is_used(seconds, names):
    encoding = DateEncoding.learn(seconds)
    assert encoding.names("t") == [f"t_{name}" for name in names]
    assert encoding.encode(seconds).shape == (len(seconds), encoding.n_outputs) == (len(seconds), len(names))


def test_elapsed_time_has_unit_deviation_parts_and_circles_half_of_it():
    seconds = every(5, 3000)
    codes = DateEncoding.learn(seconds).encode(seconds)
    np.testing.assert_allclose(codes[:, :5].mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(codes[:, :5].std(axis=0), [1, 0.5, 0.5, 0.5, 0.5], rtol=1e-12)
    for first in (5, 7, 9):
        np.testing.assert_allclose(np.hypot(codes[:, first], codes[:, first + 1]), 0.5, rtol=1e-12)


@given(st.integers(-(10**9), 10**9), st.integers(1, 1000))
@settings(max_examples=100, deadline=None)
def test_week_and_day_have_their_periods_exactly(start, n):
    encoding = DateEncoding.learn(every(1, 24 * 400))
    for cycle, period in (("week", 7 * DAY), ("day", DAY)):
        for axis in ("sin", "cos"):
            first, later = get(encoding, f"{cycle}_{axis}", [start, start + n * period])
            assert first == later


def test_a_year_is_one_turn_whether_it_has_a_leap_day_or_not():
    encoding = DateEncoding.learn(every(24, 800))
    seconds = to_seconds("1896-01-01", "1970-01-01", "2024-01-01", "2025-01-01", "12024-01-01")
    assert get(encoding, "year_sin", seconds).tolist() == [0.0] * 5
    assert get(encoding, "year_cos", seconds).tolist() == [0.5] * 5
    middle = to_seconds("2023-07-02T12:00", "2024-07-02")  # half of 365 and of 366 days
    np.testing.assert_allclose(get(encoding, "year_cos", middle), -0.5)


def test_midnight_is_near_midnight_and_december_near_january():
    encoding = DateEncoding.learn(every(1, 24 * 800))
    late, early, noon = to_seconds("2020-12-31T23:59", "2021-01-01T00:01", "2021-07-01T12:00")
    for cycle in ("year", "day"):
        points = np.column_stack([get(encoding, f"{cycle}_{axis}", [late, early, noon]) for axis in ("sin", "cos")])
        assert np.linalg.norm(points[0] - points[1]) < 0.02 < np.linalg.norm(points[0] - points[2])


def test_missing_dates_are_at_the_mean_and_marked():
    seconds = np.append(every(1, 24 * 400), MISSING)
    encoding = DateEncoding.learn(seconds)
    missing = encoding.encode(seconds)[-1]
    assert missing.tolist() == [0.0] * 11 + [np.sqrt(0.5)]
    unmarked = DateEncoding.learn(seconds[:-1])
    assert unmarked.encode(seconds)[-1].tolist() == [0.0] * 11  # no row of the training was like that


@given(st.lists(st.one_of(st.just(MISSING), st.floats(-1e18, 1e18), st.floats(allow_nan=True)), min_size=1, max_size=9))
@settings(max_examples=200, deadline=None)
def test_any_date_is_finite_and_encoded_alone(seconds):
    seconds = np.array(seconds)
    for encoding in (DateEncoding.learn(every(1, 24 * 400)), DateEncoding.learn(seconds)):
        together = encoding.encode(seconds)
        assert np.isfinite(together).all()
        np.testing.assert_array_equal(together, np.vstack([encoding.encode(seconds[[i]]) for i in range(len(seconds))]))


def test_many_dates_are_encoded_as_single_ones():
    encoding = DateEncoding.learn(every(1, 24 * 400))
    seconds = np.random.default_rng(0).uniform(-1e10, 1e10, 500)
    np.testing.assert_array_equal(
        encoding.encode(seconds), np.vstack([encoding.encode(seconds[[i]]) for i in range(500)])
    )
