"""A table as CSV for people: a spreadsheet that opens it must show the cells, and run none of them.

A spreadsheet takes a cell that begins with ``=``, ``+``, ``-`` or ``@`` for a formula, and a label or row name may come
from anybody. As OWASP advises, such a cell is written with an apostrophe before it. `read_table` takes the apostrophe
off again. `audit/web/marks.js` follows the same rule.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

# Apostrophes first: a text that looks escaped already gets one more, so that what is read is always what was written.
_FORMULA = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
_NUMBER = re.compile(r"[+-]?[.,]?\d[\d.,]*([eE][+-]?\d+)?%?", re.ASCII)


def escape_cell(cell: Any) -> Any:
    """The cell with an apostrophe before it if it is text that a spreadsheet may take for a formula.

    >>> [escape_cell(cell) for cell in ("=1+1", "-1.5", -1.5, "- none", "it's", "'=1")]
    ["'=1+1", '-1.5', -1.5, "'- none", "it's", "''=1"]
    """
    if isinstance(cell, str) and _FORMULA.match(cell) and not _NUMBER.fullmatch(cell):
        return f"'{cell}"
    return cell


def restore_cell(cell: Any) -> Any:
    """The cell as it was before `escape_cell`.

    >>> [restore_cell(cell) for cell in ("'=1+1", "-1.5", "'- none", "it's", "'tis", "''=1")]
    ['=1+1', '-1.5', '- none', "it's", "'tis", "'=1"]
    """
    if isinstance(cell, str) and cell.startswith("'") and _FORMULA.match(cell):
        return cell[1:]
    return cell


def format_csv(table: pd.DataFrame, header: bool = True) -> str:
    """A table as CSV, without its index; text and names that a spreadsheet may take for a formula are escaped."""
    lines = _Lines()
    # Before Python 3.13, a carriage return in a cell is only quoted if lines end with one, which `lines` takes off.
    _map_texts(table, escape_cell).to_csv(lines, index=False, header=header, lineterminator="\r\n")  # type: ignore[call-overload]
    return "".join(lines)


class _Lines(list[str]):
    """The lines that a CSV writer writes, one per call, ended by a line feed alone."""

    def write(self, line: str) -> None:
        self.append(line.removesuffix("\r\n") + "\n")


def _map_texts(table: pd.DataFrame, function: Callable[[Any], Any]) -> pd.DataFrame:
    """The table with the function applied to its text and names; columns without changes stay the same objects."""
    result = table.copy(deep=False)
    for name in table.select_dtypes(exclude="number"):
        before = table[name].tolist()
        after = [function(cell) for cell in before]
        if any(one is not other for one, other in zip(before, after, strict=True)):
            result[name] = type(table[name])(after, index=table.index, dtype=table[name].dtype)
    return result.rename(columns=function)
