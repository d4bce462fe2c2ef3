"""Columns of a table, chosen by name, position, slice, mask or function."""

from numbers import Integral
from typing import Any

import numpy as np

from emphatic.check import IntArray


def column_positions(owner: str, columns: Any, X: Any) -> IntArray:
    """Positions of `columns` in the table `X`, at least one and all of them valid. Errors begin with `owner`.

    >>> import numpy as np
    >>> X = np.zeros((2, 5))
    >>> column_positions("view 'a'", slice(3), X), column_positions("view 'b'", [0, -1], X)
    (array([0, 1, 2]), array([0, 4]))
    >>> column_positions("view 'c'", lambda table: np.arange(table.shape[1]) % 2 == 1, X)
    array([1, 3])
    """
    if callable(columns):
        columns = columns(X)
    n_columns = X.shape[1]
    every = np.arange(n_columns, dtype=np.intp)
    names = [str(name) for name in X.columns] if hasattr(X, "columns") else None
    if columns is None or (isinstance(columns, str) and columns == "all"):
        return every
    if isinstance(columns, slice):
        positions = every[_slice_of_positions(owner, columns, names, n_columns)]
    else:
        try:
            chosen = [columns] if isinstance(columns, str | Integral) else list(columns)
        except TypeError as error:
            allowed = "names, positions, a slice, a mask, a function, None or 'all'"
            raise TypeError(f"{owner} has columns={columns!r}: columns must be {allowed}.") from error
        if chosen and all(isinstance(one, bool | np.bool_) for one in chosen):
            if len(chosen) != n_columns:
                raise ValueError(f"{owner} has a mask of {len(chosen)} columns, but the table has {n_columns}.")
            positions = every[np.array(chosen)]
        else:
            positions = np.array([_position(owner, one, names, n_columns) for one in chosen], dtype=np.intp)
    if not len(positions):
        raise ValueError(
            f"{owner} has no columns: columns={columns!r} selects none of the {n_columns} columns of the table."
        )
    return positions


def take_columns(X: Any, positions: IntArray) -> Any:
    """Columns of an array or of a pandas or polars table."""
    if hasattr(X, "iloc"):
        return X.iloc[:, positions]
    return X[:, positions.tolist()] if hasattr(X, "columns") else X[:, positions]


def _position(owner: str, column: Any, names: list[str] | None, n_columns: int) -> int:
    """Position of one column, given by its name or by its position (negative: from the end)."""
    if isinstance(column, str):
        if names is None:
            raise ValueError(
                f"{owner} asks for column {column!r}, but the table has no column names: pass a data frame."
            )
        if names.count(column) != 1:
            found = "no such column" if column not in names else "several such columns"
            listed = ", ".join(names[:10]) + (f" and {len(names) - 10} more" if len(names) > 10 else "")
            raise ValueError(f"{owner} asks for column {column!r}, but the table has {found}; it has {listed}.")
        return names.index(column)
    if not isinstance(column, int | np.integer) or isinstance(column, bool):
        raise TypeError(f"{owner} asks for column {column!r}: a column is a name or an integer.")
    if not -n_columns <= column < n_columns:
        raise ValueError(f"{owner} asks for column {column}, but the table has {n_columns} columns.")
    return int(column) % n_columns


def _slice_of_positions(owner: str, columns: slice, names: list[str] | None, n_columns: int) -> slice:
    """A slice of names includes both ends, as in pandas; a slice of positions is Python's, but within the table."""
    start, stop = columns.start, columns.stop
    if isinstance(start, str):
        start = _position(owner, start, names, n_columns)
    if isinstance(stop, str):
        stop = _position(owner, stop, names, n_columns) + 1
    elif stop is not None and stop > n_columns:
        raise ValueError(f"{owner} asks for columns up to {stop}, but the table has {n_columns} columns.")
    return slice(start, stop, columns.step)
