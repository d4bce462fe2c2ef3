"""The columns that a model was trained on, and a new table brought into their shape."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from emphatic.names import find_near

if TYPE_CHECKING:
    import pandas as pd

NUMBERS, TEXT = "numbers", "text"


def kinds(X: pd.DataFrame) -> dict[str, str]:
    """Whether each column holds numbers or text.

    >>> import pandas as pd
    >>> kinds(pd.DataFrame({"age": [1.0, None], "size": ["s", "l"], "paid": [True, False]}))
    {'age': 'numbers', 'size': 'text', 'paid': 'text'}
    """
    from pandas.api.types import is_bool_dtype, is_numeric_dtype

    return {
        str(name): NUMBERS if is_numeric_dtype(X[name]) and not is_bool_dtype(X[name]) else TEXT for name in X.columns
    }


def arranged(X: pd.DataFrame, columns: Mapping[str, str]) -> tuple[pd.DataFrame, list[str]]:
    """The columns of the model, by name and in its order, and the names of those that it does not know.

    A ValueError names the columns that are missing, or the first cell that should be a number and is not.
    """
    missing = [name for name in columns if name not in X.columns]
    extra = [str(name) for name in X.columns if name not in columns]
    if missing:
        hints = [f"{name}{_hint(name, extra)}" for name in missing]
        raise ValueError(f"the table lacks columns that the model needs: {', '.join(hints)}")
    for name, kind in columns.items():
        if kind == NUMBERS:
            _check_numbers(X[name])
    return X[list(columns)], extra


def _hint(name: str, others: list[str]) -> str:
    found = find_near(name, others)
    return f" (near: {', '.join(found)})" if found else ""


def _check_numbers(column: pd.Series) -> None:
    import pandas as pd
    from pandas.api.types import is_bool_dtype, is_numeric_dtype

    if is_numeric_dtype(column) and not is_bool_dtype(column):
        return
    wrong = pd.to_numeric(column.astype(str), errors="coerce").isna() & column.notna()
    if wrong.any():
        index = int(wrong.to_numpy().argmax())
        raise ValueError(
            f"column {column.name} held numbers in training and now holds {column.iloc[index]!r} at index {index}"
        )
