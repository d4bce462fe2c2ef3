"""Where the rows begin: lines before the header, header lines and names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from emphatic.tables.files.cells import is_measured, is_missing
from emphatic.tables.files.options import Options
from emphatic.tables.writing import restore_cell
from emphatic.wording import count

MOST_COLUMNS = 100_000
Rows = Sequence[tuple[int, list[str]]]
_COMMENT = re.compile(r"(# |##|%|//|--).*|#")
_JUDGED = 200


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
    first = _find_first([rows[i][1] for i in filled], width) if options.skip is None else 0
    skipped = rows[filled[first] - 1][0] if filled[first] and options.skip is None else 0
    below = [rows[i][1] for i in filled[first:]]
    remarks: list[str] = []
    header = options.header if options.header is not None else _count_header_lines(below[:_JUDGED], remarks)
    body = below[header:]
    widest = max((len(row) for row in body[:_JUDGED]), default=0)
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


def _find_first(rows: list[list[str]], width: int) -> int:
    """The index of the header: the first row that has the usual length, and is no title or comment."""
    for i, row in enumerate(rows):
        if _COMMENT.fullmatch(row[0].strip()) or (width > 1 and sum(bool(cell.strip()) for cell in row) == 1):
            continue
        below = rows[i + 1] if i + 1 < len(rows) else []
        shorter = len(row) == width - 1 == len(below) - 1 and (not below[-1] or any(map(is_measured, below)))
        if len(row) >= width or shorter:
            return i
    return 0


def _count_header_lines(rows: list[list[str]], remarks: list[str]) -> int:
    """None if the first line holds numbers as the lines below do, two if the second line does not but the others do."""
    first, below = rows[0], [row for row in rows[1:] if len(row) in (len(rows[0]), len(rows[0]) + 1)]
    if not below:
        return 1
    aligned = [row[len(row) - len(first) :] if any(row[len(first) :]) else row[: len(first)] for row in below]
    measured = [_is_measured_column([row[j] for row in aligned]) for j in range(len(first))]
    values = [first[j] for j, yes in enumerate(measured) if yes and not is_missing(first[j])]
    if values and all(map(is_measured, values)) and not _are_names(values):
        remarks.append("its first line holds values: columns are called column_1, column_2, ...; --header 1 overrides")
        return 0
    rest, second = aligned[1:], aligned[0]
    if len(rest) >= 2:
        numeric = [j for j in range(len(first)) if _is_measured_column([row[j] for row in rest])]
        words = [j for j in numeric if not is_measured(second[j]) and not is_missing(second[j])]
        if len(words) >= max(len(numeric) / 2, 1) and not any(is_measured(second[j]) for j in numeric):
            if not any(map(is_measured, first)):
                remarks.append("its second line holds no values: names are made of both lines; --header 1 overrides")
                return 2
            remarks.append("the line below the header holds no values: if it is the header, --skip the lines above it")
    return 1


def _is_measured_column(cells: list[str]) -> bool:
    known = [cell for cell in cells if not is_missing(cell)]
    return bool(known) and sum(map(is_measured, known)) >= 0.9 * len(known)


def _are_names(values: list[str]) -> bool:
    """Years, and numbers from 0 or 1 on, may be names of columns."""
    if not all(value.strip().isdecimal() for value in values):
        return False
    numbers = [int(value) for value in values]
    years = all(1900 <= number <= 2100 for number in numbers) and len(set(numbers)) == len(numbers)
    return years or (len(numbers) > 1 and numbers == list(range(numbers[0], numbers[0] + len(numbers))))


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
