"""Quotes that went wrong: how they are found, so that none merges rows in silence, and what is said."""

from __future__ import annotations

import re
from itertools import pairwise

from emphatic.tables.files.dialect import UNIT, Dialect


def swallows_rows(row: list[str], separator: str | None, spaces: bool) -> bool:
    """Whether a cell of several lines looks as if it had swallowed the rows between two stray quotes.

    That is so if its pieces, with the cells before and after it, make rows of the right length. A separator before a
    space is not counted: so is prose written.

    >>> swallows_rows(["1", "5 inch,a\\n2,foo,b\\n3,7", "c"], ",", False)
    True
    >>> swallows_rows(["1", "first line\\nsecond, and last line", "c"], ",", False)
    False
    """
    n = len(row)
    if separator is None or n < 2:
        return False
    sign = re.compile(re.escape(separator if len(separator) == 1 else UNIT) + ("" if spaces else "(?! )"))
    for j, cell in enumerate(row):
        pieces = cell.splitlines() if "\n" in cell or "\r" in cell else []
        if len(pieces) > 1:
            first, *middle, last = (len(sign.findall(piece)) + 1 for piece in pieces)
            if j + first == n and last + n - 1 - j == n and all(one == n for one in middle):
                return True
    return False


def has_quoted_cells(lines: list[str], separator: str | None) -> bool:
    """Whether some cell is quoted, so that quotes cannot all be plain text."""
    edge = re.escape(separator or "\n")
    quoted = re.compile(rf'(^|{edge}) *"[^"\n]*" *($|{edge})', re.MULTILINE)
    return quoted.search("".join(lines).replace("\r", "\n")) is not None


def find_plain_quote(rows: list[tuple[int, list[str]]], lines: list[str], dialect: Dialect) -> int | None:
    """The line of the first cell with a quote in it that is not quoted itself, as it should be."""
    quote, starts = dialect.quote, [0, *(line for line, _ in rows)]
    if quote is None or dialect.escape:
        return None
    for (start, end), (_, row) in zip(pairwise(starts), rows, strict=True):
        for cell in dialect.restore(row):
            if quote in cell and f"{quote}{cell.replace(quote, 2 * quote)}{quote}" not in "".join(lines[start:end]):
                return start + 1
    return None


def explain_quote(where: str, reason: str) -> str:
    """What is wrong with a quote, and what helps."""
    if "field larger" in reason:
        reason = "a cell is longer than any should be, as if a quote were not closed"
    elif "unexpected end" in reason:
        reason = "a quote is opened and never closed"
    elif "expected after" in reason:
        reason = "a quote stands inside a quoted cell"
    return f"{where}: {reason}; double quotes inside cells, or read them as plain text with --quote none"
