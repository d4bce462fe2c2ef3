"""What becomes of one column: its kind, how its cells are written and read, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from emphatic.fields import Flag, ListOf, Maybe, Part, Text, saved
from emphatic.tables.columns import Category, Column, read_numbers
from emphatic.tables.repeated import Repeated
from emphatic.tables.spelling import DateSpelling, NumberSpelling, read_truth_values
from emphatic.tables.spelling.missing import is_missing_mark

KINDS = ("number", "category", "boolean", "date", "text", "ignore")
"""What a column can be, in the words that users write."""


@saved(
    name=Text(),
    kind=Text(*KINDS),
    reason=Text(),
    warning=Text(),
    hint=Text(),
    spelling=Maybe(Part("NumberSpelling", "DateSpelling")),
    categories=Maybe(ListOf(Maybe(Text()))),
    many=Flag(),
)
@dataclass(frozen=True)
class Decision:
    """What becomes of one column; as text, a line for people.

    Attributes
    ----------
    name : of the column
    kind : "number", "category", "boolean", "date", "text" or "ignore"
    reason : why it is not used as it is, or ignored
    warning : what a user should check: that it gives the target away
    hint : what else it may be
    spelling : how numbers or dates are written, if they are written as text
    categories : those that get an indicator each; None if the column has no categories
    many : whether there are more, and categories are compared by their spelling too
    """

    name: str
    kind: str
    reason: str = ""
    warning: str = ""
    hint: str = ""
    spelling: NumberSpelling | DateSpelling | None = None
    categories: list[Category] | None = None
    many: bool = False

    def __str__(self) -> str:
        return f"{self.name}: {self._explain()}"

    def _explain(self) -> str:
        return "; ".join(filter(None, (self.describe(), self.doubt, self.warning)))

    def describe(self) -> str:
        """The kind and what is special about it, in words."""
        if self.left_out:
            return f"ignored: {self.reason}"
        n_values = f"{len(self.categories)} values" if self.kind == "category" and self.categories else ""
        written = self.spelling.describe() if self.spelling else ""
        return ", ".join(filter(None, (self.kind, self.reason or n_values, written)))

    @property
    def left_out(self) -> bool:
        """Whether the column is not used at all."""
        return self.kind == "ignore"

    @property
    def doubt(self) -> str:
        """What is ambiguous about how it is written, or nothing."""
        return self.spelling.doubt if self.spelling is not None else self.hint

    @property
    def remark(self) -> str:
        """What a user should know about the column, or nothing."""
        odd = any(not is_missing_mark(mark) for mark in getattr(self.spelling, "marks", ()))
        notable = self.left_out or self.many or self.warning or self.doubt or odd
        return f"column {self.name!r}: {self._explain()}" if notable else ""

    def read(self, column: Column) -> Any:
        """The cells: floats of a number, seconds of a date, else a list of texts. A ValueError names what cannot be."""
        with _name_column(column.name):
            if self.kind == "number":
                return self._read_numbers(column)
            if self.kind == "date":
                return self._read_dates(column)
        numeric = column.kind == "numeric" and not np.isnan(column.cells).all()
        if numeric and self.categories is not None and not self._are_numbers():
            # 1 could be written "1" or "1.0": which of them it was is not known
            raise ValueError(f"column {self.name!r} held text in training and holds numbers: convert it to strings")
        cells = read_cells(column)
        return read_truth_values(cells) if self.kind == "boolean" else cells

    def _are_numbers(self) -> bool:
        """Whether all categories are numbers in their shortest form."""
        try:
            return all(text is None or text == f"{float(text):.15g}" for text in self.categories or ())
        except ValueError:
            return False

    def _read_numbers(self, column: Column) -> Any:
        if column.kind == "date":
            raise ValueError("holds dates, and held numbers in training")
        if column.kind == "numeric":
            return read_numbers(column)
        spelling = self.spelling if isinstance(self.spelling, NumberSpelling) else NumberSpelling()
        texts = [cell if isinstance(cell, str) else None for cell in column.cells]
        numbers = spelling.read(texts)
        typed = [k for k, cell in enumerate(column.cells) if cell is not None and not isinstance(cell, str)]
        for k in typed:
            if isinstance(column.cells[k], bool | np.bool_):
                raise ValueError(f"holds {column.cells[k]}, and held numbers in training")
            numbers[k] = column.cells[k]
        return read_numbers(Column(column.name, "numeric", numbers))

    def _read_dates(self, column: Column) -> Any:
        if column.kind == "date":
            return column.cells
        if column.kind == "numeric":
            if np.isnan(column.cells).all():
                return column.cells
            if self.spelling is None or not (column.cells[~np.isnan(column.cells)] % 1 == 0).all():
                raise ValueError("holds numbers, and held dates in training")
            # 20240131 in a file with types
            column = Column(column.name, "text", [None if np.isnan(c) else str(int(c)) for c in column.cells])
        spelling = self.spelling if isinstance(self.spelling, DateSpelling) else DateSpelling()
        return spelling.read([None if cell is None else str(cell) for cell in column.cells])


def read_cells(column: Column) -> Sequence[Category]:
    """The cells as text, None where one is missing."""
    if isinstance(column.cells, Repeated):  # of texts alone
        return column.cells
    if column.kind in ("numeric", "date"):
        return [None if np.isnan(cell) else f"{cell:.15g}" for cell in column.cells.tolist()]
    return [None if cell is None else cell if isinstance(cell, str) else str(cell) for cell in column.cells]


def sort_categories(cells: Iterable[Category]) -> list[Category]:
    """The categories of these cells in sorted order, missing values last."""
    texts = set(cells)
    return sorted(text for text in texts if text is not None) + ([None] if None in texts else [])


@contextmanager
def _name_column(name: str) -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        text = str(error)
        raise ValueError(text if text.startswith("column ") else f"column {name!r} {text}") from None
    except OverflowError:
        raise ValueError(f"column {name!r} holds numbers too large for float64") from None
