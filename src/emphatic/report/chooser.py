"""A slider over the rows of a table: one row at a time is shown large, and the whole table can be opened below."""

import html
from dataclasses import dataclass

from emphatic.report.grid import Grid, format_cell, render_grid


@dataclass(frozen=True)
class Chooser:
    """The table `grid`, of which the slider chooses a row by its first column; `start` is the row shown first."""

    id: str
    grid: Grid
    start: int = 0


def render_chooser(chooser: Chooser) -> str:
    """Render the slider with the row that it starts at; without a script it is hidden, and the table is there."""
    grid = chooser.grid
    name, first = html.escape(grid.columns[0]), grid.rows[chooser.start]
    facts = "".join(
        f"<div><dt>{html.escape(column)}</dt><dd>{html.escape(format_cell(cell))}</dd></div>"
        for column, cell in list(zip(grid.columns, first, strict=True))[1:]
    )
    return (
        f'<div class="chooser" id="{chooser.id}">\n'
        f'<div class="slider" hidden><label for="{chooser.id}-input">{name}</label>'
        f'<input id="{chooser.id}-input" type="range" min="0" max="{len(grid.rows) - 1}" value="{chooser.start}">'
        f'<output for="{chooser.id}-input">{html.escape(format_cell(first[0]))}</output></div>\n'
        f'<dl class="facts">{facts}</dl>\n'
        f"<details><summary>All rows</summary>{render_grid(grid, grid.caption or grid.columns[0])}</details>\n</div>"
    )
