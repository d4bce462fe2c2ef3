"""What the figures of several pages share: labels that a phone has room for, legends, and the diagram of ranks."""

import html
import textwrap
from collections.abc import Sequence
from typing import Any

from emphatic.report.colours import BLUE, GREY, ORANGE

_LINE = 19  # pixels
_LEGEND, _TICK = 42, 22  # letters that a phone has room for, and that leave room for the chart
_BREAK = "<br>"


def escape_label(name: object) -> str:
    """Escape a name for a chart: plotly interprets a few HTML elements in its texts, links among them.

    >>> escape_label("K < 3 <b>")
    'K &lt; 3 &lt;b&gt;'
    """
    return html.escape(str(name), quote=False)


def wrap_legend(name: str) -> str:
    """Break the name of a trace into lines.

    >>> wrap_legend("K 10%, T 100: RA, λ=0.5 = oracle λ=0.5 = cross-validated λ")
    'K 10%, T 100: RA, λ=0.5 = oracle λ=0.5 =<br>cross-validated λ'
    """
    return _BREAK.join(map(escape_label, textwrap.wrap(name, _LEGEND)))


def wrap_tick(name: str) -> str:
    """Break the label of a row into lines.

    >>> wrap_tick("|difference| to published, <all>")
    '|difference| to<br>published, &lt;all&gt;'
    """
    return _BREAK.join(map(escape_label, textwrap.wrap(name, _TICK)))


def place_legend(traces: Sequence[dict[str, Any]], height: int) -> dict[str, Any]:
    """Lay out a chart of this height with a legend above it, one line per trace; traces without a name need none.

    The space is computed here and not left to plotly, which lets legend and marks overlap in low charts.
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


def draw_ranks(names: Sequence[str], ranks: Sequence[float], bars: Sequence[Sequence[int]]) -> dict[str, Any]:
    """Draw methods by rising mean rank, each with a stem up to the bars.

    `bars` join methods that cannot be told apart, by number (`emphatic.study.statistics.cliques`).
    """
    top = -0.6 - 0.45 * len(bars)
    stems: dict[str, list[float | None]] = {"x": [], "y": []}
    for row, rank in enumerate(ranks):
        stems["x"] += [rank, rank, None]
        stems["y"] += [row, top, None]
    joined: dict[str, list[float | None]] = {"x": [], "y": []}
    for number, members in enumerate(bars):
        places = [ranks[i] for i in members]
        joined["x"] += [min(places), max(places), None]
        joined["y"] += [-0.6 - 0.45 * number] * 2 + [None]
    quiet = {"type": "scatter", "mode": "lines", "hoverinfo": "skip"}
    traces: list[dict[str, Any]] = [
        {**quiet, **stems, "line": {"color": GREY, "width": 1}, "showlegend": False},
        {
            **quiet,
            **joined,
            "line": {"color": ORANGE, "width": 6},
            "name": "no clear difference",
            "showlegend": bool(bars),
        },
        {
            "type": "scatter",
            "mode": "markers",
            "name": "mean rank",
            "x": list(ranks),
            "y": list(range(len(ranks))),
            "marker": {"color": BLUE, "size": 11},
            "hovertemplate": "%{x:.2f}<extra></extra>",
        },
    ]
    return {
        "data": traces,
        "layout": {
            **place_legend(traces, 100 + 32 * len(ranks) + 16 * len(bars)),
            "xaxis": {"title": {"text": "mean rank"}, "range": [0.8, len(ranks) + 0.2], "dtick": 1, "side": "top"},
            "yaxis": {
                "tickvals": list(range(len(ranks))),
                "ticktext": [wrap_tick(f"{name}  {rank:.2f}") for name, rank in zip(names, ranks)],
                "range": [len(ranks) - 0.4, top],
                "showgrid": False,
            },
        },
    }
