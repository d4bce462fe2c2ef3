"""What became of each column of a table, and what its cells mean."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from emphatic.tables.columns import read_columns
from emphatic.tables.decision import Decision
from emphatic.tables.policy import decide_columns


@dataclass(frozen=True)
class ColumnNote:
    """One column of the table: what was decided on it, and in how many rows its value is missing.

    `missing` is None for an ignored column that was taken out of the table before the fit.
    """

    decision: Decision
    missing: int | None

    @property
    def name(self) -> str:
        """The name of the column."""
        return self.decision.name

    @property
    def used(self) -> bool:
        """Whether the model reads it."""
        return not self.decision.left_out

    @property
    def description(self) -> str:
        """What was done with it, and what is ambiguous about it, in words."""
        return "; ".join(filter(None, (self.decision.describe(), self.decision.doubt)))


def describe_columns(X: Any, y: np.ndarray, decisions: Sequence[Decision] | None = None) -> list[ColumnNote]:
    """Describe the columns of a pandas table, in its order; without decisions they are decided on anew.

    Columns that are ignored need not be in the table: those that are not come last.
    """
    given = decide_columns(X, y) if decisions is None else list(decisions)
    there = {str(name) for name in X.columns}
    absent = [ColumnNote(one, None) for one in given if one.left_out and one.name not in there]
    given = [one for one in given if one.name in there or not one.left_out]
    if [one.name for one in given] != [str(name) for name in X.columns]:
        raise ValueError(
            f"columns holds {len(given)} decisions that are not those on the {X.shape[1]} columns of X: give the table "
            "that the model was fitted to."
        )
    columns = read_columns(BaseEstimator(), X, reset=True)
    notes = [ColumnNote(one, _count_missing(one.read(column))) for one, column in zip(given, columns, strict=True)]
    return notes + absent


def read_values(X: Any, position: int, decision: Decision) -> tuple[str, Any]:
    """What the cells of a column mean: its kind for a chart, and floats or texts, NaN or None where missing."""
    [column] = read_columns(BaseEstimator(), X.iloc[:, [position]], reset=True)
    return decision.kind if decision.kind in ("number", "date") else "category", decision.read(column)


def _count_missing(values: Any) -> int:
    return int(np.isnan(values).sum()) if isinstance(values, np.ndarray) else sum(value is None for value in values)
