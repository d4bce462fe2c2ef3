"""The page of a comparison: one table, four charts."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from emphatic.comparison.outcome import Finished, Outcome
from emphatic.comparison.table import COLUMNS, RIGHT, format_rows
from emphatic.report import Chart, Grid, Section, escape_label, write_page
from emphatic.report.colours import BLUE, GREY, ORANGE
from emphatic.report.figures import draw_ranks
from emphatic.study.statistics.ranks import nemenyi_distance

FAMILIES = {"ours": ("ours", BLUE, "circle"), "peer": ("peers", ORANGE, "diamond")}
"""Name in the legend, colour and mark."""

Trace = dict[str, Any]


def write_comparison(outcome: Outcome, title: str, lead: str, remarks: list[str], path: Path) -> None:
    """Write the page."""
    table = Section(
        "table",
        "All figures",
        [
            "Means over all test folds, with the standard deviation of the error in brackets. Each method prepares the "
            "table and makes its choices on its training rows alone. Difference: error minus that of the best method, "
            "with a 95% confidence interval and p of the resampled t test, corrected for overlapping training sets "
            "(Nadeau and Bengio) and for the number of tests (Holm). The best was chosen on the same test folds, so "
            "its own error is slightly optimistic.",
            *remarks,
        ],
        [Grid(COLUMNS, format_rows(outcome), right=frozenset(RIGHT))],
    )
    charts = [draw_errors(outcome), *draw_differences(outcome), *draw_mean_ranks(outcome), draw_seconds(outcome)]
    write_page(path, title, lead, [Section("charts", "At a glance", charts=charts), table])


def draw_errors(outcome: Outcome) -> Chart:
    """Draw the error on every test fold, and their mean."""

    def draw(methods: list[Finished], colour: str, _: str) -> Trace:
        return {
            "type": "box",
            "orientation": "h",
            "x": [100 * value for one in methods for value in one.values["error"].tolist()],
            "y": [escape_label(one.name) for one in methods for _ in one.values["error"]],
            "boxmean": True,
            "boxpoints": "all",
            "pointpos": 0,
            "jitter": 0.6,
            "marker": {"color": colour, "size": 4},
            "line": {"color": colour},
            "fillcolor": "rgba(0,0,0,0)",
        }

    figure = {"data": _draw_families(outcome.finished, draw), "layout": _lay_out_methods(outcome, "error in %")}
    caption = "One point per test fold; the box holds the middle half of them, the dashed line is the mean."
    data = Grid(
        ("Method", "Mean error in %", "Std"),
        [[one.name, 100 * one.mean("error"), 100 * one.spread("error")] for one in outcome.finished],
        right=frozenset({"Mean error in %", "Std"}),
    )
    return Chart("errors", "Errors on the test folds", caption, figure, data)


def draw_differences(outcome: Outcome) -> list[Chart]:
    """Draw how much worse than the best each method is, with confidence intervals."""
    differences = {one.name: found for one, found in zip(outcome.finished, outcome.differences()) if found is not None}
    if not differences:
        return []
    best = outcome.finished[0].name

    def draw(methods: list[Finished], colour: str, symbol: str) -> Trace:
        found = [differences[one.name] for one in methods]
        return {
            "type": "scatter",
            "mode": "markers",
            "x": [100 * one.mean for one in found],
            "y": [escape_label(one.name) for one in methods],
            "error_x": {"type": "data", "array": [100 * (one.high - one.mean) for one in found], "color": GREY},
            "marker": {"color": colour, "symbol": symbol, "size": 10},
        }

    layout = _lay_out_methods(outcome, "error minus that of the best, in percentage points")
    layout["xaxis"]["zeroline"] = True
    caption = (
        f"Differences from {best} with 95% confidence intervals: where an interval contains 0, the data do not show "
        "which of the two is better."
    )
    traces = _draw_families(outcome.finished[1:], draw)
    return [Chart("differences", f"How far behind {best}", caption, {"data": traces, "layout": layout})]


def draw_mean_ranks(outcome: Outcome) -> list[Chart]:
    """Draw the mean ranks over the test folds."""
    friedman_p = outcome.friedman_p()
    if friedman_p is None:
        return []
    n_folds, n_methods = outcome.errors().shape
    ranks = outcome.ranks()
    order = ranks.argsort(kind="stable")
    distance = nemenyi_distance(n_methods, n_folds)
    names = [outcome.finished[place].name for place in order]
    caption = (
        f"Mean rank over {n_folds} test folds, 1 is best; bars join methods that are closer than Nemenyi's critical "
        f"difference of {distance:.2f}. Friedman's test that all are equally good: p = {friedman_p:.2g}. Because the "
        "training sets overlap, both tests are too optimistic: take them as a guide, not as proof."
    )
    data = Grid(
        ("Method", "Mean rank"),
        [[name, float(rank)] for name, rank in zip(names, ranks[order])],
        right=frozenset({"Mean rank"}),
    )
    return [Chart("ranks", "Ranks", caption, draw_ranks(names, ranks[order].tolist(), distance), data)]


def draw_seconds(outcome: Outcome) -> Chart:
    """Draw the error against the time of a fit."""

    def draw(methods: list[Finished], colour: str, symbol: str) -> Trace:
        return {
            "type": "scatter",
            "mode": "markers",
            "x": [max(one.mean("fit_seconds"), 1e-4) for one in methods],
            "y": [100 * one.mean("error") for one in methods],
            "text": [escape_label(one.name) for one in methods],
            "hovertemplate": "%{text}<br>%{y:.2f}%, %{x:.3g} s<extra></extra>",
            "marker": {"color": colour, "symbol": symbol, "size": 10},
        }

    layout = {
        "xaxis": {"title": {"text": "CPU seconds per fit"}, "type": "log"},
        "yaxis": {"title": {"text": "error in %"}},
        "showlegend": True,
    }
    caption = "Lower and further to the left is better; point at a mark to see its name, or look at the data below."
    return Chart(
        "seconds", "Error against time", caption, {"data": _draw_families(outcome.finished, draw), "layout": layout}
    )


def _draw_families(methods: list[Finished], draw: Callable[[list[Finished], str, str], Trace]) -> list[Trace]:
    """One trace for each family that has methods."""
    traces = []
    for family, (legend, colour, symbol) in FAMILIES.items():
        own = [one for one in methods if one.family == family]
        if own:
            traces.append({"name": legend, **draw(own, colour, symbol)})
    return traces


def _lay_out_methods(outcome: Outcome, title: str) -> dict[str, Any]:
    """A row per method, the best at the top."""
    names = [escape_label(one.name) for one in outcome.finished]
    return {
        "height": 130 + 34 * len(names),
        "xaxis": {"title": {"text": title}},
        "yaxis": {"type": "category", "categoryorder": "array", "categoryarray": names[::-1], "automargin": True},
        "showlegend": True,
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
    }
