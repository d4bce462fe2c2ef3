"""How many lines the header has: none, one or two, by what the columns hold."""

from __future__ import annotations

import math
from itertools import pairwise

from emphatic.tables.files.cells import is_measured
from emphatic.tables.spelling.missing import is_missing_mark

_JUDGED_ROWS, _JUDGED_CELLS = 200, 200_000


def count_header_lines(rows: list[list[str]], remarks: list[str]) -> int:
    """None if the first row holds values as those below do, two if the second row does not but those below do.

    A value is a number, a date or a time. What is found is added to the remarks.
    """
    first, n = rows[0], len(rows[0])
    below = [
        _align(row, n) for row in rows[1 : max(5, min(_JUDGED_ROWS, _JUDGED_CELLS // n))] if len(row) in (n, n + 1)
    ]
    if not below:
        return 1
    columns = list(zip(*below))
    values = [first[j] for j in range(n) if _holds_values(columns[j]) and not is_missing_mark(first[j])]
    named = _are_names(values) or any(_is_name(first[j], columns[j]) for j in range(n))
    if values and all(map(is_measured, values)) and not named:
        remarks.append("its first line holds values: columns are called column_1, column_2, ...; --header 1 overrides")
        return 0
    second, valued = below[0], [j for j in range(n) if _holds_values(columns[j][1:])]
    words = [j for j in valued if not is_measured(second[j]) and not is_missing_mark(second[j])]
    if len(below) < 3 or len(words) < max(len(valued) / 2, 1) or any(is_measured(second[j]) for j in valued):
        return 1
    if len(words) > 1 and not any(map(is_measured, first)):
        remarks.append("its second line holds no values: names are made of both lines; --header 1 overrides")
        return 2
    remarks.append("the line below the header holds no values: if it is part of the header, use --skip or --header")
    return 1


def _align(row: list[str], n: int) -> list[str]:
    """The cells below the header, if rows begin with a name or end with a separator."""
    return row[len(row) - n :] if any(row[n:]) else row[:n]


def _holds_values(cells: tuple[str, ...]) -> bool:
    known = [cell for cell in cells if not is_missing_mark(cell)]
    return bool(known) and sum(map(is_measured, known)) >= 0.9 * len(known)


def _is_name(cell: str, cells: tuple[str, ...]) -> bool:
    """Whether a cell above a few words that occur again and again is none of them, and so their name."""
    distinct = set(cells)
    words = not _holds_values(cells) and not is_missing_mark(cell) and not is_measured(cell)
    return words and len(distinct) <= len(cells) / 3 and cell not in distinct


def _are_names(values: list[str]) -> bool:
    """Years, and numbers at equal steps (row numbers, wavelengths), may be names of columns."""
    try:
        numbers = [float(value.strip().replace(",", ".")) for value in values]
    except ValueError:
        return False
    if all(number.is_integer() and 1900 <= number <= 2100 for number in numbers):
        return len(set(numbers)) == len(numbers)
    step = (numbers[-1] - numbers[0]) / max(len(numbers) - 1, 1)
    even = all(math.isclose(after - before, step, rel_tol=1e-3) for before, after in pairwise(numbers))
    whole = all(number.is_integer() for number in numbers) and step == 1
    return step > 0 and even and (len(numbers) > 2 or whole)
