"""The profile of a column of free text: its words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from emphatic.fields import Array, Part, Text, Whole, saved
from emphatic.tables.profile.known_texts import KnownTexts


@saved(
    name=Text(),
    kind=Text("text"),
    known=Part("KnownTexts"),
    counts=Array(np.int64, 2, low=0, high=2**53),
    n_strange=Whole(below=2**53),
)
@dataclass(frozen=True)
class TextProfile:
    """Free text: its words; the only bins are text and missing values.

    `n_strange` rows share no word that is remembered with another row: as large a share of new rows is expected to have
    no known word.
    """

    name: str
    kind: str
    known: KnownTexts
    counts: np.ndarray
    n_strange: int

    @classmethod
    def learn(cls, name: str, kind: str, values: Sequence[str | None]) -> TextProfile | None:
        """Learn from texts, None being missing; None if all are missing."""
        words = [split_words(text) for text in values if text is not None]
        if not words:
            return None
        n_rows = Counter(word for row in words for word in row)
        known = KnownTexts.learn(n_rows)
        n_strange = sum(bool(row) and not known.knows_any(word for word in row if n_rows[word] > 1) for row in words)
        return cls(name, kind, known, _count_texts(values), n_strange)

    def count(self, values: Sequence[str | None]) -> np.ndarray:
        """Count the cells of another table per bin."""
        return _count_texts(values)

    def find_strange(self, values: Sequence[str | None]) -> list[str]:
        """The texts that have words, but no known one."""
        return [text for text in values if text is not None and self._is_strange(split_words(text))]

    def check_saved(self) -> None:
        """Raise ValueError if there are more strange rows than rows."""
        if self.n_strange > self.counts[0]:
            raise ValueError(f"{self.n_strange} of {self.counts[0]} rows are strange")

    def _is_strange(self, words: set[str]) -> bool:
        return bool(words) and not self.known.knows_any(words)


def _count_texts(values: Sequence[str | None]) -> np.ndarray:
    n_missing = sum(text is None for text in values)
    return np.array([len(values) - n_missing, n_missing], dtype=np.int64)


def split_words(text: str) -> set[str]:
    """The words of a text, in lower case.

    >>> sorted(split_words("It's late; it is 10:30."))
    ['10', '30', 'is', 'it', 'late', 's']
    """
    return set(re.findall(r"\w+", text.lower()))
