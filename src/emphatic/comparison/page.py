"""The page of a comparison: one table, four charts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from emphatic.comparison.outcome import Outcome
from emphatic.comparison.table import COLUMNS, RIGHT, rows
from emphatic.report.colours import BLUE, GREY, ORANGE
from emphatic.report.page import Chart, Grid, Section, chart_text, write_page
from emphatic.report.rank_diagram import rank_diagram
from emphatic.study.statistics.ranks import nemenyi_distance

FAMILIES = {"ours": ("ours", BLUE, "circle"), "peer": ("peers", ORANGE, "diamond")}
"""Name in the legend, colour and mark."""


def write_comparison(outcome: Outcome, title: str, lead: str, remarks: list[str], path: Path) -> None:
    """Write the page."""
    table = Section(
        "table",
        "All figures",
        [
            "Means over all test parts, and standard deviations of the errors over these. The preparation of the table "
            "and every choice that a method makes rest on its training part alone. Difference: error minus that of the "
            "best, with an interval of 95% and p by the resampled t test, corrected for training parts that overlap "
            "(Nadeau and Bengio) and for the number of tests (Holm). The best was chosen on the same test parts: its "
            "own error is a little too good.",
            *remarks,
        ],
        [Grid(COLUMNS, rows(outcome), right=frozenset(RIGHT))],
    )
    charts = [errors_chart(outcome), *difference_charts(outcome), *rank_charts(outcome), seconds_chart(outcome)]
    write_page(path, title, lead, [Section("charts", "At a glance", charts=charts), table])


def errors_chart(outcome: Outcome) -> Chart:
    """The error on every test part, and their mean."""
    traces: list[dict[str, Any]] = []
    for family, (legend, colour, _) in FAMILIES.items():
        own = [one for one in outcome.finished if one.family == family]
        if own:
            traces.append(
                {
                    "type": "box",
                    "orientation": "h",
                    "name": legend,
                    "x": [100 * value for one in own for value in one.values["error"].tolist()],
                    "y": [chart_text(one.name) for one in own for _ in one.values["error"]],
                    "boxmean": True,
                    "boxpoints": "all",
                    "pointpos": 0,
                    "jitter": 0.6,
                    "marker": {"color": colour, "size": 4},
                    "line": {"color": colour},
                    "fillcolor": "rgba(0,0,0,0)",
                }
            )
    figure = {"data": traces, "layout": _layout(outcome, "error in %")}
    caption = "One point for each test part; the box holds the middle half of them, the dashed line is the mean."
    data = Grid(
        ("Method", "Mean error in %", "Std"),
        [[one.name, 100 * one.mean("error"), 100 * one.spread("error")] for one in outcome.finished],
        right=frozenset({"Mean error in %", "Std"}),
    )
    return Chart("errors", "Errors on the test parts", caption, figure, data)


def difference_charts(outcome: Outcome) -> list[Chart]:
    """How much worse than the best, with intervals."""
    pairs = [(one, found) for one, found in zip(outcome.finished, outcome.differences()) if found is not None]
    if not pairs:
        return []
    best = outcome.finished[0].name
    traces = []
    for family, (legend, colour, symbol) in FAMILIES.items():
        own = [(one.name, found) for one, found in pairs if one.family == family]
        if own:
            reach = [100 * (found.high - found.mean) for _, found in own]
            traces.append(
                {
                    "type": "scatter",
                    "mode": "markers",
                    "name": legend,
                    "x": [100 * found.mean for _, found in own],
                    "y": [chart_text(name) for name, _ in own],
                    "error_x": {"type": "data", "array": reach, "color": GREY},
                    "marker": {"color": colour, "symbol": symbol, "size": 10},
                }
            )
    layout = _layout(outcome, "error minus that of the best, in points of %")
    layout["xaxis"]["zeroline"] = True
    caption = f"Differences to {best} with intervals of 95%: where they hold 0, the data do not tell the two apart."
    return [Chart("differences", f"How far behind {best}", caption, {"data": traces, "layout": layout})]


def rank_charts(outcome: Outcome) -> list[Chart]:
    """Mean ranks over the test parts."""
    alike = outcome.alike()
    if alike is None:
        return []
    n_folds, n_methods = outcome.errors().shape
    ranks = outcome.ranks()
    order = ranks.argsort(kind="stable")
    distance = nemenyi_distance(n_methods, n_folds)
    names = [outcome.finished[place].name for place in order]
    figure = rank_diagram(names, ranks[order].tolist(), distance)
    caption = (
        f"Mean rank over {n_folds} test parts, 1 is best; bars join methods nearer than Nemenyi's critical difference "
        f"of {distance:.2f}. Friedman's p that all are alike: {alike:.2g}. The training parts overlap, so that both "
        "see more than there is: a ruler, not a proof."
    )
    data = Grid(
        ("Method", "Mean rank"),
        [[name, float(rank)] for name, rank in zip(names, ranks[order])],
        right=frozenset({"Mean rank"}),
    )
    return [Chart("ranks", "Ranks", caption, figure, data)]


def seconds_chart(outcome: Outcome) -> Chart:
    """What an error costs."""
    traces = []
    for family, (legend, colour, symbol) in FAMILIES.items():
        own = [one for one in outcome.finished if one.family == family]
        if own:
            traces.append(
                {
                    "type": "scatter",
                    "mode": "markers",
                    "name": legend,
                    "x": [max(one.mean("fit_seconds"), 1e-4) for one in own],
                    "y": [100 * one.mean("error") for one in own],
                    "text": [chart_text(one.name) for one in own],
                    "hovertemplate": "%{text}<br>%{y:.2f}%, %{x:.3g} s<extra></extra>",
                    "marker": {"color": colour, "symbol": symbol, "size": 10},
                }
            )
    layout = {
        "xaxis": {"title": {"text": "seconds of CPU a fit"}, "type": "log"},
        "yaxis": {"title": {"text": "error in %"}},
        "showlegend": True,
    }
    caption = "Below and to the left is better; the name of a mark shows when it is pointed at, and in the data below."
    return Chart("seconds", "Error against time", caption, {"data": traces, "layout": layout})


def _layout(outcome: Outcome, title: str) -> dict[str, Any]:
    names = [chart_text(one.name) for one in outcome.finished]
    return {
        "height": 130 + 34 * len(names),
        "xaxis": {"title": {"text": title}},
        "yaxis": {
            "type": "category",
            "categoryorder": "array",
            "categoryarray": names[::-1],
            "automargin": True,
        },
        "showlegend": True,
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
    }
