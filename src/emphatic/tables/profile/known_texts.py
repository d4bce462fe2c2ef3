"""Which texts (categories or words) a table held, remembered by a few bytes each."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from emphatic.fields import Array, Flag, saved

MANY = 2**14
"""Texts that are remembered at most: the most frequent ones."""


@saved(hashes=Array(np.int64, None, low=0, high=2**32 - 1), complete=Flag())
@dataclass(frozen=True)
class KnownTexts:
    """The hashes (CRC-32) of texts. One text in 260,000 that was never seen has the hash of one that was.

    `complete` is False if there were too many texts to remember all of them: then a text that is not known may have
    been seen.

    >>> known = KnownTexts.learn({"red": 5, "blue": 2})
    >>> [text in known for text in ("red", "green")]
    [True, False]
    """

    hashes: np.ndarray
    complete: bool

    @classmethod
    def learn(cls, counts: dict[str, int]) -> KnownTexts:
        """Remember texts, given with the number of times that each occurs."""
        kept = Counter(counts).most_common(MANY)
        hashes = np.unique(np.array([_hash(text) for text, _ in kept], dtype=np.int64))
        return cls(hashes, len(kept) == len(counts))

    def __contains__(self, text: str) -> bool:
        return _hash(text) in self._lookup

    def knows_any(self, texts: Iterable[str]) -> bool:
        """Whether one of the texts is known."""
        return any(text in self for text in texts)

    @cached_property
    def _lookup(self) -> frozenset[int]:
        return frozenset(self.hashes.tolist())


def _hash(text: str) -> int:
    return zlib.crc32(text.encode("utf-8", "surrogatepass"))
