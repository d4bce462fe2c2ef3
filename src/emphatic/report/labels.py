"""Labels of charts, in lines that a phone has room for, and where a legend stands."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

from emphatic.report.page import chart_text

_LINE = 19  # pixels
_LEGEND, _TICK = 42, 22  # letters that a phone has room for, and that leave room for the chart
_BREAK = "<br>"


def legend_text(name: str) -> str:
    """The name of a trace.

    >>> legend_text("K 10%, T 100: RA, λ=0.5 = oracle λ=0.5 = cross-validated λ")
    'K 10%, T 100: RA, λ=0.5 = oracle λ=0.5 =<br>cross-validated λ'
    """
    return _broken(name, _LEGEND)


def tick_text(name: str) -> str:
    """The label of a row.

    >>> tick_text("|difference| to published, <all>")
    '|difference| to<br>published, &lt;all&gt;'
    """
    return _broken(name, _TICK)


def legend_above(traces: Sequence[dict[str, Any]], height: int) -> dict[str, Any]:
    """The layout of a chart of this height and of a legend over it, line below line; traces without a name need none.

    The space is reckoned here and not left to plotly, which in low charts lets a legend and the marks overlap.
    """
    named = [trace["name"] for trace in traces if trace.get("showlegend", True) and trace["name"]]
    lines = sum(1 + name.count(_BREAK) for name in named)
    edge = {"xref": "container", "x": 0, "xanchor": "left", "yref": "container", "y": 1, "yanchor": "top"}
    return {
        "height": height + _LINE * lines,
        "margin": {"l": 12, "r": 12, "t": 14 + _LINE * lines, "b": 12},
        # Entries so wide that each has a line of its own on a phone; a legend called vertical would narrow the plot.
        "legend": {"orientation": "h", "entrywidth": 290, **edge},
        "showlegend": lines > 0,
    }


def _broken(name: str, width: int) -> str:
    return _BREAK.join(map(chart_text, textwrap.wrap(name, width)))
