"""The rows of a CSV file, one after another, each checked: none is merged, padded or cut in silence."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from itertools import islice

from emphatic.tables.files.dialect import Dialect, allow_long_cells
from emphatic.tables.files.header import Shape
from emphatic.tables.files.quotes import explain_quote, swallows_rows


def check_rows(lines: Iterable[str], dialect: Dialect, shape: Shape, trusted: bool, name: str) -> Iterator[list[str]]:
    """Yield the rows below the header, all of the same length.

    `lines` begin at the header. `trusted` says that the user named the quote sign, so that a cell of several lines
    is not suspected of having swallowed rows.
    """
    reader = iter(dialect.read_rows(lines))
    header: list[str] = []
    n, before, blank, seen = len(shape.names), 0, 0, 0
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise ValueError(explain_quote(_place(before + 1, shape, name), str(error))) from None
        line = reader.line_num
        if seen < shape.header:
            if row:
                seen, header = seen + 1, header or row
        elif len(row) != n or not row:
            if not row:
                blank += 1
            else:
                yield from _pass_blank_lines(blank, n)
                yield _mend(row, n, _place(line, shape, name))
                blank = 0
        else:
            if blank:
                yield from _pass_blank_lines(blank, n)
                blank = 0
            if line != before + 1 and not trusted and swallows_rows(row, dialect.separator, dialect.spaces):
                reason = f"a quoted cell runs over {line - before} lines, which look like rows of their own"
                raise ValueError(explain_quote(_place(before + 1, shape, name), reason))
            if row == header and n > 1:
                raise ValueError(f"{_place(line, shape, name)} repeats the header: remove it; or are these two tables?")
            yield row
        before = line


def cut_into_chunks(rows: Iterator[list[str]], n: int) -> Iterator[list[list[str]]]:
    """Lists of up to n rows."""
    while True:
        with allow_long_cells():
            chunk = list(islice(rows, n))
        if not chunk:
            return
        yield chunk


def _pass_blank_lines(blank: int, n: int) -> Iterator[list[str]]:
    """A blank line is a row with an empty cell if there is only one column, and nothing otherwise."""
    if n == 1:
        for _ in range(blank):
            yield [""]


def _mend(row: list[str], n: int, place: str) -> list[str]:
    """The row without empty cells that are too many; any other length is refused."""
    if len(row) > n and not any(cell.strip() for cell in row[n:]):
        return row[:n]
    remedy = "quote cells that hold the separator" if len(row) > n else "fill it up, or remove it"
    raise ValueError(
        f"{place} has {len(row)} {'cell' if len(row) == 1 else 'cells'} instead of {n}: {remedy}; "
        f"if all lines are like this, name the right --separator, --header or --footer"
    )


def _place(line: int, shape: Shape, name: str) -> str:
    return f"line {line + shape.skipped} of {name}"
