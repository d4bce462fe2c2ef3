"""What a model file holds, and the columns of a table as its model needs them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from emphatic.names import find_near
from emphatic.tables.decision import KINDS

if TYPE_CHECKING:
    import pandas as pd

    from emphatic.tables.profile import Profile

NUMBERS = "numbers"
COLUMN_KINDS = (*KINDS, NUMBERS)
"""Of the columns of a model; files of version 0.2.0 know only "numbers", in the plural, and "text"."""


@dataclass(frozen=True)
class Saved:
    """A model with what its file says about it.

    `columns` gives the kind of every column that `predict` needs, in the order of the training table; it is empty for
    a model that was trained on a table without column names. `versions` are those of the packages that wrote the file,
    `training` is a summary by whoever trained the model, `profile` tells what the training table held, None if that
    was not kept.
    """

    model: Any
    columns: dict[str, str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    training: dict[str, Any] = field(default_factory=dict)
    profile: Profile | None = None

    @property
    def classes(self) -> list[Any]:
        """The classes of the model, in the order of its probabilities."""
        return list(self.model.classes_.tolist())

    def arrange_columns(self, X: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
        """Return the columns of the model, by name and in its order, and the names of those that it does not know.

        A ValueError names the columns that are missing, or the first value that should be a number and is not.
        """
        extra = [str(name) for name in X.columns if name not in self.columns]
        missing = [f"{name}{_suggest(name, extra)}" for name in self.columns if name not in X.columns]
        if missing:
            raise ValueError(f"the table lacks columns that the model needs: {', '.join(missing)}")
        for name, kind in self.columns.items():
            if kind == "numbers":
                _check_numbers(X[name])
        return X[list(self.columns)], extra


def _suggest(name: str, others: list[str]) -> str:
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
