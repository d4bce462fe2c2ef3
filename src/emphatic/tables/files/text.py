"""CSV files: found out on the first lines and the last ones, then streamed as text, exactly as it is written."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from emphatic.tables.files.detection import Found, find_dialect
from emphatic.tables.files.dialect import Dialect
from emphatic.tables.files.encoding import Encoding, find_encoding
from emphatic.tables.files.footer import count_footer_lines, describe_footer
from emphatic.tables.files.header import Shape, find_shape
from emphatic.tables.files.layout import Layout
from emphatic.tables.files.lines import decode_lines, leave_out_last, split_lines
from emphatic.tables.files.opened import Opened
from emphatic.tables.files.options import Options
from emphatic.tables.files.rows import check_rows, cut_into_chunks
from emphatic.tables.files.source import Source
from emphatic.tables.files.survey import Survey, survey_bytes
from emphatic.tables.writing import restore_cell

if TYPE_CHECKING:
    import pandas as pd

_FIRST_LINES = 20
_LAST_LINES = 20
_EXCEL_SEPARATOR = re.compile(r"\"?sep=(.)\"?", re.IGNORECASE)


def open_text(source: Source, options: Options) -> Opened:
    """Find out how the file is laid out, and how to read it."""
    survey = survey_bytes(source)
    encoding = Encoding(options.encoding) if options.encoding else find_encoding(source.name, survey)
    lines, complete = _read_first_lines(source, survey, encoding.name)
    extra, options = _take_separator_line(lines, options)
    skip = options.skip or extra
    found = find_dialect(lines[skip:], complete, options, source.name, skip)
    shape = find_shape(found.rows, found.width, options, source.name)
    shape = replace(shape, skipped=skip + shape.skipped)  # from the first line of the file on
    skipped, n = shape.skipped, len(shape.names)
    footer = options.footer
    if footer is None:
        last = _read_last_lines(survey, encoding.name, found, len(lines) - skipped - shape.header if complete else None)
        footer = count_footer_lines(last, n)
    layout = Layout(
        format="csv",
        compression=source.compression,
        encoding=encoding.name,
        separator=found.dialect.separator,
        quote=found.dialect.quote if _uses_quotes(lines, found.dialect) else None,
        escape=found.dialect.escape,
        line_ends=_name_line_ends(survey),
        skipped=skipped,
        header=shape.header,
        footer=footer,
        n_columns=n,
        remarks=_collect_remarks(encoding, found, shape, footer),
    )

    def iterate(n_rows: int) -> Iterator[pd.DataFrame]:
        rest = islice(decode_lines(source.blocks(), encoding.name, source.name), skipped, None)
        kept = leave_out_last(rest, footer) if footer else rest
        rows = check_rows(kept, found.dialect, shape, options.quote is not None, source.name)
        for chunk in cut_into_chunks(rows, n_rows):
            yield _make_frame(chunk, shape.names, found.dialect)

    return Opened(layout, iterate)


def _make_frame(rows: list[list[str]], names: tuple[str, ...], dialect: Dialect) -> pd.DataFrame:
    """Cells are text, and None where they are empty."""
    import pandas as pd

    rows = rows if dialect.separator is None or len(dialect.separator) == 1 else [dialect.restore(row) for row in rows]
    columns = {
        name: pd.Series([_restore(cell) for cell in cells], dtype=object) for name, cells in zip(names, zip(*rows))
    }
    return pd.DataFrame(columns)


def _restore(cell: str) -> str | None:
    if not cell:
        return None
    return restore_cell(cell) if cell[0] == "'" else cell  # type: ignore[no-any-return]


def _read_first_lines(source: Source, survey: Survey, encoding: str) -> tuple[list[str], bool]:
    """The first lines, whole, and whether these are all: as many as a sample holds, and more if lines are very long."""
    if survey.complete:
        return list(decode_lines([survey.start], encoding, source.name)), True
    lines: list[str] = []
    length = 0
    for line in decode_lines(source.blocks(), encoding, source.name):
        lines.append(line)
        length += len(line)
        if length > len(survey.start) and len(lines) >= 2:
            break
    return lines, False


def _take_separator_line(lines: list[str], options: Options) -> tuple[int, Options]:
    """Excel's line `sep=;` says the separator, unless the user does."""
    match = _EXCEL_SEPARATOR.fullmatch(lines[0].strip("\r\n")) if lines else None
    if match is None or options.skip is not None:
        return 0, options
    return 1, replace(options, separator=options.separator or match[1])


def _read_last_lines(survey: Survey, encoding: str, found: Found, at_most: int | None) -> list[list[str]]:
    """The cells of the last lines, each line taken by itself; at most so many of them are below the header."""
    unit = 4 if "32" in encoding else 2 if "16" in encoding else 1
    cut = 0 if survey.n_bytes <= len(survey.end) else (len(survey.end) - survey.n_bytes) % unit
    text = survey.end[cut:].decode(encoding, errors="replace").rstrip("\x1a")
    last = split_lines(text)[1 if survey.n_bytes > len(survey.end) else 0 :]
    last = last[-at_most if at_most else len(last) :] if at_most != 0 else []
    return [_split(line, found.dialect) for line in last[-_LAST_LINES:]]


def _split(line: str, dialect: Dialect) -> list[str]:
    try:
        return next(iter(dialect.read_rows([line])), [])
    except csv.Error:  # a part of a cell of several lines
        return [""] * 2


def _uses_quotes(lines: list[str], dialect: Dialect) -> bool:
    return dialect.quote is not None and any(dialect.quote in line for line in lines)


def _name_line_ends(survey: Survey) -> str:
    used = [end for end, n in survey.ends.items() if n]
    return used[0] if len(used) == 1 else "mixed" if used else "\\n"


def _collect_remarks(encoding: Encoding, found: Found, shape: Shape, footer: int) -> tuple[str, ...]:
    remarks = [encoding.remark] if encoding.remark else []
    if footer:
        remarks.append(describe_footer(footer, "line"))
    return (*remarks, *found.remarks, *shape.remarks)
