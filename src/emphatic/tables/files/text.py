"""CSV files: found out on the first lines and the last ones, then streamed as text, exactly as it is written."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from emphatic.tables.files.detection import Found, find_dialect
from emphatic.tables.files.dialect import Dialect
from emphatic.tables.files.encoding import Encoding, decode_end, find_encoding
from emphatic.tables.files.footer import LAST, count_empty_rows, count_footer_lines, describe_footer, split_last
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

Rows = Iterator[list[str]]

_ENDS = {"\\r\\n": "\r\n", "\\n": "\n", "\\r": "\r"}
_CHUNK_CHARACTERS = 1 << 24  # rows may be long
_EXCEL_SEPARATOR = re.compile(r"\"?sep=(.)\"?", re.IGNORECASE)


class TextPlan(NamedTuple):
    """How the rows of a text file are read; `trusted` says that the user named the quote sign."""

    encoding: str
    dialect: Dialect
    shape: Shape
    footer: int
    trusted: bool

    def read_rows(self, lines: Iterable[str], name: str, *, is_first: bool = True, is_last: bool = True) -> Rows:
        """The rows of lines, from the header on, or from a later row up to an earlier one than the last."""
        kept = leave_out_last(lines, self.footer) if self.footer and is_last else lines
        shape = self.shape if is_first else replace(self.shape, header=0, skipped=0)
        return check_rows(kept, self.dialect, shape, self.trusted, name)


def open_text(source: Source, options: Options) -> Opened:
    """Find out how the file is laid out, and how to read it."""
    layout, plan, usual = plan_text(source, options)

    def iterate(n_rows: int) -> Iterator[TextChunk]:
        lines = islice(decode_lines(source.blocks(), plan.encoding, source.name), plan.shape.skipped, None)
        rows = plan.read_rows(lines, source.name)
        for chunk in cut_into_chunks(rows, max(1, min(n_rows, _CHUNK_CHARACTERS // usual))):
            yield TextChunk(chunk, plan.shape.names, plan.dialect)

    return Opened(layout, iterate)


def plan_text(source: Source, options: Options) -> tuple[Layout, TextPlan, int]:
    """How the file is laid out, how to read it, and how many characters its lines usually have, at least 1."""
    survey = survey_bytes(source)
    encoding = Encoding(options.encoding) if options.encoding else find_encoding(source.name, survey)
    lines, complete = _read_first_lines(source, survey, encoding.name)
    extra, options = _take_separator_line(lines, options)
    skip = options.skip or extra
    found = find_dialect(lines[skip:], complete, options, source.name, skip)
    shape = find_shape(found.rows, found.width, options, source.name)
    shape = replace(shape, skipped=skip + shape.skipped)  # from the first line of the file on
    skipped, n = shape.skipped, len(shape.names)
    footer, empty = options.footer, 0
    if footer is None:
        last = lines[skipped + shape.header :] if complete else split_lines(decode_end(survey, encoding.name))[1:]
        ends = [split_last(line, found.dialect, n) for line in last[-LAST:]]
        footer = count_footer_lines(ends, n)
        empty = 0 if footer else count_empty_rows(ends)
    layout = Layout(
        format="csv",
        compression=source.compression,
        encoding=encoding.name,
        separator=found.dialect.separator,
        quote=found.dialect.quote if _uses_quotes(lines, found.dialect) else None,
        escape=found.dialect.escape,
        spaces=found.dialect.spaces,
        line_ends=_name_line_ends(survey, lines, encoding.name),
        skipped=skipped,
        header=shape.header,
        footer=footer,
        n_columns=n,
        remarks=_collect_remarks(encoding, found, shape, 0 if options.footer else footer, empty),
    )

    plan = TextPlan(encoding.name, found.dialect, shape, footer, options.quote is not None)
    return layout, plan, max(1, sum(map(len, lines)) // len(lines))


class TextChunk:
    """Rows of text, which become columns when they are taken."""

    def __init__(self, rows: list[list[str]], names: tuple[str, ...], dialect: Dialect) -> None:
        self._rows, self._names, self._dialect = rows, names, dialect

    def __len__(self) -> int:
        return len(self._rows)

    def take(self, indices: Any) -> pd.DataFrame:
        """The rows at these places; cells are text, and None where they are empty."""
        import pandas as pd

        rows = [self._dialect.restore(self._rows[i]) for i in indices]
        columns = zip(*rows) if rows else ([] for _ in self._names)
        texts = (pd.Series(_restore(cells), dtype=object) for cells in columns)
        return pd.DataFrame(dict(zip(self._names, texts, strict=True)))


def _restore(cells: Sequence[str]) -> list[str | None]:
    if "\n'" in "\n" + "\n".join(cells):  # an apostrophe before a cell: rare, and slow to look for one by one
        cells = [restore_cell(cell) for cell in cells]
    return [cell or None for cell in cells]


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


def _uses_quotes(lines: list[str], dialect: Dialect) -> bool:
    return dialect.quote is not None and any(dialect.quote in line for line in lines)


def _name_line_ends(survey: Survey, lines: list[str], encoding: str) -> str:
    ends = survey.ends
    if codecs.lookup(encoding).name.startswith(("utf-16", "utf-32")):  # whose bytes tell nothing
        ends = {"\\r\\n": 0, "\\n": 0, "\\r": 0}
        for line in lines:
            ends[next((name for name in ends if line.endswith(_ENDS[name])), "\\n")] += 1
    used = [end for end, n in ends.items() if n]
    return used[0] if len(used) == 1 else "mixed" if used else "\\n"


def _collect_remarks(encoding: Encoding, found: Found, shape: Shape, footer: int, empty: int) -> tuple[str, ...]:
    remarks = [encoding.remark] if encoding.remark else []
    if footer:
        remarks.append(describe_footer(footer, "line"))
    if empty:
        remarks.append(f"rows without a value at its end: {empty}; --footer {empty} leaves them out")
    return (*remarks, *found.remarks, *shape.remarks)
