"""What a model file holds, and the columns of a table as its model needs them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sklearn.base import BaseEstimator

from emphatic.names import find_near
from emphatic.tables.columns import read_columns
from emphatic.tables.decision import KINDS, Decision

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

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from emphatic import RBFNetworkClassifier
    >>> from emphatic.persistence import read, save
    >>> model = RBFNetworkClassifier(random_state=0).fit([[0.0], [1.0], [2.0]], [0, 0, 1])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(model, Path(folder) / "m.emphatic", training={"who": "me"})
    ...     saved = read(Path(folder) / "m.emphatic")
    >>> saved.training, saved.model.predict([[2.0]])
    ({'who': 'me'}, array([1]))
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

        Text is given to models that read it themselves, and otherwise read as numbers. A ValueError names the columns
        that are missing, or the first cell that should be a number and is not.
        """
        columns = self.columns or dict.fromkeys(X.columns, NUMBERS)
        extra = [str(name) for name in X.columns if name not in columns]
        missing = [f"{name}{_suggest(name, extra)}" for name in columns if name not in X.columns]
        if missing:
            raise ValueError(f"the table lacks columns that the model needs: {', '.join(missing)}")
        if _reads_text(self.model):
            return X[list(columns)], extra
        numbers = {name: _read_numbers(X[[name]]) for name, kind in columns.items() if kind in ("number", NUMBERS)}
        return X[list(columns)].assign(**numbers), extra


def _suggest(name: str, others: list[str]) -> str:
    found = find_near(name, others)
    return f" (near: {', '.join(found)})" if found else ""


def _reads_text(model: Any) -> bool:
    """Whether the model, or a step of it, has learnt how the cells of its columns are written."""
    return any(hasattr(part, "columns_") for part in (model, *(step for _, step in getattr(model, "steps", ()))))


def _read_numbers(table: pd.DataFrame) -> Any:
    (column,) = read_columns(BaseEstimator(), table, reset=True)
    return Decision(column.name, "number").read(column)
