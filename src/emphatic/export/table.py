"""The rows that a model is asked about, in a graph: one matrix of numbers, or a value per column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from emphatic.export.graph import TEXT, Value


@dataclass(frozen=True)
class Table:
    """Columns of numbers (float64, NaN is missing) and of text.

    Attributes
    ----------
    values : one value (rows, columns) of numbers, or one value (rows, 1) per column
    width : number of columns
    missing : the text that stands for a missing one
    """

    values: Sequence[Value]
    width: int
    missing: str = ""

    @property
    def is_matrix(self) -> bool:
        """Whether all columns are numbers in a single value."""
        return len(self.values) == 1 and self.width > 1

    def column(self, position: int) -> Value:
        """(rows, 1)"""
        return self.values[0].columns([position]) if self.is_matrix else self.values[position]

    def take(self, positions: ArrayLike) -> Table:
        """A table of some of the columns."""
        chosen = np.asarray(positions).tolist()
        if chosen == list(range(self.width)):
            return self
        values = [self.values[0].columns(chosen)] if self.is_matrix else [self.values[j] for j in chosen]
        return Table(values, len(chosen), self.missing)

    def numbers(self) -> Value:
        """(rows, columns), all of which must hold numbers."""
        if any(value.dtype == TEXT for value in self.values):
            raise TypeError("a part of the model that takes numbers only has columns of text: it cannot be exported")
        return self.values[0].graph.concatenate(self.values)

    def constant_column(self, number: float) -> Value:
        """(rows, 1): the same number in every row."""
        column = self.column(0)
        return column.graph.constant(np.full((1, 1), number)).apply("Expand", column.shape())
