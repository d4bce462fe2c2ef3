"""The charts of an outcome: errors, differences, ranks, and error against time."""

import math
from collections.abc import Callable
from typing import Any

from emphatic.report import Chart, Grid, escape_label
from emphatic.report.colours import BLUE, GREY, ORANGE
from emphatic.report.figures import draw_ranks
from emphatic.report.labels import place_labels
from emphatic.study.findings.outcome import FEWEST, Difference, Finished, Outcome
from emphatic.study.statistics import cliques, nemenyi_distance

FAMILIES = {"": ("", BLUE, "circle"), "ours": ("ours", BLUE, "circle"), "peer": ("peers", ORANGE, "diamond")}
"""Name in the legend, colour and mark."""

_LEGEND = {"showlegend": True, "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0}}

Trace = dict[str, Any]


def draw_errors(outcome: Outcome, chart_id: str = "errors", title: str = "Errors on the test folds") -> Chart:
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
    return Chart(chart_id, title, caption, figure, data)


def draw_differences(outcome: Outcome) -> list[Chart]:
    """Draw how much worse than the best each method is, with confidence intervals."""
    differences = {one.name: found for one, found in zip(outcome.finished, outcome.differences()) if found is not None}
    if not differences:
        return []
    best = outcome.finished[0].name

    def reaches(found: list[Difference]) -> list[float]:
        return [100 * (one.high - one.mean) for one in found if one.high is not None]

    def draw(methods: list[Finished], colour: str, symbol: str) -> Trace:
        found = [differences[one.name] for one in methods]
        return {
            "type": "scatter",
            "mode": "markers",
            "x": [100 * one.mean for one in found],
            "y": [escape_label(one.name) for one in methods],
            **({"error_x": {"type": "data", "array": reaches(found), "color": GREY}} if reaches(found) else {}),
            "marker": {"color": colour, "symbol": symbol, "size": 10},
        }

    layout = _lay_out_methods(outcome, "error minus that of the best, in percentage points")
    layout["xaxis"]["zeroline"] = True
    intervals = (
        "with 95% confidence intervals: where an interval contains 0, the data do not show which of the two is better."
    )
    too_few = f"without intervals: {outcome.n_folds} test folds are too few for them, {FEWEST} are needed."
    caption = f"Differences from {best} {intervals if outcome.n_folds >= FEWEST else too_few}"
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
    names, rising = [outcome.finished[place].name for place in order], ranks[order].tolist()
    caption = (
        f"Mean rank over {n_folds} test folds, 1 is best; bars join methods that are closer than Nemenyi's critical "
        f"difference of {distance:.2f}. Friedman's test that all are equally good: p = {friedman_p:.2g}. Because the "
        "training sets overlap, both tests are too optimistic: take them as a guide, not as proof."
    )
    data = Grid(
        ("Method", "Mean rank"),
        [[name, rank] for name, rank in zip(names, rising, strict=True)],
        right=frozenset({"Mean rank"}),
    )
    return [Chart("ranks", "Ranks", caption, draw_ranks(names, rising, cliques(rising, distance)), data)]


def draw_seconds(outcome: Outcome) -> Chart:
    """Draw the error against the time of a fit, with the name of each method at its mark."""
    seconds = {one.name: max(one.mean("fit_seconds"), 1e-4) for one in outcome.finished}
    errors = {one.name: 100 * one.mean("error") for one in outcome.finished}
    sides = place_labels([math.log10(one) for one in seconds.values()], list(errors.values()), list(errors))
    places = dict(zip(errors, sides, strict=True))

    def draw(methods: list[Finished], colour: str, symbol: str) -> Trace:
        return {
            "type": "scatter",
            "mode": "markers+text",
            "x": [seconds[one.name] for one in methods],
            "y": [errors[one.name] for one in methods],
            "text": [escape_label(one.name) for one in methods],
            "textposition": [places[one.name] for one in methods],
            "textfont": {"size": 11},
            "cliponaxis": False,
            "hovertemplate": "%{text}<br>%{y:.2f}%, %{x:.3g} s<extra></extra>",
            "marker": {"color": colour, "symbol": symbol, "size": 10},
        }

    layout = {
        "height": 460,
        "xaxis": {"title": {"text": "CPU seconds per fit"}, "type": "log"},
        "yaxis": {"title": {"text": "error in %"}},
        **_LEGEND,
    }
    caption = "Lower and further to the left is better."
    return Chart(
        "seconds", "Error against time", caption, {"data": _draw_families(outcome.finished, draw), "layout": layout}
    )


def _draw_families(methods: list[Finished], draw: Callable[[list[Finished], str, str], Trace]) -> list[Trace]:
    """One trace for each family that has methods."""
    traces = []
    for family, (legend, colour, symbol) in FAMILIES.items():
        own = [one for one in methods if one.family == family]
        if own:
            traces.append({"name": legend, "showlegend": bool(legend), **draw(own, colour, symbol)})
    return traces


def _lay_out_methods(outcome: Outcome, title: str) -> dict[str, Any]:
    """A row per method, the best at the top."""
    names = [escape_label(one.name) for one in outcome.finished]
    return {
        "height": 130 + 34 * len(names),
        "xaxis": {"title": {"text": title}},
        "yaxis": {"type": "category", "categoryorder": "array", "categoryarray": names[::-1], "automargin": True},
        **_LEGEND,
    }
