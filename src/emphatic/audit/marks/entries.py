"""The file of marks: what each of its lines says, and what is wrong with it.

A line names a sample in three ways: by its `index`, for people, by the digest of its features (`row`), and by that of
the whole `table`. Digests are columns like any other and begin with a word: a spreadsheet keeps them as they are, where
it would drop a comment, and make a number of 12e45.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from emphatic.audit.cells import as_plain
from emphatic.audit.marks.record import RIGHT, WRONG
from emphatic.tables.files import read_table
from emphatic.tables.writing import restore_cell

if TYPE_CHECKING:
    import pandas as pd

NEEDED = ("index", "label", "mark")
"""Columns without which nothing is known; enough if rows are found by their index."""

SAFE = ("correct", "row", "table")
"""Columns by which marks are applied to the rows that were reviewed, and no others."""


@dataclass(frozen=True)
class Entry:
    """One line, as text; `correct` is empty if the right label is not known."""

    index: str
    label: str
    mark: str
    correct: str
    row: str
    table: str

    @property
    def wrong(self) -> bool:
        """Whether the label is marked wrong."""
        return self.mark == WRONG

    def describe(self) -> str:
        """The mark in words."""
        return f"{self.mark} (correct is {self.correct})" if self.wrong and self.correct else self.mark


def read_entries(marks: str | Path | pd.DataFrame, force: bool = False) -> list[Entry]:
    """The lines that hold a mark, each sample once; a ValueError says what is wrong, and the remedy."""
    if isinstance(marks, str | Path):
        name = str(marks)
        table = read_table(Path(marks)).table
    else:
        name = "marks"
        table = marks.map(restore_cell)  # which read_table has done already
    found = {str(column).strip().lower(): table.iloc[:, j].tolist() for j, column in enumerate(table.columns)}
    _check_columns(name, found, NEEDED if force else (*NEEDED, *SAFE))
    blank = [""] * len(table)
    lines = zip(*(found.get(one.name, blank) for one in fields(Entry)), strict=True)
    entries = [entry for entry in map(_read_line, lines) if entry.mark]
    if not entries:
        raise ValueError(f"{name} holds no marks: the column mark is empty in all rows")
    _check_marks(name, entries)
    return _join_repeated(name, entries)


def _check_columns(name: str, found: Iterable[str], needed: tuple[str, ...]) -> None:
    missing = [column for column in needed if column not in found]
    if missing:
        raise ValueError(
            f"{name} has no column {', '.join(missing)}: marks are what the page of an audit downloads, with the "
            f"columns {', '.join(needed)}"
        )


def _read_line(cells: tuple[Any, ...]) -> Entry:
    index, label, mark, correct, row, table = ("" if as_plain(cell) is None else str(as_plain(cell)) for cell in cells)
    row, table = row.strip().removeprefix("row-"), table.strip().removeprefix("table-")
    return Entry(index, label, mark.strip().lower(), correct, row, table)


def _check_marks(name: str, entries: list[Entry]) -> None:
    for one in entries:
        if one.mark not in (WRONG, RIGHT):
            raise ValueError(f"{name}: the mark of index {one.index} is {one.mark!r}, and must be {WRONG} or {RIGHT}")
        if one.correct and one.wrong == (one.correct == one.label):
            raise ValueError(
                f"{name}: the label {one.label} of index {one.index} is marked {one.mark}, but the correct one is said "
                f"to be {one.correct}"
            )


def _join_repeated(name: str, entries: list[Entry]) -> list[Entry]:
    """Each sample once; ValueError if its lines contradict each other."""
    joined: dict[tuple[str, str, str], Entry] = {}
    for one in entries:
        first = joined.setdefault((one.row, one.index, one.label), one)
        if (first.mark, first.correct) != (one.mark, one.correct):
            raise ValueError(
                f"{name} contradicts itself: index {one.index} is marked {first.describe()}, and again "
                f"{one.describe()}: keep one of the lines"
            )
    return list(joined.values())
