"""The one policy of what the columns of a table become, for the commands, `EmphaticClassifier` and the audit alike."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sklearn.base import BaseEstimator

from emphatic import check
from emphatic.tables.columns import Category, Column, list_categories, read_columns, read_texts

MAX_CATEGORIES = 50
"""Indicators per column at most: those of its most frequent categories."""

UNIQUE_SHARE, MIN_ROWS = 0.9, 20
"""Text with more distinct values than this share of the rows, in a table of at least so many rows, is left out."""


@dataclass(frozen=True)
class Decision:
    """What becomes of one column.

    `categories` is None for a column of numbers, which stays one; otherwise the column becomes an indicator for each
    of them, or is left out if there are none. `reason` says why a column is not used as it is.
    """

    name: str
    categories: list[Category] | None = None
    reason: str = ""

    @property
    def left_out(self) -> bool:
        """Whether the column is not used at all."""
        return self.categories == []

    @property
    def kind(self) -> str:
        """What the column holds: "numbers" or "text"."""
        return "numbers" if self.categories is None else "text"

    @property
    def remark(self) -> str:
        """What a user should know about the column, or nothing."""
        return self.reason and f"column {self.name!r} {'is left out: ' if self.left_out else 'has '}{self.reason}"


def decide_columns(X: Any, max_categories: int = MAX_CATEGORIES) -> list[Decision]:
    """Decide for each column of a table (data frame, array or list of rows) how a model should use it.

    1. Numbers are used as they are.
    2. Strings, booleans and categories become indicators, a missing value being a category of its own.
    3. Of more than 50 categories, only the most frequent 50 become indicators.
    4. Text that is different in almost every row identifies rows rather than describing them: it is left out.

    >>> import pandas as pd
    >>> table = pd.DataFrame({"id": [f"row {i}" for i in range(30)], "size": ["s", "l", "l"] * 10, "age": range(30)})
    >>> for decision in decide_columns(table):
    ...     print(decision.name, decision.categories, decision.reason)
    id [] almost every value is unique (30 of 30)
    size ['l', 's']
    age None
    """
    check.integer("max_categories", max_categories, at_least=1)
    return [decide_column(column, max_categories) for column in read_columns(BaseEstimator(), X, reset=True)]


def decide_column(column: Column, max_categories: int = MAX_CATEGORIES) -> Decision:
    """Decide for one column, from its cells alone."""
    categories = list_categories(column)
    if categories is None or len(categories) <= min(max_categories, UNIQUE_SHARE * MIN_ROWS):
        return Decision(column.name, categories)
    texts = read_texts(column)
    if len(texts) >= MIN_ROWS and len(categories) > UNIQUE_SHARE * len(texts):
        return Decision(column.name, [], f"almost every value is unique ({len(categories):,} of {len(texts):,})")
    if len(categories) <= max_categories:
        return Decision(column.name, categories)
    counts = Counter(texts)
    frequent = set(sorted(categories, key=lambda category: -counts[category])[:max_categories])  # ties: first in order
    kept = [category for category in categories if category in frequent]
    return Decision(
        column.name, kept, f"{len(categories):,} categories, of which only the {len(kept)} most frequent are used"
    )


def drop_columns(X: Any, decisions: Sequence[Decision]) -> Any:
    """Return a data frame without the columns that are left out; a ValueError if none would remain."""
    dropped = [decision for decision in decisions if decision.left_out]
    if len(dropped) == len(decisions):
        reasons = "; ".join(f"{decision.name}: {decision.reason}" for decision in dropped)
        raise ValueError(f"there is no column to learn from ({reasons})")
    return X.drop(columns=[decision.name for decision in dropped])
