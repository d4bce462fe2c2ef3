"""Lines after the last row: totals and notes, which are no rows."""

from __future__ import annotations

import csv
import re

from emphatic.tables.files.cells import is_number
from emphatic.tables.files.dialect import Dialect
from emphatic.wording import count

LAST = 20
"""Lines at the end that are looked at."""
_TOTAL = re.compile(
    r"((grand |sub)?totals?|sum|summe|gesamt|gesamtsumme|somme|suma|totale|average|mean)\s*:?", re.IGNORECASE
)
_NOTE = re.compile(r"(sources?|notes?|footnote|quelle|hinweis|\*|#|©|\(?\d+ rows?\b).*", re.IGNORECASE)


def count_empty_rows(rows: list[list[str]]) -> int:
    """How many of the last rows have cells but nothing in them, as spreadsheets leave them."""
    n = 0
    for row in reversed([row for row in rows if row]):
        if len(row) < 2 or any(cell.strip() for cell in row):
            break
        n += 1
    return n


def describe_footer(n: int, noun: str) -> str:
    """A remark about lines that are left out."""
    verb = "looks like a total or a note and is" if n == 1 else "look like totals or notes and are"
    return f"the last {noun if n == 1 else count(n, noun)} {verb} left out; --footer 0 keeps all"


def split_last(line: str, dialect: Dialect, width: int) -> list[str]:
    """The cells of a line taken by itself; as if it were a row if it may be a part of a cell of several lines."""
    if dialect.quote and line.count(dialect.quote) % 2:
        return [line] * width
    try:
        return next(iter(dialect.read_rows([line])), [])
    except csv.Error:
        return [line] * width


def count_footer_lines(rows: list[list[str]], width: int) -> int:
    """How many of these last lines (blank ones are empty lists) are totals or notes rather than rows."""
    if width < 2:
        return 0
    n = _count_notes(rows, width)
    kept = [row for row in rows if row][: -n or None]
    while len(kept) > 1 and _is_total(kept[-1], width):
        kept.pop()
        n += 1
    return n


def _count_notes(rows: list[list[str]], width: int) -> int:
    """Lines of another length, after a blank line or with the words of a note: a row that is cut off is neither."""
    while rows and not rows[-1]:
        rows = rows[:-1]
    blank = max((i for i, row in enumerate(rows) if not row), default=None)
    after = rows[blank + 1 :] if blank is not None else []
    if after and all(_is_note(row, width) for row in after):
        above = rows[:blank]
        return len(after) + _count_notes(above, width)
    n = 0
    while n < len(rows) and rows[-1 - n] and _NOTE.fullmatch(rows[-1 - n][0].strip()) and _is_note(rows[-1 - n], width):
        n += 1
    return n


def _is_note(row: list[str], width: int) -> bool:
    if sum(bool(cell.strip()) for cell in row) == 1:
        return len(row) == 1 or width > 2
    return len(row) != width and _NOTE.fullmatch(row[0].strip()) is not None


def _is_total(row: list[str], width: int) -> bool:
    cells = [cell.strip() for cell in row if cell.strip()]
    if not cells or len(row) > width:
        return False
    return _TOTAL.fullmatch(cells[0]) is not None and any(is_number(cell) for cell in cells[1:])
