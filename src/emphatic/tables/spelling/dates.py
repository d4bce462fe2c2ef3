"""Dates as people write them: 2024-01-31, 31.1.2024, 1/31/24 5:30 PM, 31 Jan 2024, 20240131."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone

import numpy as np

from emphatic.check import FloatArray
from emphatic.fields import Text, saved
from emphatic.tables.spelling.cells import read_cells
from emphatic.tables.spelling.missing import is_missing_mark

ORDERS = ("ymd", "dmy", "mdy")
"""Of year, month and day."""

PIVOT = 69
"""Two digits of a year: from here on they are of the 1900s, below of the 2000s, as POSIX has it."""

_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTHS = {name: month for month, name in enumerate(_NAMES, start=1)}
_TIME = (
    r"(?:[T ,]+(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,](?P<part>\d{1,9}))?)?"
    r"\s?(?P<half>[AaPp]\.?[Mm]\.?)?\s?(?P<zone>Z|UTC|[+-]\d{2}:?(?:\d{2})?)?)?"
)
_SIGNS = re.compile(
    r"(?P<first>\d{1,4})(?P<sign>[-/.] ?)(?P<second_>\d{1,2})(?P=sign)(?P<third>\d{1,4})\.?" + _TIME, re.ASCII
)
_NAMED = re.compile(
    r"(?:\w{3,9}, )?(?:(?P<day>\d{1,2})\.?(?:st|nd|rd|th)?[- ](?P<name>[A-Za-z]{3,9})\.?[- ,]+"
    r"|(?P<name_>[A-Za-z]{3,9})\.? (?P<day_>\d{1,2})(?:st|nd|rd|th)?,? )(?P<year>\d{4}|\d{2})" + _TIME,
    re.ASCII,
)
_DIGITS = re.compile(r"(?P<year>(?:19|20)\d\d)(?P<month>\d\d)(?P<day>\d\d)", re.ASCII)

Fields = tuple[int, int, int]


@saved(order=Text(*ORDERS), ambiguous=Text())
@dataclass(frozen=True)
class DateSpelling:
    """The order of day, month and year where all three are numbers; names of months and times need no order.

    `ambiguous` is a date that would have another meaning in the second reading that all dates allow.

    >>> DateSpelling("dmy").read(["1.2.1970", None, "1/2/70 00:01", "2 Jan 1970"])
    array([2678400.,      nan, 2678460.,   86400.])
    """

    order: str = "ymd"
    ambiguous: str = ""

    @classmethod
    def learn(cls, texts: Sequence[str | None], order: str | None = None) -> DateSpelling | None:
        """The spelling of a column, or None if it does not hold dates; `order` decides where two would do."""
        distinct = [text for text in dict.fromkeys(texts) if text is not None and not is_missing_mark(text)]
        if not distinct or not _looks_like_date(distinct[0]):
            return None
        fitting = [one for one in ORDERS if all(cls(one).fits(text) for text in distinct)]
        if not fitting:
            return None
        by_values: dict[tuple[float, ...], str] = {}
        for one in fitting:
            by_values.setdefault(tuple(cls(one).read(distinct)), one)
        readings = list(by_values.values())
        if len(readings) == 1:
            return cls(readings[0])
        # 1/2/2024: with slashes the month is written first more often; with points and hyphens the day.
        usual = "mdy" if any("/" in text for text in distinct) else "dmy"
        chosen = next(one for one in (order, usual, *readings) if one in readings)
        rest = next(one for one in readings if one != chosen)
        example = next(text for text in distinct if cls(chosen).read([text]) != cls(rest).read([text]))
        return cls(chosen, "" if chosen == order else example)

    def fits(self, text: str) -> bool:
        """Whether the text is a date in this spelling."""
        return _parse(text, self.order) is not None

    def read(self, texts: Sequence[str | None]) -> FloatArray:
        """Seconds since 1970, NaN for missing ones; a ValueError names the first text that is no date."""
        return read_cells(texts, self._read_one)

    def _read_one(self, text: str) -> float:
        if is_missing_mark(text):
            return np.nan
        seconds = _parse(text, self.order)
        if seconds is None:
            raise ValueError(f"holds {text!r}, which is not a date {self.describe() or 'such as 2024-01-31'}")
        return seconds

    def describe(self) -> str:
        """In words, as far as it is not year, month, day."""
        words = {"y": "year", "m": "month", "d": "day"}
        return "" if self.order == "ymd" else f"written {', '.join(words[one] for one in self.order)}"

    def check_saved(self) -> None:
        """Raise ValueError unless the ambiguous date is one."""
        if self.ambiguous and not self.fits(self.ambiguous):
            raise ValueError(f"{self.ambiguous!r} is no date")

    @property
    def doubt(self) -> str:
        """What is ambiguous about it, in words; nothing if nothing is."""
        if not self.ambiguous:
            return ""
        read = datetime.fromtimestamp(self._read_one(self.ambiguous), UTC)
        return f"{self.ambiguous} is read as {read.day} {read:%B %Y}; day and month could also be the other way round"


def _looks_like_date(text: str) -> bool:
    return any(pattern.fullmatch(text.strip()) for pattern in (_SIGNS, _NAMED, _DIGITS))


def _parse(text: str, order: str) -> float | None:
    """Seconds since 1970, or None if this is no date in this order."""
    text = text.strip()
    if match := _SIGNS.fullmatch(text):
        found = match.groupdict()
        fields = _arrange((found["first"], found["second_"], found["third"]), order)
    elif match := _NAMED.fullmatch(text):
        found = match.groupdict()
        month = _MONTHS.get((found["name"] or found["name_"])[:3].lower())
        fields = None if month is None else (_widen(found["year"]), month, int(found["day"] or found["day_"]))
    elif match := _DIGITS.fullmatch(text):
        found = match.groupdict()
        fields = int(found["year"]), int(found["month"]), int(found["day"])
    else:
        return None
    return None if fields is None else _count_seconds(fields, found)


def _arrange(parts: tuple[str, str, str], order: str) -> Fields | None:
    """Year, month and day. Four digits are a year wherever they stand, and in the middle there is none."""
    given = dict(zip(order, parts, strict=True))
    if len(given["y"]) not in (2, 4) or len(given["m"]) > 2 or len(given["d"]) > 2:
        return None
    if order == "ymd" and len(given["y"]) != 4:
        return None
    return _widen(given["y"]), int(given["m"]), int(given["d"])


def _widen(year: str) -> int:
    return int(year) + (0 if len(year) == 4 else 1900 if int(year) >= PIVOT else 2000)


def _count_seconds(fields: Fields, found: dict[str, str | None]) -> float | None:
    hour, minute, second = (int(found.get(name) or 0) for name in ("hour", "minute", "second"))
    half = (found.get("half") or "").lower()
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    try:
        moment = datetime(*fields, hour, minute, min(second, 59), tzinfo=_read_zone(found.get("zone")))
    except ValueError:
        return None
    part = found.get("part")
    return moment.timestamp() + (second - min(second, 59)) + (float(f"0.{part}") if part else 0.0)


def _read_zone(zone: str | None) -> timezone:
    if not zone or zone in ("Z", "UTC"):
        return UTC
    digits = zone[1:].replace(":", "").ljust(4, "0")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return timezone(-offset if zone[0] == "-" else offset)
