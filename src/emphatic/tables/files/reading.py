"""Tables from files of any format, whole, as a sample, or in chunks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from emphatic import check
from emphatic.progress import progress_bar
from emphatic.tables.files.arrow import open_arrow, open_parquet
from emphatic.tables.files.excel import open_excel
from emphatic.tables.files.formats import find_format
from emphatic.tables.files.json_lines import open_json_lines
from emphatic.tables.files.layout import Layout
from emphatic.tables.files.many import find_files, join_opened
from emphatic.tables.files.opened import Opened
from emphatic.tables.files.options import FIND_OUT, Options
from emphatic.tables.files.sampling import sample_rows
from emphatic.tables.files.source import Source
from emphatic.tables.files.text import open_text

if TYPE_CHECKING:
    import pandas as pd

_OPENERS = {
    "csv": open_text,
    "jsonl": open_json_lines,
    "parquet": open_parquet,
    "arrow": open_arrow,
    "excel": open_excel,
}
_CHUNK = 10_000
_MEGABYTE = 1_000_000


class TableFile(NamedTuple):
    """A table, how its file is laid out, and how many rows the file has: `table` may be a sample of them.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from emphatic.tables.files import read_table
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "prices.csv"
    ...     written = path.write_text("name;price\\na;1,50\\nb;2,25\\n")
    ...     found = read_table(path)
    >>> found.table["price"].tolist(), found.layout.describe()
    (['1,50', '2,25'], 'CSV, separated by semicolons, UTF-8, 2 columns')
    """

    table: pd.DataFrame
    layout: Layout
    n_rows: int


def read_table(
    path: Path,
    options: Options = FIND_OUT,
    *,
    max_rows: int | None = None,
    seed: int = 0,
    progress: bool = False,
    several: bool = False,
) -> TableFile:
    """Read a table from a file; everything that `options` leave open is found out.

    Parameters
    ----------
    path : Path
        The file; ``-`` is standard input. Its format is known by its content.
    options : Options
        What the user says about the file.
    max_rows : int, default=None
        Rows to keep, if there are more: a uniform sample in the order of the file, in bounded memory.
    seed : int, default=0
        Seed of the sample.
    progress : bool, default=False
        Whether to show a progress bar, in megabytes.
    several : bool, default=False
        Whether `path` may be a folder or a pattern, whose files are one table below each other.

    Returns
    -------
    TableFile
        Columns of a CSV file are text (dtype object), exactly as written, with None for an empty cell. Parquet, Arrow,
        Excel and JSON lines give columns with types.

    Raises
    ------
    ValueError
        What is wrong with the file, in one line, with the remedy.
    """
    import pandas as pd

    if max_rows is not None:
        check.integer("max_rows", max_rows, 1)
    with _open_files(path, options, several) as (opened, sources):
        n_bytes = sum(source.size for source in sources)
        with progress_bar("read, MB", n_bytes // _MEGABYTE, progress) as advance:
            count = _count_megabytes(advance)
            for source in sources:
                source.on_bytes = count
            chunks = opened.iterate(_CHUNK)
            if max_rows is None:
                kept = [chunk.take(range(len(chunk))) for chunk in chunks]
                n_rows = sum(map(len, kept))
            else:
                kept, n_rows = sample_rows(chunks, max_rows, seed)
    if not n_rows:
        raise ValueError(f"{sources[0].name} has a header but no rows")
    table = kept[0].reset_index(drop=True) if len(kept) == 1 else pd.concat(kept, ignore_index=True)
    return TableFile(table, opened.layout, n_rows)


def iterate_table(
    path: Path, options: Options = FIND_OUT, *, rows: int = _CHUNK, several: bool = False
) -> tuple[Layout, Iterator[pd.DataFrame]]:
    """Read a table that may be larger than memory: its layout, and its rows in order, up to `rows` at a time.

    Errors are raised as by `read_table`, those of a row when its chunk is asked for.
    """
    check.integer("rows", rows, 1)
    with ExitStack() as stack:
        opened, sources = stack.enter_context(_open_files(path, options, several))
        kept = stack.pop_all()  # open until the last row is read

    def chunks() -> Iterator[pd.DataFrame]:
        n_rows = 0
        with kept:
            for chunk in opened.iterate(rows):
                frame = chunk.take(range(len(chunk)))
                frame.index = frame.index + n_rows
                n_rows += len(frame)
                yield frame
        if not n_rows:
            raise ValueError(f"{sources[0].name} has a header but no rows")

    return opened.layout, chunks()


@contextmanager
def _open_files(path: Path, options: Options, several: bool) -> Iterator[tuple[Opened, list[Source]]]:
    """The table of a path, and the files that it is read from."""
    with ExitStack() as stack:
        sources = [stack.enter_context(Source(one)) for one in (find_files(path) if several else [path])]
        opened = [_open(source, options) for source in sources]
        yield (opened[0] if len(opened) == 1 else join_opened(opened, [one.name for one in sources])), sources


def _open(source: Source, options: Options) -> Opened:
    format = options.format or find_format(source)
    opened = _OPENERS[format](source, options)
    return Opened(replace(opened.layout, compression=source.compression), opened.iterate)


def _count_megabytes(advance: Callable[..., None]) -> Callable[[int], None]:
    """A function of bytes that tells the bar of whole megabytes."""
    waiting = 0

    def count(n_bytes: int) -> None:
        nonlocal waiting
        waiting += n_bytes
        advance(waiting // _MEGABYTE)
        waiting %= _MEGABYTE

    return count
