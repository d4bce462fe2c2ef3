"""What all encodings of a column have in common."""

import math
from typing import Any, Protocol

from emphatic.check import FloatArray

INDICATOR = math.sqrt(0.5)
"""Of a category that is there: two different categories are at squared distance 1."""


class Encoding(Protocol):
    """How the cells of one column become numbers, as it was learnt from the training rows."""

    @property
    def n_outputs(self) -> int:
        """Numbers per cell, which may be none: a column that is the same everywhere says nothing."""

    def encode(self, cells: Any) -> FloatArray:
        """(rows, n_outputs), always finite; a cell gives the same bits whatever the other cells are."""

    def names(self, column: str) -> list[str]:
        """A name for each output, beginning with that of the column."""
