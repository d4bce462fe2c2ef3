"""The rank diagram: methods on an axis of mean ranks, joined where the problems are too few to tell them apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from emphatic.report.colours import BLUE, GREY, ORANGE
from emphatic.report.labels import legend_above, tick_text
from emphatic.study.statistics import cliques


def rank_diagram(names: Sequence[str], ranks: Sequence[float], distance: float) -> dict[str, Any]:
    """Methods by rising mean rank, each with a stem up to the bars of those that are not told apart."""
    bars = cliques(ranks, distance)
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
        {**quiet, **joined, "line": {"color": ORANGE, "width": 6}, "name": "not told apart", "showlegend": bool(bars)},
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
            **legend_above(traces, 100 + 32 * len(ranks) + 16 * len(bars)),
            "xaxis": {"title": {"text": "mean rank"}, "range": [0.8, len(ranks) + 0.2], "dtick": 1, "side": "top"},
            "yaxis": {
                "tickvals": list(range(len(ranks))),
                "ticktext": [tick_text(f"{name}  {rank:.2f}") for name, rank in zip(names, ranks)],
                "range": [len(ranks) - 0.4, top],
                "showgrid": False,
            },
        },
    }
