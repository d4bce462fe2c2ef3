"""The rank diagram: methods on an axis of mean ranks, joined where the problems are too few to tell them apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from emphatic.study.report.colours import BLUE, GREY, ORANGE
from emphatic.study.report.grid import Grid
from emphatic.study.report.labels import legend_above, tick_text
from emphatic.study.report.page import Chart
from emphatic.study.statistics import cliques, friedman, mean_ranks, nemenyi_distance
from emphatic.study.tables import Line

LEVEL = 0.05
_FEWEST_METHODS, _FEWEST_PROBLEMS = 3, 3


def rank_charts(name: str, lines: Sequence[Line], problems: Sequence[str], larger_is_better: bool) -> list[Chart]:
    """One diagram for all lines where a method stands once with each problem, else one for each setting.

    Stand-ins and lines that sum up several problems do not count.
    """
    own = [line for line in lines if line.problem in problems and not line.stand_in and line.measured]
    once = len({(line.problem, line.choice, line.method) for line in own}) == len(own)
    groups = (
        {"": own}
        if once
        else {setting: [line for line in own if line.setting == setting] for setting in _settings(own)}
    )
    charts = []
    for number, (setting, group) in enumerate(groups.items()):
        chart = _chart(f"{name}-ranks-{number}", setting, group, larger_is_better)
        charts += [] if chart is None else [chart]
    return charts


def _settings(lines: Sequence[Line]) -> list[str]:
    return list(dict.fromkeys(line.setting for line in lines))


def _chart(name: str, setting: str, lines: Sequence[Line], larger_is_better: bool) -> Chart | None:
    by_problem: dict[str, dict[str, float]] = {}
    for line in lines:
        if line.measured:
            by_problem.setdefault(line.problem, {})[line.method] = line.measured[0]
    methods = list(dict.fromkeys(line.method for line in lines))
    whole = [means for means in by_problem.values() if len(means) == len(methods)]
    if len(methods) < _FEWEST_METHODS or len(whole) < _FEWEST_PROBLEMS:
        return None
    sign = -1 if larger_is_better else 1
    errors = [[sign * means[method] for method in methods] for means in whole]
    order = mean_ranks(errors).argsort(kind="stable")
    names, ranks = [methods[i] for i in order], mean_ranks(errors)[order].tolist()
    distance, p = nemenyi_distance(len(methods), len(whole), LEVEL), friedman(errors).p
    caption = (
        f"Mean rank over {len(whole)} problems, 1 is best. Bars join methods that Nemenyi's test does not tell apart "
        f"at level {LEVEL:g} (critical difference {distance:.2f}). Friedman's test that all are alike: p = {p:.2g}."
    )
    title = "Ranks of the methods" + (f": {setting}" if setting else "")
    data = Grid(
        ("Method", "Mean rank"), [[method, rank] for method, rank in zip(names, ranks)], right=frozenset(["Mean rank"])
    )
    return Chart(name, title, caption, rank_diagram(names, ranks, distance), data, small=True)


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
