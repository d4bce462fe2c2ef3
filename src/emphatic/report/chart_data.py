"""The numbers of a plotly figure as tables, for those who cannot see the figure."""

from __future__ import annotations

import base64
import html
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from emphatic.report.grid import Grid

_COORDINATES = ("x", "y", "z", "text")


def plain(value: Any) -> Any:
    """A figure, or a part of one, as what JSON holds: no arrays, no NaN (None stands for it, plotly's gap).

    >>> plain({"y": np.array([1.0, np.nan])})
    {'y': [1.0, None]}
    """
    if hasattr(value, "to_plotly_json"):
        value = value.to_plotly_json()
    if isinstance(value, Mapping) and "bdata" in value:  # how plotly 6 and later write an array
        flat = np.frombuffer(base64.b64decode(value["bdata"]), dtype=value["dtype"])
        value = flat.reshape([int(side) for side in str(value["shape"]).split(",")]) if "shape" in value else flat
    if isinstance(value, Mapping):
        return {str(name): plain(part) for name, part in value.items()}
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def chart_grids(figure: Any) -> list[Grid]:
    """One table for all traces of points, and one for each trace that is a matrix."""
    whole = plain(figure)
    traces, layout = whole.get("data", []), whole.get("layout", {})
    matrices = [trace for trace in traces if _is_matrix(trace)]
    points = [trace for trace in traces if not _is_matrix(trace)]
    return [*_point_grids(points, layout), *(_matrix_grid(trace, layout) for trace in matrices)]


def _is_matrix(trace: Mapping[str, Any]) -> bool:
    rows = trace.get("z") or [None]
    return isinstance(rows[0], list)


def _point_grids(traces: list[Mapping[str, Any]], layout: Mapping[str, Any]) -> Iterator[Grid]:
    used = [name for name in _COORDINATES if any(isinstance(trace.get(name), list) for trace in traces)]
    spreads = [name for name in ("error_x", "error_y") if any(trace.get(name) for trace in traces)]
    rows = [
        [
            _seen(trace.get("name", "")),
            *(_cell(trace, name, i) for name in used),
            *(_spread(trace, s, i) for s in spreads),
        ]
        for trace in traces
        for i in range(max((len(trace[name]) for name in used if isinstance(trace.get(name), list)), default=0))
    ]
    if rows:
        heads = ["Series", *(_head(name, layout) for name in used), *("±" for _ in spreads)]
        yield Grid(heads, rows, right=frozenset(heads[1:]) - {"text"})


def _matrix_grid(trace: Mapping[str, Any], layout: Mapping[str, Any]) -> Grid:
    """Rows by y, columns by x."""
    x = trace.get("x") or list(range(len(trace["z"][0])))
    y = trace.get("y") or list(range(len(trace["z"])))
    corner = f"{_head('y', layout)} \\ {_head('x', layout)}"
    heads = [corner, *(f"{one:g}" if isinstance(one, (int, float)) else _seen(one) for one in x)]
    return Grid(heads, [[_seen(name), *cells] for name, cells in zip(y, trace["z"])], right=frozenset(heads[1:]))


def _cell(trace: Mapping[str, Any], name: str, i: int) -> Any:
    values = trace.get(name)
    if not isinstance(values, list):
        return None
    return _seen(values[i]) if i < len(values) else None


def _spread(trace: Mapping[str, Any], name: str, i: int) -> float | None:
    values = (trace.get(name) or {}).get("array") or []
    return values[i] if i < len(values) else None


def _head(name: str, layout: Mapping[str, Any]) -> str:
    """The title of the axis."""
    return _seen((layout.get(f"{name}axis", {}).get("title") or {}).get("text") or name)


def _seen(text: Any) -> Any:
    """Text as plotly shows it: breaks are spaces, entities are the signs they stand for."""
    return html.unescape(re.sub(r"<[^>]*>", " ", text)) if isinstance(text, str) else text
