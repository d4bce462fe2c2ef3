"""Figures of a fitted model."""

from typing import Any


def make_figure(description: dict[str, Any]) -> Any:
    """A plotly Figure of its data and layout."""
    from plotly.graph_objects import Figure

    return Figure(description)
