"""The few dictionaries of plotly that all charts are made of."""

from collections.abc import Sequence
from typing import Any

from emphatic.report.figures import place_legend


def scatter(name: str, x: Sequence[Any], y: Sequence[Any], mode: str = "lines", **more: Any) -> dict[str, Any]:
    """A trace of lines, of markers, or of both."""
    return {"type": "scatter", "mode": mode, "name": name, "x": x, "y": y, **more}


def axis(title: str, **more: Any) -> dict[str, Any]:
    """An axis with a title."""
    return {"title": {"text": title}, **more}


def round_axis() -> dict[str, Any]:
    """A logarithmic axis of rounds, with ticks at 1, 2, 5, 10, ..."""
    return axis("round", type="log", tickvals=[digit * 10**power for power in range(5) for digit in (1, 2, 5)])


def row_axis(labels: Sequence[str], **more: Any) -> dict[str, Any]:
    """A vertical axis of labelled rows, the first on top."""
    return {"tickvals": list(range(len(labels))), "ticktext": list(labels), "range": [len(labels) - 0.5, -0.5], **more}


def make_figure(traces: list[dict[str, Any]], height: int, xaxis: Any, yaxis: Any, **more: Any) -> dict[str, Any]:
    """Traces on two axes, below their legend."""
    return {"data": traces, "layout": {**place_legend(traces, height), "xaxis": xaxis, "yaxis": yaxis, **more}}
