"""The cells of a table as plain values that JSON can hold: shown on the page, and hashed to find a row again."""

import math
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

LARGEST_EXACT = 2**53
"""A browser's numbers are float64: a larger integer would lose its last digits, so it is passed as text."""


class Feature(NamedTuple):
    """A column of a table: its name and its cells, None where they are missing."""

    name: str
    cells: list[Any]


def list_features(X: Any) -> list[Feature]:
    """The columns of a pandas or polars table, or of an array, with plain cells.

    >>> import numpy as np
    >>> list_features(np.array([[1.0, np.nan], [2.5, 4.0]]))
    [Feature(name='x0', cells=[1, 2.5]), Feature(name='x1', cells=[None, 4])]
    """
    if hasattr(X, "iloc"):  # by position: names need not be unique
        columns = [(str(name), X.iloc[:, j].tolist()) for j, name in enumerate(X.columns)]
    elif hasattr(X, "get_columns"):
        columns = [(series.name, series.to_list()) for series in X.get_columns()]
    else:
        # As objects where it is a list: NumPy would turn the numbers of a mixed one into text.
        array = X if hasattr(X, "__array__") else np.array(X, dtype=object)
        columns = [(f"x{j}", column.tolist()) for j, column in enumerate(np.asarray(array).T)]
    return [Feature(name, [as_plain(cell) for cell in cells]) for name, cells in columns]


def as_plain(cell: Any) -> int | float | str | None:
    """None for a missing value, a number where a browser has the same one (2.0 is 2), otherwise text.

    >>> [as_plain(cell) for cell in (2.0, 2.5, True, float("nan"), float("inf"), 2**53 + 1, "2.0")]
    [2, 2.5, 'True', None, 'inf', '9007199254740993', '2.0']
    """
    if isinstance(cell, str):
        return str(cell)
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):  # of pandas, without importing it
        return None
    if isinstance(cell, bool | np.bool_) or not isinstance(cell, Real):
        return str(cell)
    if isinstance(cell, int | np.integer):
        return int(cell) if abs(int(cell)) <= LARGEST_EXACT else str(cell)
    number = float(cell)
    if math.isnan(number):
        return None
    if not math.isfinite(number):
        return str(number)
    return int(number) if number.is_integer() and abs(number) <= LARGEST_EXACT else number


def name_label(label: Any) -> str:
    """A label as text: 1.0 is "1", as in a table that was read with another type, and a missing one is empty.

    >>> [name_label(label) for label in (1.0, "01", True, None)]
    ['1', '01', 'True', '']
    """
    plain = as_plain(label)
    return "" if plain is None else str(plain)


def name_rows(index: np.ndarray) -> list[Any]:
    """Row labels: numbers if all of them are, so that they sort as such; otherwise text, with several levels joined."""
    plain = [as_plain(each) for each in index.tolist()]
    if all(isinstance(each, int | float) for each in plain):
        return plain
    return [", ".join(map(str, each)) if isinstance(each, tuple) else str(each) for each in index.tolist()]
