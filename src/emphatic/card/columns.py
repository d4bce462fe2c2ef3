"""What became of each column of a table, and what its cells mean."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from emphatic.tables.columns import read_columns, read_numbers, read_texts
from emphatic.tables.policy import decide_columns

IGNORED = "ignore"


@dataclass(frozen=True)
class ColumnNote:
    """One column: its kind ("number", "category", "boolean", "date", "text" or "ignore"), why, and missing values.

    `missing` is None for a column that is not in the table.
    """

    name: str
    kind: str
    reason: str
    missing: int | None

    @property
    def used(self) -> bool:
        """Whether the model reads it."""
        return self.kind != IGNORED


def describe_columns(X: Any, decisions: Sequence[Any] | None = None) -> tuple[list[ColumnNote], list[Any]]:
    """Describe the columns of a pandas table, and return the decision on each.

    Decisions belong to columns by name, and by place where names are equal. Those on columns that the table lacks,
    because they were taken out of it, come last.
    """
    given = list(decide_columns(X) if decisions is None else decisions)
    own: list[Any] = []
    for name in map(str, X.columns):
        found = next((one for one in given if str(one.name) == name and not any(one is each for each in own)), None)
        if found is None:
            raise ValueError(f"columns says nothing about column {name!r}: it must decide on every column of X.")
        own.append(found)
    others = [one for one in given if not any(one is each for each in own)]
    notes = [
        ColumnNote(str(one.name), _find_kind(one), str(one.reason), _count_missing(X.iloc[:, j], one))
        for j, one in enumerate(own)
    ]
    return notes + [ColumnNote(str(one.name), _find_kind(one), str(one.reason), None) for one in others], own


def read_values(X: Any, position: int, decision: Any) -> tuple[str, Any]:
    """What the cells of a column mean: its kind for a chart, and floats or texts, NaN or None where missing."""
    [column] = read_columns(BaseEstimator(), X.iloc[:, [position]], reset=True)
    kind = _find_kind(decision)
    chart = kind if kind in ("number", "date") else "category"
    if hasattr(decision, "read"):
        return chart, decision.read(column)
    return chart, read_numbers(column) if chart == "number" else read_texts(column)


def _find_kind(decision: Any) -> str:
    if getattr(decision, "left_out", False):
        return IGNORED
    old = {} if hasattr(decision, "read") else {"numbers": "number", "text": "category"}
    return old.get(decision.kind, str(decision.kind))


def _count_missing(cells: Any, decision: Any) -> int:
    """Cells without a value, as the column is read: of numbers written as text also marks such as NA."""
    if hasattr(decision, "read") and decision.kind in ("number", "date"):
        [column] = read_columns(BaseEstimator(), cells.to_frame(), reset=True)
        return int(np.isnan(decision.read(column)).sum())
    return int(cells.isna().sum())
