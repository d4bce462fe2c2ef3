"""Parquet and Arrow files (Feather too): columns with types, in batches."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from emphatic.tables.files.header import check_names
from emphatic.tables.files.layout import Layout
from emphatic.tables.files.needs import need
from emphatic.tables.files.opened import Opened
from emphatic.tables.files.options import Options
from emphatic.tables.files.source import Source

if TYPE_CHECKING:
    import pandas as pd

_SAVED_INDEX = "__index_level_0__"  # as pandas writes an index without a name


def open_parquet(source: Source, options: Options) -> Opened:
    """Parquet, by its row groups."""
    parquet = need("pyarrow.parquet", "pyarrow", "Parquet")
    with explain_damage(source, "Parquet"), source.open_file() as file:
        schema = parquet.ParquetFile(file).schema_arrow
    names, remarks = check_columns(schema, source.name)

    def iterate(n_rows: int) -> Iterator[pd.DataFrame]:
        with explain_damage(source, "Parquet"), source.open_file() as file:
            for batch in parquet.ParquetFile(file).iter_batches(batch_size=n_rows):
                yield make_frame(batch, names)

    return Opened(Layout("parquet", n_columns=len(names), remarks=remarks), iterate)


def open_arrow(source: Source, options: Options) -> Opened:
    """Arrow files, which Feather files are too, and Arrow streams."""
    need("pyarrow", "pyarrow", "Arrow and Feather")
    with explain_damage(source, "Arrow"), source.open_file() as file:
        schema = _open_batches(file)[0]
    names, remarks = check_columns(schema, source.name)

    def iterate(n_rows: int) -> Iterator[pd.DataFrame]:
        with explain_damage(source, "Arrow"), source.open_file() as file:
            for batch in _open_batches(file)[1]:
                batch.validate(full=True)  # Arrow itself trusts the file, and would read beyond its buffers
                for start in range(0, batch.num_rows, n_rows):
                    yield make_frame(batch.slice(start, n_rows), names)

    return Opened(Layout("arrow", n_columns=len(names), remarks=remarks), iterate)


def _open_batches(file: Any) -> tuple[Any, Iterator[Any]]:
    from pyarrow import ipc

    if file.read(6) == b"ARROW1":
        file.seek(0)
        reader = ipc.open_file(file)
        return reader.schema, (reader.get_batch(i) for i in range(reader.num_record_batches))
    file.seek(0)
    stream = ipc.open_stream(file)
    return stream.schema, iter(stream)


def check_columns(schema: Any, name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of the columns of an Arrow schema, and remarks about them; raises for values that are no cells."""
    from pyarrow import types

    for field in schema:
        nested = types.is_nested(field.type) or types.is_binary(field.type) or types.is_large_binary(field.type)
        if nested:
            raise ValueError(
                f"column {field.name} of {name} holds {field.type} values: make one plain column of each part"
            )
    remarks: list[str] = []
    return check_names(["" if one == _SAVED_INDEX else one for one in schema.names], name, remarks), tuple(remarks)


def make_frame(batch: Any, names: tuple[str, ...]) -> pd.DataFrame:
    """Text and booleans as objects with None where they are missing, numbers and times as pandas has them."""
    import pandas as pd

    return pd.DataFrame({name: _make_column(column) for name, column in zip(names, batch.columns, strict=True)})


def _make_column(column: Any) -> pd.Series[Any]:
    import pandas as pd
    import pyarrow
    from pyarrow import types

    kind = column.type
    if types.is_dictionary(kind):
        column, kind = column.dictionary_decode(), kind.value_type
    if types.is_decimal(kind):
        column, kind = column.cast(pyarrow.float64()), pyarrow.float64()
    if types.is_date(kind):
        column, kind = column.cast(pyarrow.timestamp("ms")), pyarrow.timestamp("ms")
    numeric = types.is_integer(kind) or types.is_floating(kind)
    if (
        numeric
        or types.is_timestamp(kind)
        or types.is_duration(kind)
        or (types.is_boolean(kind) and not column.null_count)
    ):
        return column.to_pandas()  # type: ignore[no-any-return]
    cells = column.to_pylist()
    if types.is_time(kind):
        cells = [None if cell is None else cell.isoformat() for cell in cells]
    return pd.Series(cells, dtype=object)


@contextmanager
def explain_damage(source: Source, format: str) -> Iterator[None]:
    """Name the file in errors about its content."""
    import pyarrow

    try:
        yield
    except (pyarrow.ArrowException, OSError) as error:
        reason = " ".join(str(error).split())[:200]
        raise ValueError(
            f"cannot read {source.name} as {format}: it is damaged or cut off ({reason}); get it again"
        ) from None
