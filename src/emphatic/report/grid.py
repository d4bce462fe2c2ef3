"""Tables of a page: as HTML, and the numbers of a figure as tables for those who cannot see it."""

import base64
import html
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Shade:
    """A cell whose background is the darker, the larger its `share` (from 0 to 1) is."""

    text: str
    share: float


@dataclass(frozen=True)
class Bar:
    """A cell that holds a bar as long as `share` (from 0 to 1), and a whisker as long as `spread` to either side."""

    share: float
    spread: float = 0.0


Cell = str | float | Shade | Bar | None
_LONG = 40  # characters
_COORDINATES = ("x", "y", "z", "text")


@dataclass(frozen=True)
class Grid:
    """A table: names of columns, rows of cells. Columns named in `right` are aligned to the right, as numbers are."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    caption: str = ""
    right: frozenset[str] = frozenset()


def render_grid(grid: Grid, name: str) -> str:
    """Render the table in a box that scrolls where the table is wider; `name` tells it from other tables."""
    heads = "".join(f'<th scope="col"{_style(name, name, grid)}>{html.escape(name)}</th>' for name in grid.columns)
    rows = [
        "".join(_render_cell(cell, column, grid) for cell, column in zip(row, grid.columns, strict=True))
        for row in grid.rows
    ]
    caption = f"<caption>{html.escape(grid.caption)}</caption>" if grid.caption else ""
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="Table: {html.escape(name)}">'
        f"<table>{caption}<thead><tr>{heads}</tr></thead>\n<tbody>"
        + "\n".join(f"<tr>{row}</tr>" for row in rows)
        + "</tbody></table></div>"
    )


def _render_cell(cell: Cell, column: str, grid: Grid) -> str:
    if isinstance(cell, Shade):
        step = round(10 * min(max(cell.share, 0.0), 1.0))
        return f'<td class="number shade s{step}">{html.escape(cell.text)}</td>'
    if isinstance(cell, Bar):
        low, high = (min(max(100 * end, 0.0), 100.0) for end in (cell.share - cell.spread, cell.share + cell.spread))
        whisker = f'<path d="M{low:.1f} 5H{high:.1f}"/>' if cell.spread > 0.0 else ""
        bar = f'<rect width="{100 * min(max(cell.share, 0.0), 1.0):.1f}" height="10"/>'
        frame = 'viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"'
        return f'<td class="bar"><svg {frame}>{bar}{whisker}</svg></td>'
    text = format_cell(cell)
    return f"<td{_style(text, column, grid)}>{html.escape(text)}</td>"


def _style(text: str, column: str, grid: Grid) -> str:
    """Numbers are aligned to the right; only long texts are broken into lines."""
    if column in grid.right:
        return ' class="number"'
    return ' class="long"' if len(text) > _LONG else ""


def format_cell(cell: Cell) -> str:
    """Format a cell: nothing for None and bars, numbers with four significant digits, text as it is.

    >>> format_cell(0.123456), format_cell(12345.0), format_cell(3), format_cell(None)
    ('0.1235', '12345', '3', '')
    """
    if cell is None or isinstance(cell, Bar):
        return ""
    if isinstance(cell, Shade):
        return cell.text
    if isinstance(cell, str):
        return cell
    return f"{cell:.0f}" if abs(cell) >= 1000 else f"{cell:.4g}"


def write_grid(grid: Grid) -> str:
    """Write the table in Markdown.

    >>> print(write_grid(Grid(["Rule", "Rank"], [["a|b", 1.5]], "Ranks.", frozenset({"Rank"}))))
    | Rule | Rank |
    |---|---:|
    | a\\|b | 1.5 |
    <BLANKLINE>
    Ranks.
    """
    rule = "|" + "|".join("---:" if column in grid.right else "---" for column in grid.columns) + "|"
    rows = [[format_cell(cell).replace("|", "\\|") for cell in row] for row in (grid.columns, *grid.rows)]
    head, *body = ("| " + " | ".join(row) + " |" for row in rows)
    return "\n".join([head, rule, *body, *(("", grid.caption) if grid.caption else ())])


def simplify(value: Any) -> Any:
    """Turn a figure, or a part of one, into what JSON can hold: no arrays, and None (a gap in plotly) for NaN.

    >>> simplify({"y": np.array([1.0, np.nan])})
    {'y': [1.0, None]}
    """
    if hasattr(value, "to_plotly_json"):
        value = value.to_plotly_json()
    if isinstance(value, Mapping) and "bdata" in value:  # how plotly 6 and later write an array
        flat = np.frombuffer(base64.b64decode(value["bdata"]), dtype=value["dtype"])
        value = flat.reshape([int(side) for side in str(value["shape"]).split(",")]) if "shape" in value else flat
    if isinstance(value, Mapping):
        return {str(name): simplify(part) for name, part in value.items()}
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [simplify(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def tabulate_figure(figure: Any) -> list[Grid]:
    """Make one table of all traces of points, and one of each trace that is a matrix."""
    whole = simplify(figure)
    traces, layout = whole.get("data", []), whole.get("layout", {})
    matrices = [trace for trace in traces if isinstance((trace.get("z") or [None])[0], list)]
    points = [trace for trace in traces if trace not in matrices]
    return [*_tabulate_points(points, layout), *(_tabulate_matrix(trace, layout) for trace in matrices)]


def _tabulate_points(traces: list[Mapping[str, Any]], layout: Mapping[str, Any]) -> Iterator[Grid]:
    used = [name for name in _COORDINATES if any(isinstance(trace.get(name), list) for trace in traces)]
    spreads = [name for name in ("error_x", "error_y") if any(trace.get(name) for trace in traces)]
    rows = []
    for trace in traces:
        values = [trace.get(name) for name in used] + [(trace.get(name) or {}).get("array") for name in spreads]
        lists = [value if isinstance(value, list) else [] for value in values]
        for i in range(max(map(len, lists[: len(used)]), default=0)):
            cells = [_unescape(one[i]) if i < len(one) else None for one in lists]
            rows.append([_unescape(trace.get("name", "")), *cells])
    if rows:
        heads = ["Series", *(_read_title(name, layout) for name in used), *("±" for _ in spreads)]
        yield Grid(heads, rows, right=frozenset(heads[1:]) - {"text"})


def _tabulate_matrix(trace: Mapping[str, Any], layout: Mapping[str, Any]) -> Grid:
    """Rows by y, columns by x."""
    x = trace.get("x") or list(range(len(trace["z"][0])))
    y = trace.get("y") or list(range(len(trace["z"])))
    corner = f"{_read_title('y', layout)} \\ {_read_title('x', layout)}"
    heads = [corner, *(f"{one:g}" if isinstance(one, (int, float)) else _unescape(one) for one in x)]
    return Grid(heads, [[_unescape(name), *cells] for name, cells in zip(y, trace["z"])], right=frozenset(heads[1:]))


def _read_title(name: str, layout: Mapping[str, Any]) -> str:
    """The title of the axis."""
    return _unescape((layout.get(f"{name}axis", {}).get("title") or {}).get("text") or name)


def _unescape(text: Any) -> Any:
    """Text as plotly shows it: line breaks become spaces, entities the characters they stand for."""
    return html.unescape(re.sub(r"<[^>]*>", " ", text)) if isinstance(text, str) else text
