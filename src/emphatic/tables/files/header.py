"""Where the rows begin: lines before the header, header lines and names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from emphatic.tables.files.cells import is_measured
from emphatic.tables.files.header_lines import count_header_lines
from emphatic.tables.files.options import Options
from emphatic.tables.writing import restore_cell
from emphatic.wording import count

MOST_COLUMNS = 100_000
Rows = Sequence[tuple[int, list[str]]]
_COMMENT = re.compile(r"(# |##|%|//|--).*|#")


@dataclass(frozen=True)
class Shape:
    """The line numbers count from 1; `row_names` says that rows begin with a cell that the header does not name."""

    skipped: int
    header: int
    names: tuple[str, ...]
    row_names: bool
    remarks: tuple[str, ...]


def find_shape(rows: Rows, width: int, options: Options, name: str) -> Shape:
    """Find the header among the first rows, whose usual length is `width`; each comes with the line it ends at."""
    if width > MOST_COLUMNS:
        raise ValueError(
            f"{name} has {width:,} columns, over {MOST_COLUMNS:,}: keep those that matter, or swap rows and columns"
        )
    filled = [i for i, (_, row) in enumerate(rows) if any(cell.strip() for cell in row)]
    if not filled:
        raise ValueError(f"{name} is empty")
    remarks: list[str] = []
    first = _find_first([rows[i][1] for i in filled], width, remarks) if options.skip is None else 0
    skipped = rows[filled[first] - 1][0] if filled[first] and options.skip is None else 0
    below = [rows[i][1] for i in filled[first:]]
    header = options.header if options.header is not None else count_header_lines(below, remarks)
    body = below[header:]
    widest = max(map(len, body), default=0)
    names = _join(below[:header]) if header else [f"column_{j + 1}" for j in range(width)]
    used = max((_count_used(row) for row in body), default=1) if not names[-1] else len(names)
    while not names[-1] and len(names) > used:
        names.pop()  # separators at the ends of the lines
    filled_ends = sum(len(row) == len(names) + 1 and bool(row[-1].strip()) for row in body)
    row_names = header > 0 and widest == len(names) + 1 and filled_ends > len(body) / 2
    if row_names:
        remarks.append(
            "the header has one name fewer than the rows, as R writes it: the first column is called Unnamed: 0"
        )
        names = ["", *names]
    return Shape(skipped, header, check_names(names, name, remarks, row_names), row_names, tuple(remarks))


def _find_first(rows: list[list[str]], width: int, remarks: list[str]) -> int:
    """The index of the header: the first row that has the usual length, and is no title or comment."""
    for i, row in enumerate(rows):
        below = rows[i + 1] if i + 1 < len(rows) else []
        values_below = any(map(is_measured, below))
        if width > 1 and sum(bool(cell.strip()) for cell in row) == 1:
            continue
        if _COMMENT.fullmatch(row[0].strip()) and below and (len(row) != width or not values_below):
            if len(row) == width:
                remarks.append(f"{row[0].strip()[:40]!r} is taken for a comment before the header; --skip overrides")
            continue
        shorter = len(row) == width - 1 == len(below) - 1 and (not below[-1] or values_below)
        if len(row) >= width or shorter:
            return i
    return 0


def _join(header: list[list[str]]) -> list[str]:
    names = [str(restore_cell(cell)).strip() for cell in header[0]]
    if len(header) == 1:
        return names
    below = [cell.strip() for cell in header[1]]
    spread = not all(names[: len(below)])  # a name above several columns stands above the first of them
    for j in range(1, len(names)):
        if spread and not names[j]:
            names[j] = names[j - 1]
    names += [""] * (len(below) - len(names))
    return [f"{name} {unit}".strip() for name, unit in zip(names, [*below, *[""] * len(names)])]


def check_names(names: list[str], name: str, remarks: list[str], row_names: bool = False) -> tuple[str, ...]:
    """The names of the columns, where some may be made up but none may occur twice."""
    unnamed = [j for j, one in enumerate(names) if not one]
    if unnamed and not row_names:
        remarks.append(f"{count(len(unnamed), 'column')} without a name: the first is called Unnamed: {unnamed[0]}")
    names = [one or f"Unnamed: {j}" for j, one in enumerate(names)]
    seen: set[str] = set()
    for one in names:
        if one in seen:
            raise ValueError(f"{name} has several columns named {one}; column names must be unique")
        seen.add(one)
    return tuple(names)


def _count_used(row: list[str]) -> int:
    """The number of cells without the empty ones at the end."""
    n = len(row)
    while n > 1 and not row[n - 1].strip():
        n -= 1
    return n
