"""How cells are separated and quoted, and the reader of rows that follows from it: Python's own, in strict mode."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

LONGEST_CELL = 1 << 24
UNIT = "\x1f"
_PARTS = re.compile(r'"(?:[^"]|"")*"|\'[^\']*\'(?= |$)|[^ \r\n]+')


@dataclass(frozen=True)
class Dialect:
    r"""How cells are separated and quoted.

    `separator` is None for a table of one column, `quote` is None if quotes are plain text, `escape` is a sign that
    stands before a quote inside quotes (otherwise it is doubled); `spaces` says that a space follows each separator.
    """

    separator: str | None
    quote: str | None = '"'
    escape: str | None = None
    spaces: bool = False

    def read_rows(self, lines: Iterable[str]) -> Any:
        """Read rows of cells; the result counts lines as `line_num`, and raises `csv.Error` at a stray quote."""
        sign = self.separator or UNIT
        delimiter = sign if len(sign) == 1 else UNIT
        if len(sign) > 1:  # which Python's reader does not know
            lines = (line.replace(sign, delimiter) for line in lines)
        if delimiter == " ":
            lines = (_squeeze(line, self.quote) for line in lines)
        quotes: dict[str, Any] = {"quotechar": self.quote} if self.quote else {"quoting": csv.QUOTE_NONE}
        return csv.reader(
            lines, delimiter=delimiter, escapechar=self.escape, doublequote=self.escape is None,
            skipinitialspace=self.spaces, strict=True, **quotes,
        )  # fmt: skip

    def restore(self, row: list[str]) -> list[str]:
        """Put a separator of several characters back where it was quoted."""
        if self.separator is None or len(self.separator) == 1:
            return row
        return [cell.replace(UNIT, self.separator) if UNIT in cell else cell for cell in row]


@contextmanager
def allow_long_cells() -> Iterator[None]:
    """Let cells have up to `LONGEST_CELL` characters; the limit belongs to the whole process, so it is put back."""
    before = csv.field_size_limit(LONGEST_CELL)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _squeeze(line: str, quote: str | None) -> str:
    """One space between the cells."""
    return " ".join(_PARTS.findall(line) if quote and quote in line else line.split()) + "\n"
