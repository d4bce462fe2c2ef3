"""Values of Python as a column with one type."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


def find_kind(cells: Sequence[Any]) -> str:
    """The kind of a column: "number", "boolean", "date" or "text"; what is mixed is text, as in a CSV file.

    >>> [find_kind(cells) for cells in ([1, 2.5, None], [True, None], [1, "a"], [True, 1], [])]
    ['number', 'boolean', 'text', 'text', 'text']
    """
    kinds = {_kind(cell) for cell in cells if cell is not None and cell != ""}
    return kinds.pop() if len(kinds) == 1 else "text"


def make_column(cells: Sequence[Any], kind: str) -> pd.Series[Any]:
    """The cells as a column of this kind; None and the empty text are missing."""
    import numpy as np
    import pandas as pd

    known = [None if cell == "" else cell for cell in cells]
    if kind == "text":
        return pd.Series([None if cell is None else spell(cell) for cell in known], dtype=object)
    if kind == "date":
        return pd.Series(pd.to_datetime(pd.Series(known, dtype=object)))
    if kind == "boolean":
        return pd.Series(known, dtype=object if None in known else bool)
    if all(cell is not None and cell == cell // 1 and abs(cell) < 2**53 for cell in known):
        return pd.Series(known, dtype=np.int64)
    return pd.Series([np.nan if cell is None else float(cell) for cell in known], dtype=np.float64)


def spell(cell: Any) -> str:
    """A value as a CSV file would have it.

    >>> [spell(cell) for cell in ("a", 1.0, 2.5, True)]
    ['a', '1', '2.5', 'True']
    """
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return cell.isoformat(" ") if isinstance(cell, datetime) else str(cell)


def _kind(cell: Any) -> str:
    if isinstance(cell, bool):
        return "boolean"
    if isinstance(cell, float) or (isinstance(cell, int) and abs(cell) < 2**63):
        return "number"  # a longer one is an identifier
    return "date" if isinstance(cell, date) else "text"
