"""The profiles of all columns of a table, each of the class that suits its kind."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from emphatic.fields import ListOf, Part, saved
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


@saved(columns=ListOf(Part("NumberProfile", "CategoryProfile", "TextProfile")))
@dataclass(frozen=True)
class Profile:
    """What the columns of a table held."""

    columns: list[ColumnProfile]

    @classmethod
    def learn(cls, columns: Iterable[tuple[str, str, Any]]) -> Profile:
        """Learn from columns, each given by its name, its kind and its values as `learn_column` takes them.

        >>> import numpy as np
        >>> profile = Profile.learn([("age", "number", np.array([30.0, 41.0, np.nan]))])
        >>> [(column.name, column.low, column.high, column.counts.tolist()) for column in profile.columns]
        [('age', 30.0, 41.0, [1, 1, 1])]
        """
        learnt = (learn_column(*column) for column in columns)
        return cls([column for column in learnt if column is not None])
