"""Charts of the lines of a table: published beside measured, how far apart they are, and the ranks of the methods."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from emphatic.papers.figures.plotly import axis, make_figure, row_axis, scatter
from emphatic.papers.lines import COLUMNS, RIGHT, STAND_IN, Line, line_cells, method_text, value_text
from emphatic.report.colours import BLUE, GREEN, GREY, ORANGE, fade
from emphatic.report.figures import draw_ranks, escape_label, wrap_tick
from emphatic.report.grid import Grid
from emphatic.report.page import Chart
from emphatic.study.statistics import cliques, friedman, mean_ranks, nemenyi_distance

# How a free parameter was chosen: name in the legend, colour, and symbol, which is seen without colour too.
CHOICES = {
    "": ("measured", BLUE, "circle"),
    "oracle": ("oracle", ORANGE, "square"),
    "cross-validated": ("cross-validated", GREEN, "diamond"),
}
LEVEL = 0.05  # of the tests of ranks
_ROW = 34  # pixels per line
_LANES = {"": -0.15, "oracle": 0.0, "cross-validated": 0.15}  # of a row, so that fewer marks hide each other
_TICKS = (-100, -30, -10, -3, -1, 0, 1, 3, 10, 30, 100)
_GAP = 0.17  # of a row, between published and measured
_FEWEST_METHODS, _FEWEST_PROBLEMS = 3, 3


def problem_charts(name: str, lines: Sequence[Line], problems: Sequence[str], measure: str) -> list[Chart]:
    """One chart per problem, each with its own axis: errors of different problems must not be compared.

    Lines that summarise several problems have one chart per setting, which may be measured in anything.
    """
    groups: dict[tuple[str, str], list[Line]] = defaultdict(list)
    for line in lines:
        if line.measured or line.published:
            groups[line.problem, "" if line.problem in problems else line.setting].append(line)
    charts = []
    for number, ((problem, setting), own) in enumerate(groups.items()):
        caption = "Mean with one standard deviation."
        title, label = ": ".join(filter(None, (problem, setting))), setting
        if problem in problems:
            label = measure
            if any(line.stand_in for line in own):
                title += f" ({STAND_IN})"
                caption += " Hollow: other data stand in for the paper's, so the two are not comparable."
            elif not any(line.published for line in own):
                caption += " The paper's own values are not known."
        figure = published_and_measured(own, label)
        charts.append(Chart(f"{name}-{number}", title, caption, figure, lines_grid(own), small=True))
    return charts


def published_and_measured(lines: Sequence[Line], title: str) -> dict[str, Any]:
    """One row per line. Lines of one setting stand together below its name, unless most have a setting of their own."""
    settings = [setting for setting in dict.fromkeys(line.setting for line in lines) if setting not in ("", title)]
    headings = settings if 2 * len(settings) <= len(lines) else []
    labels: list[str] = []
    rows: list[tuple[Line, int]] = []
    heading = ""
    for line in sorted(lines, key=lambda line: headings.index(line.setting) if line.setting in headings else -1):
        if line.setting in headings and line.setting != heading:
            heading = line.setting
            labels.append(f"<b>{wrap_tick(heading)}</b>")
        rows.append((line, len(labels)))
        own = f", {line.setting}" if line.setting in settings and not headings else ""
        labels.append(wrap_tick(line_name(line, lines) + own))
    every = [_published_marks(rows), *(_measured_marks(rows, choice) for choice in CHOICES)]
    shown = [trace for trace in every if trace["x"]]
    return make_figure(shown, _ROW * len(labels) + 70, axis(escape_label(title)), row_axis(labels, showgrid=False))


def difference_chart(by_table: Mapping[str, Sequence[Line]]) -> Chart | None:
    """All lines that can be compared, as measured minus published in published standard deviations."""
    found = [
        (name, line, line.difference)
        for name, lines in by_table.items()
        for line in lines
        if line.difference is not None
    ]
    if not found:
        return None
    names = list(dict.fromkeys(name for name, _, _ in found))
    traces = []
    for choice, (legend, colour, symbol) in CHOICES.items():
        own = [(names.index(name), line, difference) for name, line, difference in found if line.choice == choice]
        if own:
            traces.append(
                scatter(
                    legend,
                    [_compress(difference) for _, _, difference in own],
                    [row + _LANES[choice] for row, _, _ in own],
                    "markers",
                    text=[escape_label(f"{_full_name(line)}: {difference:+.1f}") for _, line, difference in own],
                    hovertemplate="%{text} published std<extra></extra>",
                    marker={"color": fade(colour, 0.6), "symbol": symbol, "size": 10},
                )
            )
    ticks = {
        "tickvals": [_compress(tick) for tick in _TICKS],
        "ticktext": [f"{tick:+g}" if tick else "0" for tick in _TICKS],
    }
    figure = make_figure(
        traces,
        80 + 46 * len(names),
        axis("difference in published std", zeroline=True, **ticks),
        row_axis([escape_label(name) for name in names]),
        shapes=[_band(1), _band(2)],
    )
    caption = (
        "Each mark is one line of a table; the axis is compressed towards its ends. The dark band is one published "
        "standard deviation on either side, the light one two. Stand-ins and lines without a published deviation are "
        "left out."
    )
    rows = [[name, _full_name(line), f"{difference:+.1f}"] for name, line, difference in found]
    data = Grid(("Table", "Line", "Diff/std"), rows, right=frozenset(["Diff/std"]))
    return Chart("differences", "Distance from the published means", caption, figure, data)


def rank_charts(name: str, lines: Sequence[Line], problems: Sequence[str], larger_is_better: bool) -> list[Chart]:
    """One rank diagram for all lines if each method stands once per problem, else one per setting.

    Stand-ins and lines that summarise several problems do not count.
    """
    own = [line for line in lines if line.problem in problems and not line.stand_in and line.measured]
    once = len({(line.problem, line.choice, line.method) for line in own}) == len(own)
    groups: dict[str, list[Line]] = defaultdict(list)
    for line in own:
        groups["" if once else line.setting].append(line)
    charts = [
        _rank_chart(f"{name}-ranks-{number}", setting, group, larger_is_better)
        for number, (setting, group) in enumerate(groups.items())
    ]
    return [chart for chart in charts if chart is not None]


def _rank_chart(name: str, setting: str, lines: Sequence[Line], larger_is_better: bool) -> Chart | None:
    by_problem: dict[str, dict[str, float]] = defaultdict(dict)
    for line in lines:
        if line.measured:
            by_problem[line.problem][line.method] = line.measured[0]
    methods = list(dict.fromkeys(line.method for line in lines))
    complete = [means for means in by_problem.values() if len(means) == len(methods)]
    if len(methods) < _FEWEST_METHODS or len(complete) < _FEWEST_PROBLEMS:
        return None
    sign = -1 if larger_is_better else 1
    errors = [[sign * means[method] for method in methods] for means in complete]
    ranks = mean_ranks(errors)
    ordered = [(methods[i], float(ranks[i])) for i in ranks.argsort(kind="stable")]
    distance, p = nemenyi_distance(len(methods), len(complete), LEVEL), friedman(errors).p
    caption = (
        f"Mean rank over {len(complete)} problems, 1 is best. Bars join methods that Nemenyi's test cannot distinguish "
        f"at level {LEVEL:g} (critical difference {distance:.2f}). Friedman's test that all are equal: p = {p:.2g}."
    )
    title = "Ranks of the methods" + (f": {setting}" if setting else "")
    data = Grid(("Method", "Mean rank"), [list(pair) for pair in ordered], right=frozenset(["Mean rank"]))
    names, values = [method for method, _ in ordered], [rank for _, rank in ordered]
    figure = draw_ranks(names, values, cliques(values, distance))
    return Chart(name, title, caption, figure, data, small=True)


def lines_grid(lines: Sequence[Line]) -> Grid:
    """The lines as the command prints them."""
    return Grid(COLUMNS, line_cells(lines), right=RIGHT)


def line_name(line: Line, among: Sequence[Line]) -> str:
    """The method, with how its parameters were chosen where that is not the same for all."""
    return method_text(line) if len({other.choice for other in among}) > 1 else line.method


def _full_name(line: Line) -> str:
    return ", ".join(part for part in (line.problem, line.setting, method_text(line)) if part)


def _compress(difference: float) -> float:
    """Almost linear for small values, logarithmic for large ones, so that a few outliers do not squeeze the rest.

    >>> [round(_compress(one), 2) for one in (0.0, 1.0, -10.0, 100.0)]
    [0.0, 0.69, -2.4, 4.62]
    """
    return math.copysign(math.log1p(abs(difference)), difference)


def _published_marks(rows: Sequence[tuple[Line, int]]) -> dict[str, Any]:
    marker = {"color": GREY, "symbol": "line-ns", "size": 13, "line": {"color": GREY, "width": 3}}
    points = [(line, row - _GAP, line.published) for line, row in rows if line.published]
    return _marks("published", points, marker, GREY)


def _measured_marks(rows: Sequence[tuple[Line, int]], choice: str) -> dict[str, Any]:
    legend, colour, symbol = CHOICES[choice]
    points = [
        (line, row + _GAP if line.published else row, line.measured)
        for line, row in rows
        if line.choice == choice and line.measured
    ]
    colours = [fade(colour, 0.0) if line.stand_in else colour for line, _, _ in points]
    marker = {"color": colours, "symbol": symbol, "size": 9, "line": {"color": colour, "width": 2}}
    return _marks(legend, points, marker, colour)


def _marks(
    legend: str, points: Sequence[tuple[Line, float, tuple[float, float | None]]], marker: dict[str, Any], colour: str
) -> dict[str, Any]:
    """Means with their standard deviations."""
    deviations = [std or 0.0 for _, _, (_, std) in points]
    return scatter(
        legend,
        [mean for _, _, (mean, _) in points],
        [row for _, row, _ in points],
        "markers",
        error_x={"type": "data", "array": deviations, "color": fade(colour, 0.6), "width": 3},
        text=[escape_label(f"{_full_name(line)}: {value_text(value)}") for line, _, value in points],
        hovertemplate=f"%{{text}}<extra>{legend}</extra>",
        marker=marker,
    )


def _band(width: int) -> dict[str, Any]:
    """A vertical band of `width` published standard deviations on either side."""
    return {
        "type": "rect",
        "xref": "x",
        "yref": "paper",
        "layer": "below",
        "x0": _compress(-width),
        "x1": _compress(width),
        "y0": 0,
        "y1": 1,
        "fillcolor": fade(GREY, 0.13),
        "line": {"width": 0},
    }
