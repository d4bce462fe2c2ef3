"""Numbers as people write them: 1.5, 1,5, 1,234.50, 12 345, 5%, $3, −1, and marks for missing values among them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from emphatic.check import FloatArray
from emphatic.fields import Flag, Maybe, Text, TupleOf, saved
from emphatic.tables.repeated import tally
from emphatic.tables.spelling.cells import read_cells
from emphatic.tables.spelling.missing import is_missing_mark

READINGS = ((".", ""), (",", ""), (".", ","), (",", "."), (".", " "), (",", " "), (".", "'"), (",", "'"))
"""Decimal sign and thousands separator; the first that reads all numbers of a column is taken."""

MOST_DIGITS = 15
"""More digits are a code, such as the number of a card: float64 could not hold them."""

MOST_WORDS, WORD_SHARE, LEAST_NUMBERS = 3, 0.1, 10
"""A column of more than so many distinct numbers may hold so many other words, in a tenth of its cells: marks."""

_SAME = str.maketrans({"−": "-", "–": "-", "﹣": "-", "－": "-", "\u00a0": " ", "\u202f": " ", "\u2009": " ", "’": "'"})
_DIGIT = re.compile(r"\d")
_PLAIN = re.compile(r"[+-]?[\d.,]*\d", re.ASCII)
_NAMES = {".": "point", ",": "comma", " ": "space", "'": "apostrophe"}


@saved(
    decimal=Text(".", ","),
    thousands=Text("", ",", ".", " ", "'"),
    unit=Text(),
    marks=TupleOf(Text()),
    shows_decimal=Flag(),
    other=Maybe(TupleOf(Text())),
    example=Text(),
)
@dataclass(frozen=True)
class NumberSpelling:
    """How the numbers of a column are written.

    `marks` are words that stand for missing values; the usual ones (NA, ?, ...) always do. `shows_decimal` says whether
    any number has a decimal sign. `other` is a second reading (decimal sign and thousands separator), if there is one
    that would read all of the numbers as well, but the `example` differently.

    >>> NumberSpelling(",", ".").read(["1.234,5", "−2", None, "n/a"])
    array([1234.5,   -2. ,    nan,    nan])
    """

    decimal: str = "."
    thousands: str = ""
    unit: str = ""
    marks: tuple[str, ...] = ()
    shows_decimal: bool = False
    other: tuple[str, ...] | None = None
    example: str = ""

    @classmethod
    def learn(
        cls, texts: Sequence[str | None], decimal: str | None = None, any_words: bool = False
    ) -> NumberSpelling | None:
        """The spelling of a column, or None if it does not hold numbers.

        `decimal` decides where two would do. With `any_words`, all words among the numbers mean missing values.
        """
        counts = {text: count for text, count in tally(texts).items() if text is not None}
        known = {text: count for text, count in counts.items() if not is_missing_mark(text)}
        numbers = [text for text in known if _DIGIT.search(text)]
        words = [text for text in known if not _DIGIT.search(text) and not _is_infinity(text)]
        if not numbers or not (any_words or _are_marks(words, known, len(numbers))):
            return None
        split = [_split_unit(text) for text in numbers]
        units = {unit for body, unit in split if body != "0"}
        if len(units) > 1 or any(_is_code(body) for body, _ in split):
            return None
        marks = [text for text in counts if text not in known and text.strip()]
        spelling = cls(unit=min(units, default=""), marks=(*words, *marks[:MOST_WORDS]))
        signs = {"", *set("".join(body for body, _ in split)).intersection(_NAMES)}
        possible = [(d, t) for d, t in READINGS if t in signs and (t or d == "." or d in signs)]
        fitting = [(d, t) for d, t in possible if all(map(replace(spelling, decimal=d, thousands=t).fits, numbers))]
        if not fitting:
            return None
        return _choose(spelling, fitting, numbers, decimal)

    def fits(self, text: str) -> bool:
        """Whether the text is a number in this spelling."""
        body, unit = _split_unit(text)
        return unit in (self.unit, "") and bool(_pattern(self.decimal, self.thousands).fullmatch(body))

    def read(self, texts: Sequence[str | None]) -> FloatArray:
        """Numbers, NaN for missing ones; a ValueError names the first text that is neither."""
        return read_cells(texts, self._read_one)

    def _read_one(self, text: str) -> float:
        if is_missing_mark(text) or text in self.marks:
            return np.nan
        body, unit = _split_unit(text)
        if unit not in (self.unit, "") or not _pattern(self.decimal, self.thousands).fullmatch(body):
            raise ValueError(f"holds {text!r}, which is not a number {self.describe() or 'such as -1234.5'}")
        digits = body.replace(self.thousands, "") if self.thousands else body
        return float(digits.replace(self.decimal, ".").replace(" ", ""))

    def describe(self) -> str:
        """In words, as far as it is not the usual spelling."""
        parts = []
        if self.decimal == ",":
            parts.append("a decimal comma")
        if self.thousands:
            parts.append(f"a {_NAMES[self.thousands]} between thousands")
        if self.unit:
            parts.append(f"the unit {self.unit}")
        written = f"written with {' and '.join(parts)}" if parts else ""
        marks = f"{', '.join(map(repr, self.marks))} for missing values" if self.marks else ""
        return "; ".join(filter(None, (written, marks)))

    def check_saved(self) -> None:
        """Raise ValueError unless signs differ, and both readings can read the example."""
        if (self.decimal, self.thousands) not in READINGS or (self.other is not None and self.other not in READINGS):
            raise ValueError("decimal sign and thousands separator must be one of the known pairs")
        if self.other is not None:
            self.doubt  # noqa: B018 - reads the example twice

    @property
    def doubt(self) -> str:
        """What is ambiguous about it, in words; nothing if nothing is."""
        if self.other is None:
            return ""
        here, there = self._read_one(self.example), replace(self, decimal=self.other[0], thousands=self.other[1])
        return f"{self.example} is read as {here:g}; it could also be {there._read_one(self.example):g}"


def _choose(
    spelling: NumberSpelling, fitting: Iterable[tuple[str, str]], numbers: Sequence[str], decimal: str | None
) -> NumberSpelling:
    """The first reading, or the first with the wanted decimal sign; one that reads otherwise is remembered."""
    readings = [replace(spelling, decimal=sign, thousands=thousands) for sign, thousands in fitting]
    if len(readings) > 1:  # of those that give the same numbers, the first
        by_values: dict[tuple[float, ...], NumberSpelling] = {}
        for one in readings:
            by_values.setdefault(tuple(one.read(numbers)), one)
        readings = list(by_values.values())
    if len(readings) == 1:
        return replace(readings[0], shows_decimal=any(readings[0].decimal in text for text in numbers))
    # 1,234 alone: a comma between thousands is likelier than three decimals in every cell; 1.234: the opposite.
    usual = [one for one in readings if one.decimal == "."] or readings
    wanted = [one for one in readings if one.decimal == decimal] or usual
    chosen = wanted[0]
    rest = next(one for one in readings if one is not chosen)
    example = next(text for text in numbers if chosen._read_one(text) != rest._read_one(text))
    doubt = None if decimal is not None else (rest.decimal, rest.thousands)
    return replace(chosen, other=doubt, example=example)


def _are_marks(words: Sequence[str], known: Mapping[str, int], n_numbers: int) -> bool:
    """Whether what is no number can only be marks for missing values: few words in a column of many numbers."""
    if not words:
        return True
    n_cells = sum(known[word] for word in words)
    return len(words) <= MOST_WORDS and n_cells <= WORD_SHARE * sum(known.values()) and n_numbers > LEAST_NUMBERS


def _split_unit(text: str) -> tuple[str, str]:
    """The number without its unit (a percent or currency sign), and the unit."""
    if _PLAIN.fullmatch(text):
        return text, ""
    body = text.strip().translate(_SAME)
    for place in (0, -1):
        if body and (body[place] in "%‰" or unicodedata.category(body[place]) == "Sc"):
            unit = body[place]
            return (body[1:] if place == 0 else body[:-1]).strip(), unit
    if body[:1] in "+-" and len(body) > 2 and unicodedata.category(body[1]) == "Sc":  # -$5
        return body[0] + body[2:].strip(), body[1]
    return body, ""


@cache
def _pattern(decimal: str, thousands: str) -> re.Pattern[str]:
    d, t = re.escape(decimal), re.escape(thousands)
    if thousands:
        return re.compile(rf"[+-]? ?(?:[1-9]\d{{0,2}}(?:{t}\d{{3}})+|\d+)(?:{d}\d+)?", re.ASCII)
    return re.compile(rf"[+-]? ?(?:(?:\d+(?:{d}\d*)?|{d}\d+)(?:[eE][+-]?\d+)?|inf(?:inity)?)", re.ASCII | re.IGNORECASE)


def _is_infinity(text: str) -> bool:
    return text.strip().lstrip("+-−").lower() in {"inf", "infinity"}


def _is_code(body: str) -> bool:
    """Whether it is written with leading zeros, or with more digits than a float64 holds."""
    digits = body.lstrip("+-")
    return digits.isdigit() and ((len(digits) > 1 and digits[0] == "0") or len(digits) > MOST_DIGITS)
