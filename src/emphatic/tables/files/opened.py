"""A file whose layout is known, ready to be read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from emphatic.tables.files.layout import Layout

if TYPE_CHECKING:
    import pandas as pd


class Chunk(Protocol):
    """Some rows of which those at `indices` can be taken; a DataFrame is one, and text need not become one before."""

    def __len__(self) -> int: ...

    def take(self, indices: Any) -> pd.DataFrame:
        """The rows at these places."""


class Opened(NamedTuple):
    """`iterate(n)` gives all rows from the first on, up to n at a time."""

    layout: Layout
    iterate: Callable[[int], Iterator[Chunk]]
