"""What all plots share: the figure of a description, and how curves are told apart."""

from typing import Any

from emphatic.report.colours import SERIES

DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
"""As many as not to have a common divisor with the colours: 42 curves differ."""


def make_figure(description: dict[str, Any]) -> Any:
    """The plotly Figure that a nested dict describes."""
    try:
        from plotly import graph_objects
    except ImportError as error:
        raise ImportError('emphatic.plot needs the package plotly: pip install "emphatic[plot]"') from error
    return graph_objects.Figure(description)


def style_line(number: int) -> dict[str, Any]:
    """Colour and dash of a curve, by its number.

    >>> style_line(1)
    {'color': '#c04c00', 'dash': 'dash', 'width': 2}
    """
    return {"color": SERIES[number % len(SERIES)], "dash": DASHES[number % len(DASHES)], "width": 2}
