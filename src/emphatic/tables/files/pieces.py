"""A large table in pieces that can be read on their own, on any machine that sees its files: Parquet and CSV."""

from __future__ import annotations

import codecs
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from emphatic.partitions.outlines import Outline, check_outlines
from emphatic.tables.files.arrow import check_columns, explain_damage, make_frame
from emphatic.tables.files.formats import find_format
from emphatic.tables.files.layout import Layout
from emphatic.tables.files.lines import decode_lines
from emphatic.tables.files.many import find_files
from emphatic.tables.files.needs import need
from emphatic.tables.files.options import FIND_OUT, Options
from emphatic.tables.files.rows import cut_into_chunks
from emphatic.tables.files.source import Source
from emphatic.tables.files.text import TextChunk, TextPlan, plan_text

if TYPE_CHECKING:
    import pandas as pd

PIECE_BYTES = 1 << 26
"""Of a piece in its file; more where a row group of Parquet is larger. Text takes several times as much in memory."""

_REMEDY = "convert it to Parquet, in one file or several"


class Piece(ABC):
    """Some rows of a file."""

    path: Path

    def __str__(self) -> str:
        return str(self.path)

    @abstractmethod
    def read(self) -> pd.DataFrame:
        """These rows, with columns as `emphatic.tables.files.read_table` gives them."""


class PieceTable(NamedTuple):
    """A table in pieces, in the order of its rows, and how its first file is laid out."""

    layout: Layout
    pieces: list[Piece]
    n_bytes: int
    """Of its files."""


def measure_files(path: Path) -> int:
    """Bytes of the files that a path stands for; 0 for what cannot be measured, such as standard input."""
    return sum(one.stat().st_size for one in find_files(path) if one.is_file())


def cut_table(path: Path, options: Options = FIND_OUT, *, piece_bytes: int | None = None) -> PieceTable:
    """Cut a file, or those of a folder or pattern, into pieces; a ValueError says why that cannot be done.

    `piece_bytes` is about how many bytes of a file a piece has (None: `PIECE_BYTES`).
    """
    files = find_files(path)
    formats = []
    for file in files:
        with Source(file) as source:
            formats.append(options.format or find_format(source))
            if formats[-1] not in ("parquet", "csv") or (formats[-1] == "csv" and source.compression):
                kind = f"compressed by {source.compression}" if source.compression else f"in the format {formats[-1]}"
                raise ValueError(f"{source.name} is {kind}, and cannot be read in pieces: {_REMEDY}")
    if len(set(formats)) > 1:
        odd = next(file for file, format in zip(files, formats, strict=True) if format != formats[0])
        raise ValueError(f"{odd} is of another format than {files[0]}")
    layout, pieces = (_cut_parquet if formats[0] == "parquet" else _cut_text)(
        files, options, PIECE_BYTES if piece_bytes is None else piece_bytes
    )
    return PieceTable(layout, pieces, measure_files(path))


@dataclass(frozen=True)
class ParquetPiece(Piece):
    """Some row groups of a Parquet file."""

    path: Path
    groups: tuple[int, ...]
    names: tuple[str, ...]

    def read(self) -> pd.DataFrame:
        import pandas as pd

        parquet = need("pyarrow.parquet", "pyarrow", "Parquet")
        with Source(self.path) as source, explain_damage(source, "Parquet"), source.open_file() as file:
            table = parquet.ParquetFile(file).read_row_groups(list(self.groups))
            frames = [make_frame(batch, self.names) for batch in table.to_batches()]
        return pd.concat(frames, ignore_index=True)


def _cut_parquet(files: list[Path], options: Options, piece_bytes: int) -> tuple[Layout, list[Piece]]:
    parquet = need("pyarrow.parquet", "pyarrow", "Parquet")
    pieces: list[Piece] = []
    outlines: list[Outline] = []
    remarks: list[str] = []
    for path in files:
        with Source(path) as source, explain_damage(source, "Parquet"), source.open_file() as file:
            opened = parquet.ParquetFile(file)
            schema, groups = opened.schema_arrow, opened.metadata
            sizes = [groups.row_group(k).total_byte_size for k in range(groups.num_row_groups)]
            filled = [k for k in range(groups.num_row_groups) if groups.row_group(k).num_rows]
        names, of_columns = check_columns(schema, source.name)
        remarks += of_columns
        outlines.append(Outline(0, names, tuple(_find_kind(field.type) for field in schema)))
        check_outlines(outlines, list(map(str, files)))
        pieces += [ParquetPiece(path, tuple(own), names) for own in _pack(filled, sizes, piece_bytes)]
    if not pieces:
        raise ValueError(f"{files[0]} has a header but no rows")
    return Layout("parquet", n_columns=len(outlines[0].names), remarks=tuple(dict.fromkeys(remarks))), pieces


def _pack(numbers: list[int], sizes: list[int], most: int) -> Iterator[list[int]]:
    """Consecutive numbers whose sizes sum to no more than allowed, or one alone."""
    own: list[int] = []
    for number in numbers:
        if own and sum(sizes[k] for k in own) + sizes[number] > most:
            yield own
            own = []
        own.append(number)
    if own:
        yield own


def _find_kind(kind: Any) -> str:
    """As `emphatic.partitions.outlines` names it; "" for a column without values."""
    from pyarrow import types

    kind = kind.value_type if types.is_dictionary(kind) else kind
    kinds = {
        "": types.is_null(kind),
        "truth values": types.is_boolean(kind),
        "numbers": types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind),
        "dates": types.is_timestamp(kind) or types.is_date(kind),
    }
    return next((name for name, holds in kinds.items() if holds), "text")


@dataclass(frozen=True)
class TextPiece(Piece):
    """The lines of a CSV file from one byte to another, none of which ends inside a quoted cell."""

    path: Path
    plan: TextPlan
    start: int
    stop: int
    is_last: bool

    def read(self) -> pd.DataFrame:
        import pandas as pd

        name = str(self.path) if self.start == 0 else f"{self.path} (counted from byte {self.start:,} on)"
        with self.path.open("rb") as file:
            file.seek(self.start)
            block = file.read(self.stop - self.start)
        lines = decode_lines([block], self.plan.encoding, name)
        if self.start == 0:
            lines = _leave_out_first(lines, self.plan.shape.skipped)
        rows = self.plan.read_rows(lines, name, is_first=self.start == 0, is_last=self.is_last)
        names, dialect = self.plan.shape.names, self.plan.dialect
        chunks = [TextChunk(chunk, names, dialect) for chunk in cut_into_chunks(rows, 10_000)]
        frames = [chunk.take(range(len(chunk))) for chunk in chunks or [TextChunk([], names, dialect)]]
        return pd.concat(frames, ignore_index=True)


def _cut_text(files: list[Path], options: Options, piece_bytes: int) -> tuple[Layout, list[Piece]]:
    pieces: list[Piece] = []
    layouts, outlines = [], []
    for path in files:
        with Source(path) as source:
            layout, plan, _ = plan_text(source, options)
        if codecs.lookup(plan.encoding).name.startswith(("utf-16", "utf-32")) or layout.line_ends == "\\r":
            raise ValueError(f"{path} has lines whose ends cannot be found from anywhere in the file: {_REMEDY}")
        _refuse_broken_cells(path, plan)
        layouts.append(layout)
        outlines.append(Outline(0, plan.shape.names, ("text",) * len(plan.shape.names)))
        check_outlines(outlines, list(map(str, files)))
        ends = _find_line_ends(path, piece_bytes)
        starts = [0, *ends[:-1]]
        pieces += [TextPiece(path, plan, *pair, pair[1] == ends[-1]) for pair in zip(starts, ends, strict=True)]
    remarks = tuple(dict.fromkeys(remark for one in layouts for remark in one.remarks))
    return replace(layouts[0], remarks=remarks), pieces


def _find_line_ends(path: Path, step: int) -> list[int]:
    """Where pieces end: at the first end of a line after so many bytes, and in the end at that of the file.

    The last one has half as many at least: lines after the last row are in one piece.
    """
    size, end = path.stat().st_size, 0
    ends: list[int] = []
    with path.open("rb") as file:
        while end + step + step // 2 < size:
            file.seek(end + step)
            file.readline()
            end = file.tell()
            ends.append(end)
    return ends if end == size else [*ends, size]


def _leave_out_first(lines: Iterator[str], n: int) -> Iterator[str]:
    return (line for number, line in enumerate(lines) if number >= n)


def _refuse_broken_cells(path: Path, plan: TextPlan) -> None:
    """Raise ValueError if a line ends inside quotes: a piece could begin there."""
    if plan.dialect.quote is None:
        return
    quote = plan.dialect.quote.encode(plan.encoding.removesuffix("-sig"))
    escaped = plan.dialect.escape.encode(plan.encoding) + quote if plan.dialect.escape else None
    with path.open("rb") as file:
        for line in file:
            if quote in line and (line.replace(escaped, b"") if escaped else line).count(quote) % 2:
                raise ValueError(f"{path} has a line break inside quotes, and cannot be read in pieces: {_REMEDY}")
