"""Tables as HTML."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass

Cell = str | float | None
_LONG = 40  # signs


@dataclass(frozen=True)
class Grid:
    """A table: names of columns, rows of cells. The columns named in `right` are set to the right, as numbers are."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    caption: str = ""
    right: frozenset[str] = frozenset()


def grid_html(grid: Grid, name: str) -> str:
    """The table in a box of its own, which scrolls where the table is wider; `name` tells it from other tables."""
    heads = "".join(f'<th scope="col"{_kind(name, name, grid)}>{html.escape(name)}</th>' for name in grid.columns)
    rows = [
        "".join(_cell_html(cell_text(cell), column, grid) for cell, column in zip(row, grid.columns, strict=True))
        for row in grid.rows
    ]
    caption = f"<caption>{html.escape(grid.caption)}</caption>" if grid.caption else ""
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="Table: {html.escape(name)}">'
        f"<table>{caption}<thead><tr>{heads}</tr></thead>\n<tbody>"
        + "\n".join(f"<tr>{row}</tr>" for row in rows)
        + "</tbody></table></div>"
    )


def _cell_html(text: str, column: str, grid: Grid) -> str:
    return f"<td{_kind(text, column, grid)}>{html.escape(text)}</td>"


def _kind(text: str, column: str, grid: Grid) -> str:
    """Numbers go to the right; only long texts are broken into lines."""
    if column in grid.right:
        return ' class="number"'
    return ' class="long"' if len(text) > _LONG else ""


def cell_text(cell: Cell) -> str:
    """Nothing for None, numbers with four significant digits, text as it is.

    >>> cell_text(0.123456), cell_text(12345.0), cell_text(3), cell_text(None)
    ('0.1235', '12345', '3', '')
    """
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell
    return f"{cell:.0f}" if abs(cell) >= 1000 else f"{cell:.4g}"
