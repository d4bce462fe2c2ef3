"""The labelled table of a command: read from its file and understood column by column."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from emphatic.commands.reading import TableOptions
    from emphatic.tables.decision import Decision

MOST_ROWS = 500_000
"""Rows that are kept in memory; of a larger file, a sample."""


@dataclass(frozen=True)
class LabelledData:
    """Features as they were read, labels, and what was found out.

    Attributes
    ----------
    X : features, as text where the file has no types; ignored columns are in it
    y : labels as they are written
    decisions : what becomes of each column
    about : how the file is laid out, and what is to be said about it, a line each
    of_target : what is to be said about the labels, a line each
    """

    X: pd.DataFrame
    y: np.ndarray
    decisions: list[Decision]
    about: list[str]
    of_target: list[str]

    @property
    def remarks(self) -> list[str]:
        """All that is to be said before the work, a line each."""
        of_columns = [one.remark for one in self.decisions if one.remark]
        return [*self.about, *self.of_target, *of_columns]

    def check_used(self) -> None:
        """Raise ValueError if there is no column to learn from."""
        if self.used.shape[1] == 0:
            reasons = "; ".join(f"{one.name}: {one.reason}" for one in self.decisions)
            raise ValueError(f"there is no column to learn from ({reasons})")

    @property
    def used(self) -> pd.DataFrame:
        """The features without the columns that are ignored."""
        return self.X[[one.name for one in self.decisions if not one.left_out]]


def read_data(
    path: Path,
    target: str,
    reading: TableOptions,
    *,
    seed: int = 0,
    progress: bool = False,
    several: bool = False,
    purpose: str = "is used",
) -> LabelledData:
    """Read and understand a table; a ValueError says in one line what is wrong with it, and the remedy.

    With `several`, the path may be a folder or a pattern; `purpose` is what a sample of a large table is for.
    """
    from emphatic.tables.files import read_table
    from emphatic.tables.files.source import name_source
    from emphatic.tables.policy import decide_columns
    from emphatic.tables.target import take_target
    from emphatic.wording import count

    wishes: dict[str, Any] = reading.wishes
    table, layout, n_rows = read_table(
        path, reading.of_file, max_rows=MOST_ROWS, seed=seed, progress=progress, several=several
    )
    about = [f"{name_source(path)}: {layout.describe()}, {count(n_rows, 'row')}", *layout.remarks]
    if len(table) < n_rows:
        about.append(f"{name_source(path)} is large: a sample of {len(table):,} of its rows {purpose}")
    X, y, of_target = take_target(table, target, bins=reading.bins, missing=reading.missing_labels)
    decisions = decide_columns(X, y, columns=wishes, decimal=reading.decimal, dates=reading.dates)
    data = LabelledData(X, y, decisions, about, of_target)
    data.check_used()
    return data
