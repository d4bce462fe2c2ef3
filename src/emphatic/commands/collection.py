"""The labelled table of a command, read in pieces on a Dask cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from emphatic.commands import console

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from emphatic.commands.data import LabelledData
    from emphatic.commands.reading import TableOptions
    from emphatic.recipes import Recipe
    from emphatic.tables.files.pieces import Piece, PieceTable

SHARE_OF_MEMORY = 0.25
"""A table whose files take more than this share of the memory that is available is read through Dask."""


def exceeds_memory(path: Path) -> bool:
    """Whether the files of a table take more than their share of the available memory, and there is Dask to help."""
    if find_spec("distributed") is None or find_spec("psutil") is None:
        return False
    import psutil

    from emphatic.tables.files.pieces import measure_files

    return measure_files(path) > SHARE_OF_MEMORY * psutil.virtual_memory().available


def choose_pieces(
    data: Path,
    reading: TableOptions,
    recipe: Recipe,
    dask: str | None,
    without: dict[str, Any],
    quiet: bool,
) -> PieceTable | None:
    """The table in pieces, if it is to be read through Dask: because users say so, or because it is too large.

    `without` are options, by name, that cannot be had then.
    """
    from emphatic.tables.files.pieces import cut_table

    unusable = [name for name, value in without.items() if value]
    if recipe.name != "EmphaticClassifier":
        unusable.append(f"--method {recipe.name}")
    if dask is not None:
        if unusable:
            raise ValueError(f"{unusable[0]} cannot be had with --dask: it needs all rows in one process")
        return cut_table(data, reading.of_file)
    if unusable or not exceeds_memory(data):
        return None
    try:
        pieces = cut_table(data, reading.of_file)
    except ValueError as error:  # then as before: a sample of the rows
        console.say(str(error))
        return None
    if not quiet:
        share = f"{100 * SHARE_OF_MEMORY:.0f}% of the available memory"
        console.say(f"{data.name} takes more than {share} ({pieces.n_bytes / 1e9:.1f} GB): it is read through Dask")
    return pieces


@contextmanager
def on_cluster(address: str, quiet: bool) -> Iterator[None]:
    """Let Dask compute on this cluster; says where its dashboard is."""
    import dask

    # our readers say what text is: Dask would make text of whatever a column of objects holds
    with (
        console.open_cluster(address, quiet) as engine,
        engine.client.as_current(),
        dask.config.set({"dataframe.convert-string": False}),
    ):
        yield


@dataclass(frozen=True)
class Collection:
    """Rows with a label as a Dask data frame, their labels as an array that stays on the workers, and their number."""

    rows: Any
    y: Any
    n_rows: int
    target: str
    used: list[str]

    @property
    def X(self) -> Any:
        """The columns to learn from."""
        return self.rows[self.used]

    def take(self, numbers: np.ndarray | None) -> tuple[pd.DataFrame, np.ndarray]:
        """Features and labels of the rows of these numbers, or of all, in memory."""
        from emphatic.partitions import Parts
        from emphatic.tables.target import as_labels

        parts = Parts(self.rows)
        parts.check_columns()
        table = parts.take(numbers)
        return table[self.used], as_labels(table[self.target])


def open_collection(table: PieceTable, target: str, reading: TableOptions, read: LabelledData) -> Collection:
    """All rows of a table whose columns are understood; reads the labels."""
    import dask.dataframe
    import numpy as np

    from emphatic.partitions import survey_labels, with_sizes

    if reading.bins is not None:
        raise ValueError("--bins needs all labels at once, and cannot be had with --dask: cut the target before")
    take_rows = _ReadRows(target, reading.missing_labels)
    rows = dask.dataframe.from_map(take_rows, table.pieces, meta=take_rows(table.pieces[0]).iloc[:0])
    meta = np.empty(0, dtype=read.y.dtype)
    y = with_sizes(rows.map_partitions(_read_labels, target, meta=meta).persist())
    labels, counts = survey_labels({"y": y}, range(len(table.pieces)))
    lone = [str(label) for label, count in zip(labels.tolist(), counts, strict=True) if count == 1]
    if lone:
        raise ValueError(f"classes of {target} with a single row cannot be learnt and judged: {', '.join(lone)}")
    used = [one.name for one in read.decisions if not one.left_out]
    return Collection(rows, y, sum(counts), target, used)


class _ReadRows:
    """The rows of a piece that have a label."""

    def __init__(self, target: str, missing: str) -> None:
        self.target, self.missing = target, missing

    def __call__(self, piece: Piece) -> pd.DataFrame:
        from emphatic.tables.target import drop_missing

        frame = piece.read()
        try:
            kept, _, _ = drop_missing(frame, frame[self.target], self.target, self.missing)
        except ValueError as error:
            raise ValueError(f"{piece}: {error}") from None
        return kept


def _read_labels(frame: pd.DataFrame, target: str) -> np.ndarray:
    from emphatic.tables.target import as_labels

    return as_labels(frame[target])
