"""What differs between the training table and another one, gathered batch by batch and said in a few lines."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import numpy as np

from emphatic.tables.profile.categories import CategoryProfile
from emphatic.tables.profile.drift import find_drift
from emphatic.tables.profile.profile import ColumnProfile, Profile, read_values

N_NAMED = 3
"""Columns that a line names, the worst first."""

N_EXAMPLES = 3
LONGEST = 30
"""Characters of an example."""

MISSING = "missing values where the training table has none"
DRIFT = "columns that are distributed otherwise than in training"
STRANGE = {
    "category": "categories that the training table does not have",
    "boolean": "categories that the training table does not have",
    "many": "categories that the training table does not have, or rarely",  # it has too many to remember them all
    "text": "text without a word of the training table",
    "number": "numbers outside the range of the training table",
    "date": "dates outside the range of the training table",
}
_ORDER = tuple(dict.fromkeys([*STRANGE.values(), MISSING, DRIFT]))


class Difference(NamedTuple):
    """One kind of difference in one column: how much of it there is, and what to say about it."""

    title: str
    amount: float
    text: str


class ColumnDifferences:
    """What the cells of one column have been so far, beside what they were in training."""

    def __init__(self, profile: ColumnProfile) -> None:
        self.profile = profile
        self.counts = np.zeros_like(profile.counts)
        self.n_strange = 0
        self.strange: list[Any] = []  # the extremes of numbers and dates, examples of texts

    def add(self, values: Any) -> None:
        """Add the cells of the next rows."""
        profile: Any = self.profile
        self.counts = self.counts + profile.count(values)
        strange = profile.find_strange(values)
        self.n_strange += len(strange)
        both = [*self.strange, *strange]
        if profile.kind in ("number", "date"):
            self.strange = [min(both), max(both)] if both else []
        else:
            self.strange = list(dict.fromkeys(both))[:N_EXAMPLES]

    def list_differences(self, n_columns: int) -> Iterator[Difference]:
        """All differences; `n_columns` are looked at, of which some may differ by chance."""
        n_rows = int(self.counts.sum())
        if not n_rows:
            return
        name, before, after = self.profile.name, self.profile.counts, self.counts
        if self.n_strange and self._is_worth_a_word(n_columns):
            found = f"{self.n_strange:,} of {n_rows:,} rows{self._describe_strange()}"
            yield Difference(STRANGE[self._what_is_strange()], self.n_strange, f"{name} ({found})")
        if after[-1] and not before[-1]:
            yield Difference(MISSING, after[-1], f"{name} ({after[-1]:,} of {n_rows:,} rows)")
        if self.profile.kind == "date":  # time goes on
            before, after = (np.array([counts[:-1].sum(), counts[-1]]) for counts in (before, after))
        distance = find_drift(before, after, n_columns)
        if distance:
            yield Difference(DRIFT, distance, f"{name} (distance {distance:.2f})")

    def _what_is_strange(self) -> str:
        many = isinstance(self.profile, CategoryProfile) and not self.profile.known.complete
        return "many" if many else self.profile.kind

    def _is_worth_a_word(self, n_columns: int) -> bool:
        """Where strange cells are to be expected, only more of them than in training are, or nothing else."""
        if self._what_is_strange() not in ("many", "text"):
            return True
        profile: Any = self.profile
        before = np.array([profile.counts[:-1].sum() - profile.n_strange, profile.n_strange])
        after = np.array([self.counts[:-1].sum() - self.n_strange, self.n_strange])
        more = before[1] / before.sum() < after[1] / after.sum()
        return not after[0] or (more and find_drift(before, after, n_columns) > 0)

    def _describe_strange(self) -> str:
        profile: Any = self.profile
        if profile.kind not in ("number", "date"):
            return f", such as {_show_examples(self.strange)}"
        show = _show_date if profile.kind == "date" else "{:g}".format
        low, high = self.strange
        found = show(low) if low == high else f"{show(low)} to {show(high)}"
        return f": {found}, instead of {show(profile.low)} to {show(profile.high)}"


class Differences:
    """What differs from the table of a profile.

    >>> import pandas as pd
    >>> from emphatic.tables import decide_columns
    >>> training = pd.DataFrame({"age": range(18, 80), "size": ["s", "l"] * 31})
    >>> differences = Differences(Profile.learn(training, decide_columns(training, columns={"age": "number"})))
    >>> differences.add(pd.DataFrame({"age": [20, 119, None], "size": ["s", "xl", "l"]}))
    >>> for remark in differences.list_remarks():
    ...     print(remark)
    categories that the training table does not have: size (1 of 3 rows, such as 'xl')
    numbers outside the range of the training table: age (1 of 3 rows: 119, instead of 18 to 79)
    missing values where the training table has none: age (1 of 3 rows)
    """

    def __init__(self, profile: Profile) -> None:
        self.decisions = profile.decisions
        self.columns = [ColumnDifferences(column) for column in profile.columns]

    def add(self, rows: Any) -> None:
        """Add the next rows: a data frame that has at least the columns of the profile."""
        for column, values in zip(self.columns, read_values(rows, self.decisions), strict=True):
            column.add(values)

    def list_remarks(self) -> list[str]:
        """One line for each kind of difference, the columns with most of it first."""
        found = [one for column in self.columns for one in column.list_differences(len(self.columns))]
        lines = []
        for title in _ORDER:
            texts = [one.text for one in sorted(found, key=lambda one: -one.amount) if one.title == title]
            more = [f"{len(texts) - N_NAMED} more"] if len(texts) > N_NAMED else []
            lines += [f"{title}: {', '.join(texts[:N_NAMED] + more)}"] if texts else []
        return lines


def _show_examples(examples: list[str]) -> str:
    return ", ".join(repr(text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}...") for text in examples)


def _show_date(seconds: float) -> str:
    try:
        date = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
    except OverflowError:
        return f"{seconds:g} s"
    return date.strftime("%Y-%m-%d") if seconds % 86400 == 0 else date.strftime("%Y-%m-%d %H:%M:%S")
