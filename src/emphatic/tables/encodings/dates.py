"""Dates and times as numbers: elapsed time, parts of the calendar, and cycles."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from emphatic.check import FloatArray
from emphatic.fields import Array, Flag, Text, TupleOf, saved
from emphatic.tables.encodings.encoding import INDICATOR

DAY, WEEK, YEAR = 86_400.0, 604_800.0, 31_557_600.0
FURTHEST = 1e15
"""Seconds from 1970 beyond which dates are all the same: 30 million years, where a float64 still has whole seconds."""

HALF = 0.5
"""Deviation of the parts of the calendar and radius of the circles: together they weigh little more than a number."""

SMALLEST_SPREAD = 1e-6
"""Of a part, in its own unit."""

PARTS = ("elapsed", "month", "day", "weekday", "hour")
CYCLES = {"year": (YEAR, "month"), "week": (WEEK, "weekday"), "day": (DAY, "hour")}
"""The seconds of each cycle, about, and the part without which it says nothing."""


@saved(
    parts=TupleOf(Text(*PARTS), "parts"),
    means=Array(np.float64, "parts", low=-FURTHEST, high=FURTHEST),
    spreads=Array(np.float64, "parts", low=SMALLEST_SPREAD, high=FURTHEST),
    cycles=TupleOf(Text(*CYCLES)),
    has_missing=Flag(),
)
@dataclass(frozen=True)
class DateEncoding:
    """Elapsed time, parts of the calendar, and cycles as points on a circle.

    1. Elapsed seconds, scaled to unit deviation; and month, day of the month, weekday (Monday is 0) and hour, scaled to
       a deviation of 1/2, as far as they vary in the training rows. The year is no part of its own: elapsed time says
       more. Dates that all fall on the same day of the month stand for months or years: their weekday says nothing.
    2. Cycles: half the sine and cosine of the time of the year (of the calendar, from one January to the next), of the
       week and of the day, if the month, weekday or hour varies and the training rows span half of the cycle or more.
    3. A missing date is at the mean of the parts and the centre of the circles; if the training rows have missing
       dates, an indicator says so.

    >>> dates = np.array(["2024-01-31", "2024-07-31", "NaT", "2025-01-31"], dtype="M8[s]")
    >>> seconds = np.where(np.isnat(dates), np.nan, dates.astype(float))
    >>> encoding = DateEncoding.learn(seconds)
    >>> encoding.names("sold")
    ['sold_elapsed', 'sold_month', 'sold_year_sin', 'sold_year_cos', 'sold_missing']
    >>> encoding.encode(seconds).round(1)
    array([[-1.2, -0.4,  0.2,  0.4,  0. ],
           [-0. ,  0.7, -0.2, -0.4,  0. ],
           [ 0. ,  0. ,  0. ,  0. ,  0.7],
           [ 1.2, -0.4,  0.2,  0.4,  0. ]])
    """

    parts: tuple[str, ...]
    means: FloatArray
    spreads: FloatArray
    cycles: tuple[str, ...]
    has_missing: bool

    @classmethod
    def learn(cls, seconds: FloatArray) -> Self:
        """Learn from seconds since 1970, NaN for missing values."""
        missing = np.isnan(seconds)
        has_missing = bool(missing.any() and not missing.all())
        if missing.all():
            return cls((), np.empty(0), np.empty(0), (), has_missing)
        varying = {name: part for name, part in _read_parts(seconds[~missing]).items() if part.min() < part.max()}
        if "day" not in varying:
            varying.pop("weekday", None)
        span = np.ptp(varying["elapsed"]) if varying else 0.0
        cycles = tuple(name for name, (length, part) in CYCLES.items() if part in varying and span >= length / 2)
        means = np.array([part.mean() for part in varying.values()])
        spreads = np.array([max(part.std(), SMALLEST_SPREAD) for part in varying.values()])
        spreads[1:] /= HALF
        return cls(tuple(varying), means, spreads, cycles, has_missing)

    def encode(self, seconds: FloatArray) -> FloatArray:
        """(rows, n_outputs) of seconds since 1970, NaN for missing values."""
        missing = np.isnan(seconds)
        known = np.where(missing, 0.0, seconds)
        parts, phases = _read_parts(known), _read_phases(known)
        columns = [(parts[name] - mean) / spread for name, mean, spread in zip(self.parts, self.means, self.spreads)]
        for name in self.cycles:
            # of complex numbers one by one: sines of NumPy may differ in the last bit with the place in the array
            points = HALF * np.exp(2j * np.pi * phases[name])
            columns += [points.imag, points.real]
        result = np.column_stack([np.where(missing, 0.0, column) for column in columns] or [np.empty((len(known), 0))])
        return np.column_stack([result, INDICATOR * missing]) if self.has_missing else result

    def names(self, column: str) -> list[str]:
        """Such as ``column_weekday``, ``column_week_sin`` and ``column_missing``."""
        circles = [f"{name}_{axis}" for name in self.cycles for axis in ("sin", "cos")]
        return [f"{column}_{name}" for name in (*self.parts, *circles, *["missing"] * self.has_missing)]

    @property
    def n_outputs(self) -> int:
        """Numbers per date."""
        return len(self.names(""))


def _read_parts(seconds: FloatArray) -> dict[str, FloatArray]:
    seconds = np.clip(seconds, -FURTHEST, FURTHEST)
    moments = np.floor(seconds).astype("M8[s]")
    days, months = moments.astype("M8[D]"), moments.astype("M8[M]")
    return {
        "elapsed": seconds,
        "month": months.astype(np.int64) % 12 + 1.0,
        "day": (days - months.astype("M8[D]")).astype(np.int64) + 1.0,
        "weekday": (days.astype(np.int64) + 3) % 7 + 0.0,  # 1970 began on a Thursday
        "hour": seconds % DAY // 3600.0,
    }


def _read_phases(seconds: FloatArray) -> dict[str, FloatArray]:
    """Shares of each cycle that have passed, in [0, 1)."""
    seconds = np.clip(seconds, -FURTHEST, FURTHEST)
    years = np.floor(seconds).astype("M8[s]").astype("M8[Y]")
    start, end = (edge.astype("M8[s]").astype(np.float64) for edge in (years, years + 1))
    return {
        "year": (seconds - start) / (end - start),
        "week": (seconds + 3 * DAY) % WEEK / WEEK,
        "day": seconds % DAY / DAY,
    }
