"""Finding the dialect: each one that the text allows is tried on the first lines, and judged by the rows it makes.

Rows should have one length, and cells should look like single cells (`cells.rate`). As in CleverCSV (van den Burg et
al., 2019), the product of the two decides.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from dataclasses import dataclass, replace
from itertools import islice

from emphatic.tables.files.cells import is_measured, is_number, rate
from emphatic.tables.files.dialect import Dialect, allow_long_cells
from emphatic.tables.files.layout import name_separator
from emphatic.tables.files.options import NO_QUOTE, Options
from emphatic.tables.files.quotes import explain_quote, find_plain_quote, has_quoted_cells, swallows_rows
from emphatic.tables.spelling.missing import is_missing_mark

COMMON = (",", ";", "\t", "|")
RARE = (":", "~", "^", "\x01", "\x1f", "/", "*", "&", " ")
_LINES, _RATED, _RATED_CELLS = 1000, 300, 20_000


@dataclass(frozen=True)
class Attempt:
    """The rows that a dialect makes of the first lines (with the line at which each ends), and how good they look."""

    dialect: Dialect
    rows: list[tuple[int, list[str]]]
    width: int = 1
    agreement: float = 0.0  # share of rows with this width, between the first and the last of them
    score: float = 0.0
    stray: tuple[int, str] | None = None  # the line where quotes went wrong, if they did


@dataclass(frozen=True)
class Found:
    """The dialect, the rows it makes of the first lines, their usual length, and remarks."""

    dialect: Dialect
    rows: list[tuple[int, list[str]]]
    width: int
    remarks: tuple[str, ...] = ()


def find_dialect(lines: list[str], complete: bool, options: Options, name: str, skipped: int = 0) -> Found:
    """Find out how the cells of these first lines are separated and quoted; `complete` says that there are no more.

    `skipped` lines stand before them.
    """
    complete, lines = complete and len(lines) <= _LINES, lines[:_LINES]
    if options.separator is not None:
        best, others = _try_quotes(lines, options.separator, complete, options), []
    else:
        signs = [_double(one, lines) for one in COMMON]
        common = sorted((_try_quotes(lines, one, complete, options) for one in signs), key=_order, reverse=True)
        best, others = common[0], [one for one in common[1:] if one.score > 0.9 * common[0].score]
        if not _is_convincing(best, lines):
            signs = [_double(one, lines) for one in RARE if any(one in line for line in lines)]
            rare = [_try_quotes(lines, one, complete, options) for one in signs]
            rare = [one for one in rare if one.agreement >= 0.95 and one.score >= 0.75 and _is_table(one)]
            best, others = max(rare, key=_order, default=_single(lines, complete, options)), []
    remarks = [f"its cells may also be separated by {name_separator(one.dialect.separator or '')}" for one in others]
    if best.stray is not None:
        line, reason = best.stray
        if options.quote is not None or has_quoted_cells(lines, best.dialect.separator):
            raise ValueError(explain_quote(f"line {line + skipped} of {name}", reason))
        remarks.append(f"quotes are plain text, because of a stray one in line {line + skipped}; --quote overrides")
    else:
        plain = find_plain_quote(best.rows, lines, best.dialect)
        remarks += [f"a quote inside a cell of line {plain + skipped} is read as plain text"] if plain else []
    if best.dialect.separator is None:
        signs = [one for one in COMMON if sum(one in line for line in lines) > len(lines) / 3]
        remarks += [
            f"it is one column, though lines hold {name_separator(one)}: --separator splits it" for one in signs
        ]
    return Found(best.dialect, best.rows, best.width, tuple(remarks))


def _try_quotes(lines: list[str], separator: str | None, complete: bool, options: Options) -> Attempt:
    """The best attempt with this separator; quotes are plain text if nothing else makes sense, and `stray` says why."""
    text = "".join(lines)
    spaces = separator not in (None, " ") and _is_followed_by_spaces(text, separator or "")
    plain = Dialect(separator, None, None, spaces)
    trusted = options.quote is not None
    if trusted:
        quotes = [] if options.quote in (None, NO_QUOTE) else [options.quote]
    else:
        edge = re.escape(separator or "\n")
        quoted = re.search(rf"(^|{edge}\s?)'([^'\n]|'')*'\s?($|{edge})", text, re.MULTILINE)
        quotes = ['"'] if not quoted else ['"', "'"] if '"' in text else ["'", '"']
    attempts: list[Attempt] = []
    for quote in quotes:
        attempts.append(_attempt(lines, replace(plain, quote=quote), complete, trusted))
        if attempts[-1].stray and f"\\{quote}" in text:
            attempts.append(_attempt(lines, replace(plain, quote=quote, escape="\\"), complete, trusted))
    good = [one for one in attempts if one.stray is None]
    if good:
        return max(good, key=lambda one: one.score)
    strays = [one.stray for one in attempts if one.dialect.quote != "'" or trusted]
    return replace(_attempt(lines, plain, complete), stray=strays[0] if strays else None)


def _attempt(lines: list[str], dialect: Dialect, complete: bool, trusted: bool = False) -> Attempt:
    """`trusted`: the user named the quote sign, so that no cell of several lines is suspected to be rows."""
    rows: list[tuple[int, list[str]]] = []
    reader, stray, starts = dialect.read_rows(lines), None, [0]
    with allow_long_cells():
        try:
            for row in reader:
                rows.append((reader.line_num, row))
                starts.append(reader.line_num)
        except csv.Error as error:
            at_end = reader.line_num >= len(lines) and "unexpected end" in str(error)
            if complete or not at_end:  # otherwise the cell may well go on after these first lines
                stray = (starts[-1] + 1, str(error))
    filled = [row for _, row in rows if row]
    widths = Counter(len(row) for row in filled if len(row) > 1)
    if not widths:
        return Attempt(dialect, rows, stray=stray)
    width = max(widths, key=lambda one: (widths[one], one))
    inside = [i for i, row in enumerate(filled) if len(row) == width]
    agreement = len(inside) / (inside[-1] - inside[0] + 1)
    cells = list(islice((cell for i in inside[:_RATED] for cell in filled[i]), _RATED_CELLS))
    quality = sum(map(rate, cells)) / len(cells)
    score = agreement * (len(inside) / len(filled)) ** 0.5 * quality**2
    for (before, _), (line, row) in zip([(0, []), *rows], rows):
        suspect = stray is None and line > before + 1 and len(row) == width and not trusted
        if suspect and swallows_rows(row, dialect.separator, dialect.spaces):
            stray = (before + 1, "a quoted cell runs over lines that look like rows of their own")
    return Attempt(dialect, rows, width, agreement, score, stray)


def _double(separator: str, lines: list[str]) -> str:
    """The separator twice if it never stands alone (and is no space, of which there may be any number)."""
    n, n_double = (sum(line.count(one) for line in lines) for one in (separator, 2 * separator))
    return 2 * separator if n and n == 2 * n_double and separator != " " else separator


def _order(attempt: Attempt) -> tuple[float, int]:
    return round(attempt.score, 3), attempt.width


def _is_convincing(best: Attempt, lines: list[str]) -> bool:
    """Whether one of the common separators splits the table; a decimal comma in a single column does not."""
    separator = best.dialect.separator or ""
    if not best.score:
        return False
    filled = [line for line in lines if line.strip()]
    if separator in filled[0]:
        return True
    if all(is_measured(line) or is_missing_mark(line) for line in filled[1:]):
        return False
    if separator in (",", ";") and best.dialect.spaces:  # as prose is written
        return best.score >= 0.6
    # Rows of several lengths are refused later; lines that are split alike, below a title, need not be most of them.
    tight = re.compile(re.escape(separator) + "(?! )")
    split = sum(tight.search(line) is not None for line in filled[1:])
    alike = best.agreement >= 0.9 and sum(len(row) == best.width for _, row in best.rows) >= 3
    return best.score >= 0.6 or split > 0.5 * len(filled[1:]) or (alike and best.score >= 0.3)


def _is_table(attempt: Attempt) -> bool:
    """Whether rows split by a rare separator are rows: the first line is split too, and not every cell is a word."""
    separator = attempt.dialect.separator
    rows = [row for _, row in attempt.rows if row]
    if len(rows[0]) not in (attempt.width, attempt.width - 1):
        return False
    cells = [cell for row in rows[1:_RATED] for cell in row]
    numbers = sum(map(is_number, cells)) / max(len(cells), 1)
    return numbers >= (1 / 3 if separator in (" ", "/", ":") else 0)


def _single(lines: list[str], complete: bool, options: Options) -> Attempt:
    return _try_quotes(lines, None, complete, options)


def _is_followed_by_spaces(text: str, separator: str) -> bool:
    n = text.count(separator)
    return n > 0 and text.count(f"{separator} ") >= 0.9 * n
