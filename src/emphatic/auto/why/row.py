"""One row of a table, in whichever way a user has it at hand."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from emphatic.names import unknown


def read_row(row: Any, names: Sequence[str]) -> tuple[Any, list[Any]]:
    """A row as a table of one row, and its cells in the order of the columns, which have these names.

    It may be a table of one row (pandas, polars, array, list of a list), a dict or a Series by the names of the
    columns in any order, or a list of cells.

    >>> read_row({"size": 1.5, "colour": "red"}, ["colour", "size"])[1]
    ['red', 1.5]
    """
    if hasattr(row, "columns") and len(row.shape) == 2:
        _check_one(row.shape[0])
        return row, list(row.row(0)) if hasattr(row, "row") else [row.iat[0, j] for j in range(row.shape[1])]
    if hasattr(row, "to_dict") and hasattr(row, "index"):
        row = {str(name): cell for name, cell in zip(row.index, row.tolist(), strict=True)}
    cells = _arrange(row, names) if isinstance(row, Mapping) else _list_cells(row)
    if len(cells) != len(names):
        raise ValueError(f"the row has {len(cells)} cells, and the table of the training has {len(names)} columns.")
    table = np.empty((1, len(cells)), dtype=object)
    table[0] = cells
    return table, cells


def _arrange(row: Mapping[Any, Any], names: Sequence[str]) -> list[Any]:
    given = {str(name): cell for name, cell in row.items()}
    for name in given:
        if name not in names:
            raise ValueError(f"{unknown('column', name, names)}.")
    missing = [name for name in names if name not in given]
    if missing:
        raise ValueError(f"the row has no {', '.join(map(repr, missing[:5]))}: give None for a missing value.")
    return [given[name] for name in names]


def _list_cells(row: Any) -> list[Any]:
    if isinstance(row, str) or not hasattr(row, "__len__"):
        raise TypeError(
            f"row={row!r:.60} is not allowed: row must be a table of one row, a dict by column, or a list of cells."
        )
    cells = row.tolist() if isinstance(row, np.ndarray) else list(row)
    if cells and all(isinstance(one, list | tuple | np.ndarray) for one in cells):
        _check_one(len(cells))
        cells = list(cells[0])
    return cells


def _check_one(n_rows: int) -> None:
    if n_rows != 1:
        raise ValueError(f"explain takes one row, and {n_rows} are given: explain them one by one.")
