"""The profiles of all columns of a table, each of the class that suits its kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sklearn.base import BaseEstimator

from emphatic.fields import ListOf, Part, saved
from emphatic.tables.columns import read_columns
from emphatic.tables.decision import Decision
from emphatic.tables.profile.categories import CategoryProfile
from emphatic.tables.profile.numbers import NumberProfile
from emphatic.tables.profile.texts import TextProfile

ColumnProfile = NumberProfile | CategoryProfile | TextProfile
_PROFILES: dict[str, Any] = {
    **dict.fromkeys(("number", "date"), NumberProfile),
    **dict.fromkeys(("category", "boolean"), CategoryProfile),
    "text": TextProfile,
}


def learn_column(name: str, kind: str, values: Any) -> ColumnProfile | None:
    """Learn what a column held; None if it held nothing, or is ignored.

    `values` are floats for numbers and dates (seconds), NaN being missing, and otherwise texts, None being missing.
    """
    learnt: ColumnProfile | None = _PROFILES[kind].learn(name, kind, values) if kind in _PROFILES else None
    return learnt


@saved(
    decisions=ListOf(Part("Decision"), "columns"),
    columns=ListOf(Part("NumberProfile", "CategoryProfile", "TextProfile"), "columns"),
)
@dataclass(frozen=True)
class Profile:
    """What the columns of a table held, each beside the decision that says how its cells are read."""

    decisions: list[Decision]
    columns: list[ColumnProfile]

    @classmethod
    def learn(cls, X: Any, decisions: Sequence[Decision]) -> Profile:
        """Learn from the columns of a data frame, for each of which there is a decision.

        >>> import pandas as pd
        >>> from emphatic.tables import decide_columns
        >>> X = pd.DataFrame({"age": ["30", "41", "?"], "size": ["s", "l", "s"]})
        >>> for column in Profile.learn(X, decide_columns(X)).columns:
        ...     print(column.name, column.kind, column.counts)
        age number [1 1 1]
        size category [2 1 0 0]
        """
        used = [decision for decision in decisions if not decision.left_out]
        learnt = [
            (decision, learn_column(decision.name, decision.kind, values))
            for decision, values in zip(used, read_values(X, used), strict=True)
        ]
        known = [(decision, column) for decision, column in learnt if column is not None]
        return cls([decision for decision, _ in known], [column for _, column in known])

    def check_saved(self) -> None:
        """Raise ValueError unless every column has a decision of its name and kind."""
        for decision, column in zip(self.decisions, self.columns, strict=True):
            if (decision.name, decision.kind) != (column.name, column.kind):
                raise ValueError(f"the decision about {decision.name} stands beside the profile of {column.name}")


def read_values(X: Any, decisions: Sequence[Decision]) -> Iterator[Any]:
    """Yield the cells of the columns that decisions are about, as they are to be read."""
    if decisions:
        columns = read_columns(BaseEstimator(), X[[decision.name for decision in decisions]], reset=True)
        for decision, column in zip(decisions, columns, strict=True):
            yield decision.read(column)
