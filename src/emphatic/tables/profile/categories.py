"""The profile of a column of categories: which there are, and how many rows have each of the frequent ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from emphatic.fields import Array, ListOf, Part, Text, Whole, saved
from emphatic.tables.profile.known_texts import KnownTexts

N_CATEGORIES = 50
"""The most frequent categories have a bin each, all others share one."""


@saved(
    name=Text(),
    kind=Text("category", "boolean"),
    frequent=ListOf(Text()),
    known=Part("KnownTexts"),
    counts=Array(np.int64, None, low=0, high=2**53),
    n_strange=Whole(below=2**53),
)
@dataclass(frozen=True)
class CategoryProfile:
    """Categories: the most frequent have a bin each, then come the others and missing values.

    `n_strange` rows have a category that is not remembered, or that no other row has: as large a share of new rows is
    expected to have categories that are not known.
    """

    name: str
    kind: str
    frequent: list[str]
    known: KnownTexts
    counts: np.ndarray
    n_strange: int

    @classmethod
    def learn(cls, name: str, kind: str, values: Sequence[str | None]) -> CategoryProfile | None:
        """Learn from categories, None being missing; None if all are missing."""
        occurring = Counter(text for text in values if text is not None)
        if not occurring:
            return None
        frequent = sorted(occurring, key=lambda text: (-occurring[text], text))[:N_CATEGORIES]
        known = KnownTexts.learn(occurring)
        n_strange = sum(n for text, n in occurring.items() if n == 1 or text not in known)
        return cls(name, kind, frequent, known, _count_categories(frequent, values), n_strange)

    def count(self, values: Sequence[str | None]) -> np.ndarray:
        """Count the cells of another table per bin."""
        return _count_categories(self.frequent, values)

    def find_strange(self, values: Sequence[str | None]) -> list[str]:
        """The cells whose category is not known."""
        unknown = {text for text in set(values) if text is not None and text not in self.known}
        return [text for text in values if text in unknown] if unknown else []

    def check_saved(self) -> None:
        """Raise ValueError unless there is a count for each bin, and no more strange rows than rows."""
        if len(self.counts) != len(self.frequent) + 2:
            raise ValueError(f"there are {len(self.counts)} counts for {len(self.frequent)} categories and two more")
        if self.n_strange > self.counts[:-1].sum():
            raise ValueError(f"{self.n_strange} of {self.counts[:-1].sum()} rows are strange")


def _count_categories(frequent: list[str], values: Sequence[str | None]) -> np.ndarray:
    occurring = Counter(values)
    n_missing = occurring.pop(None, 0)
    first = [occurring.pop(text, 0) for text in frequent]
    return np.array([*first, occurring.total(), n_missing], dtype=np.int64)
