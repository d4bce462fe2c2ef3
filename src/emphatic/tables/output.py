"""A table written in batches: to standard output, or to a file that is there only when it is whole."""

from __future__ import annotations

import gzip
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from emphatic.files import open_atomically
from emphatic.tables.writing import format_csv

if TYPE_CHECKING:
    import pandas as pd

Write = Callable[["pd.DataFrame"], None]
"""Writes the next rows of a table."""

ENDINGS = (".csv", ".csv.gz", ".parquet")


def check_output(path: Path | None) -> None:
    """Raise ValueError unless the ending of the name says which format to write; None is standard output."""
    if path is None:
        return
    if not path.name.lower().endswith(ENDINGS):
        raise ValueError(f"cannot write {path}: its name must end with {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}")
    if path.suffix.lower() == ".parquet":
        try:
            import pyarrow.parquet  # noqa: F401
        except ModuleNotFoundError:
            raise ValueError('writing Parquet needs pyarrow: pip install "emphatic[tables]"') from None


@contextmanager
def open_output(path: Path | None) -> Iterator[Write]:
    """Open a file of the format that its name says, or standard output as CSV; yield what writes the next rows.

    >>> import pandas as pd
    >>> with open_output(None) as write:
    ...     write(pd.DataFrame({"label": ["a"]}))
    ...     write(pd.DataFrame({"label": ["b, c"]}))
    label
    a
    "b, c"
    """
    check_output(path)
    if path is None:
        yield _write_csv(lambda text: sys.stdout.write(text))
        sys.stdout.flush()
        return
    with open_atomically(path) as file:
        if path.suffix.lower() == ".parquet":
            with _open_parquet(file, path) as write:
                yield write
        elif path.suffix.lower() == ".gz":
            with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:  # equal tables make equal files
                yield _write_csv(lambda text: packed.write(text.encode()))
        else:
            yield _write_csv(lambda text: file.write(text.encode()))


def _write_csv(put: Callable[[str], object]) -> Write:
    header = True

    def write(table: pd.DataFrame) -> None:
        nonlocal header
        put(format_csv(table, header))
        header = False

    return write


@contextmanager
def _open_parquet(file: BinaryIO, path: Path) -> Iterator[Write]:
    """Columns have the types of the first batch; those that are empty there are text."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    writer: pq.ParquetWriter | None = None

    def write(table: pd.DataFrame) -> None:
        nonlocal writer
        try:
            if writer is None:
                schema = pa.Schema.from_pandas(table, preserve_index=False).remove_metadata()
                fields = [pa.field(one.name, pa.string()) if pa.types.is_null(one.type) else one for one in schema]
                writer = pq.ParquetWriter(file, pa.schema(fields))
            writer.write_table(pa.Table.from_pandas(table, schema=writer.schema, preserve_index=False))
        except pa.ArrowException as error:
            reason = " ".join(map(str, error.args))
            raise ValueError(f"cannot write {path} as Parquet, write .csv instead: {reason}") from None

    try:
        yield write
    finally:
        if writer is not None:
            writer.close()
