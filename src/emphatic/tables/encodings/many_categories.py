"""Categories too many for an indicator each: indicators of the most frequent, and how all of them are written."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from emphatic.check import FloatArray
from emphatic.fields import Maybe, Part, Text, TupleOf, saved
from emphatic.tables.columns import Category
from emphatic.tables.encodings.encoding import INDICATOR
from emphatic.tables.encodings.texts import TextEncoding

N_FREQUENT = 30
"""Categories that have an indicator."""

N_COMPONENTS = 60
"""More than of free text: where categories are no words, each component tells a few of them apart."""


@saved(frequent=TupleOf(Maybe(Text())), similarity=Part("TextEncoding"))
@dataclass(frozen=True)
class ManyCategories:
    """Indicators of the most frequent categories, and components of the character n-grams of all of them.

    Categories that are written alike (typing errors, plurals, codes with a common beginning) are near each other,
    those that were never seen included; labels are not used. A missing value is a category like any other.

    >>> towns = ["Paris", "Paris", "Lyon", "lyon", "Lyons", "Nice", "Nizza", None]
    >>> encoding = ManyCategories.learn(towns, n_frequent=1)
    >>> encoding.names("town")[:3]
    ['town_Paris', 'town_similar1', 'town_similar2']
    """

    frequent: tuple[Category, ...]
    similarity: TextEncoding

    @classmethod
    def learn(cls, texts: Sequence[Category], seed: int = 0, n_frequent: int = N_FREQUENT) -> Self:
        """Learn from categories as text, None for missing values."""
        counts = Counter(texts)
        # ties in the order of the text, missing values last
        ranked = sorted(counts, key=lambda text: (-counts[text], text is None, text or ""))
        known = [text for text in texts if text is not None]
        return cls(tuple(ranked[:n_frequent]), TextEncoding.learn(known, seed, N_COMPONENTS))

    def encode(self, texts: Sequence[Category]) -> FloatArray:
        """(rows, n_outputs) of categories as text, None for missing values."""
        places = {text: place for place, text in enumerate(self.frequent)}
        found = np.array([places.get(text, -1) for text in texts], dtype=np.intp)
        indicators = np.where(found[:, None] == np.arange(len(self.frequent)), INDICATOR, 0.0)
        return np.hstack([indicators, self.similarity.encode(texts)])

    def names(self, column: str) -> list[str]:
        """``column_category`` for each indicator, then ``column_similar1`` and so on."""
        indicators = [f"{column}_{'missing' if text is None else text}" for text in self.frequent]
        return indicators + [f"{column}_similar{number + 1}" for number in range(self.similarity.n_outputs)]

    @property
    def n_outputs(self) -> int:
        """Numbers per category."""
        return len(self.frequent) + self.similarity.n_outputs

    def check_saved(self) -> None:
        """Raise ValueError if a category has two indicators."""
        if len(set(self.frequent)) < len(self.frequent):
            raise ValueError("frequent categories must differ")
