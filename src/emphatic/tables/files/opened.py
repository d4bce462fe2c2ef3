"""A file whose layout is known, ready to be read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from emphatic.tables.files.layout import Layout

if TYPE_CHECKING:
    import pandas as pd


class Opened(NamedTuple):
    """`iterate(n)` gives all rows from the first on, up to n at a time."""

    layout: Layout
    iterate: Callable[[int], Iterator[pd.DataFrame]]
