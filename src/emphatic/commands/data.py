"""The labelled table of a command: read from its file, understood column by column, and what there is to say about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from emphatic.tables.decision import Decision
    from emphatic.tables.files import Layout, Options

MOST_ROWS = 500_000
"""Rows that are kept in memory; of a larger file, a sample."""


@dataclass(frozen=True)
class ReadingOptions:
    """What a user may say about a file and its columns; what is left open is found out."""

    separator: str | None = None
    encoding: str | None = None
    quote: str | None = None
    sheet: str | None = None
    decimal: str | None = None
    dates: str | None = None
    columns: Sequence[str] = ()

    @property
    def of_file(self) -> Options:
        """Those about the layout of the file."""
        from emphatic.tables.files import Options

        return Options(separator=self.separator, encoding=self.encoding, quote=self.quote, sheet=self.sheet)

    @property
    def wishes(self) -> dict[str, str]:
        """The kinds of columns by name, from `name=kind`."""
        from emphatic.tables.decision import KINDS

        wishes = {}
        for given in self.columns:
            name, sign, kind = given.rpartition("=")
            if not sign or kind not in KINDS:
                raise ValueError(f"--column must be NAME=KIND, where KIND is one of {', '.join(KINDS)}; got {given!r}")
            wishes[name] = kind
        return wishes


@dataclass(frozen=True)
class LabelledData:
    """Features as they were read, labels, and what was found out.

    Attributes
    ----------
    X : features, as text where the file has no types; ignored columns are in it
    y : labels as they are written
    decisions : what becomes of each column
    layout : how the file is laid out
    n_rows : of the file; X may be a sample of it
    remarks : what a user should know, a line each
    """

    X: pd.DataFrame
    y: np.ndarray
    decisions: list[Decision]
    layout: Layout
    n_rows: int
    remarks: list[str]

    @property
    def used(self) -> pd.DataFrame:
        """The features without the columns that are ignored; a ValueError if none would remain."""
        from emphatic.tables.policy import drop_columns

        return drop_columns(self.X, self.decisions)


def read_data(
    path: Path,
    target: str,
    options: ReadingOptions,
    *,
    bins: int | None = None,
    missing_labels: str = "refuse",
    seed: int = 0,
    progress: bool = False,
) -> LabelledData:
    """Read and understand a table; a ValueError says in one line what is wrong with it, and the remedy."""
    from emphatic.tables.files import read_table
    from emphatic.tables.policy import decide_columns
    from emphatic.tables.target import take_target

    wishes: dict[str, Any] = options.wishes
    table, layout, n_rows = read_table(path, options.of_file, max_rows=MOST_ROWS, seed=seed, progress=progress)
    remarks = list(layout.remarks)
    if len(table) < n_rows:
        remarks.append(f"{path.name} has {n_rows:,} rows: a sample of {len(table):,} of them is used")
    X, y, of_target = take_target(table, target, bins=bins, missing=missing_labels)
    decisions = decide_columns(X, y, columns=wishes, decimal=options.decimal, dates=options.dates)
    remarks += [*of_target, *(one.remark for one in decisions if one.remark)]
    return LabelledData(X, y, decisions, layout, n_rows, remarks)
