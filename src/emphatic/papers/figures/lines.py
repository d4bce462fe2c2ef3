"""Charts of the lines of a table: published beside measured, problem by problem, and how far apart they are."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from emphatic.papers.lines import COLUMNS, STAND_IN, Line, value_text
from emphatic.report.colours import BLUE, GREEN, GREY, ORANGE, fade
from emphatic.report.figures import escape_label, place_legend, wrap_tick
from emphatic.report.grid import Cell, Grid
from emphatic.report.page import Chart

# How a free parameter was chosen: text of the legend, colour, and symbol, which grey paper shows too.
CHOICES = {
    "": ("measured", BLUE, "circle"),
    "oracle": ("oracle", ORANGE, "square"),
    "cross-validated": ("cross-validated", GREEN, "diamond"),
}
_ROW = 34  # pixels a line
_LANES = {"": -0.15, "oracle": 0.0, "cross-validated": 0.15}  # of a row, so that marks hide each other less
_TICKS = (-100, -30, -10, -3, -1, 0, 1, 3, 10, 30, 100)
_APART = 0.17  # of a row, between published and measured


def problem_charts(name: str, lines: Sequence[Line], problems: Sequence[str], measure: str) -> list[Chart]:
    """One chart a problem, each with an axis of its own: errors of different problems are not to be compared.

    Lines that sum up several problems have a chart for each setting, for these may be measured in anything.
    """
    groups: dict[tuple[str, str], list[Line]] = {}
    for line in lines:
        if line.measured or line.published:
            groups.setdefault((line.problem, "" if line.problem in problems else line.setting), []).append(line)
    charts = []
    for number, ((problem, setting), own) in enumerate(groups.items()):
        remark = f" ({STAND_IN})" if any(line.stand_in for line in own) else ""
        known = problem in problems
        title = f"{problem}{remark}" if known else ": ".join(filter(None, (problem, setting)))
        figure = published_and_measured(own, measure if known else setting)
        caption = f"Mean with one standard deviation. {_remark(own) if known else ''}".strip()
        charts.append(Chart(f"{name}-{number}", title, caption, figure, lines_grid(own), small=True))
    return charts


def published_and_measured(lines: Sequence[Line], axis: str) -> dict[str, Any]:
    """Each line is a row. Lines of one setting stand together under its name, unless most have one of their own."""
    settings = [setting for setting in dict.fromkeys(line.setting for line in lines) if setting not in ("", axis)]
    headings = settings if 2 * len(settings) <= len(lines) else []
    order = sorted(lines, key=lambda line: headings.index(line.setting) if line.setting in headings else -1)
    labels: list[str] = []
    rows: list[int] = []
    under = ""
    for line in order:
        if line.setting in headings and line.setting != under:
            labels.append(f"<b>{wrap_tick(line.setting)}</b>")
            under = line.setting
        rows.append(len(labels))
        own = f", {line.setting}" if line.setting in settings and not headings else ""
        labels.append(wrap_tick(line_name(line, lines) + own))
    every = [_published(order, rows), *(_measured(order, rows, choice) for choice in CHOICES)]
    shown = [trace for trace in every if trace["x"]]
    return {
        "data": shown,
        "layout": {
            **place_legend(shown, _ROW * len(labels) + 70),
            "xaxis": {"title": {"text": escape_label(axis)}},
            "yaxis": {
                "tickvals": list(range(len(labels))),
                "ticktext": labels,
                "range": [len(labels) - 0.5, -0.5],  # the first line is on top
                "showgrid": False,
            },
        },
    }


def difference_chart(by_table: Mapping[str, Sequence[Line]]) -> Chart | None:
    """All lines that can be compared, as measured minus published in published standard deviations."""
    compared = {name: [line for line in lines if line.difference is not None] for name, lines in by_table.items()}
    found = [
        (row, line)
        for row, lines in enumerate(filter(None, compared.values()))
        for line in lines
        if line.difference is not None
    ]
    if not found:
        return None
    names = [name for name, lines in compared.items() if lines]
    traces = [
        {
            "type": "scatter",
            "mode": "markers",
            "name": CHOICES[choice][0],
            "x": [_compressed(line.difference or 0.0) for _, line in found if line.choice == choice],
            "y": [row + _LANES[choice] for row, line in found if line.choice == choice],
            "text": [
                escape_label(f"{_whole(line)}: {line.difference:+.1f}") for _, line in found if line.choice == choice
            ],
            "hovertemplate": "%{text} published std<extra></extra>",
            "marker": {"color": fade(CHOICES[choice][1], 0.6), "symbol": CHOICES[choice][2], "size": 10},
        }
        for choice in CHOICES
        if any(line.choice == choice for _, line in found)
    ]
    figure = {
        "data": traces,
        "layout": {
            **place_legend(traces, 80 + 46 * len(names)),
            "xaxis": {
                "title": {"text": "difference in published std"},
                "zeroline": True,
                "tickvals": [_compressed(tick) for tick in _TICKS],
                "ticktext": [f"{tick:+g}" if tick else "0" for tick in _TICKS],
            },
            "yaxis": {
                "tickvals": list(range(len(names))),
                "ticktext": [escape_label(name) for name in names],
                "range": [len(names) - 0.5, -0.5],
            },
            "shapes": [_band(1), _band(2)],
        },
    }
    caption = (
        "Each mark is one line of a table; the axis is compressed towards its ends. The dark band is one published "
        "standard deviation on either side, the light one two. Stand-ins and lines without a published deviation are "
        "left out."
    )
    rows = [[names[row], _whole(line), f"{line.difference:+.1f}"] for row, line in found]
    data = Grid(("Table", "Line", "Diff/std"), rows, right=frozenset(["Diff/std"]))
    return Chart("differences", "How far from the published means", caption, figure, data)


def lines_grid(lines: Sequence[Line]) -> Grid:
    """The lines as the command prints them."""
    rows: list[list[Cell]] = [
        [
            *(line.problem, line.setting, _method(line)),
            value_text(line.published),
            value_text(line.measured) or "not finished",
            "" if line.difference is None else f"{line.difference:+.1f}",
            *("" if p is None else f"{p:.2f}" for p in (line.p_published, line.p)),
            len(line.values),
            "; ".join(part for part in (STAND_IN if line.stand_in else "", line.note) if part),
        ]
        for line in lines
    ]
    return Grid(COLUMNS, rows, right=frozenset(COLUMNS[3:-1]))


def _compressed(difference: float) -> float:
    """Nearly as it is when small, like a logarithm when large: a few outliers do not push the rest together.

    >>> [round(_compressed(one), 2) for one in (0.0, 1.0, -10.0, 100.0)]
    [0.0, 0.69, -2.4, 4.62]
    """
    return math.copysign(math.log1p(abs(difference)), difference)


def line_name(line: Line, among: Sequence[Line]) -> str:
    """The method, with the way its parameters were chosen where that is not the same for all."""
    return _method(line) if len({other.choice for other in among}) > 1 else line.method


def _method(line: Line) -> str:
    return f"{line.choice} {line.method}".strip()


def _whole(line: Line) -> str:
    return ", ".join(part for part in (line.problem, line.setting, _method(line)) if part)


def _remark(lines: Sequence[Line]) -> str:
    if any(line.stand_in for line in lines):
        return "Hollow: other data stand in for the paper's, so the two are not comparable."
    return "" if any(line.published for line in lines) else "The paper's own values are not known."


def _published(lines: Sequence[Line], rows: Sequence[int]) -> dict[str, Any]:
    found = [(line, row) for line, row in zip(lines, rows, strict=True) if line.published]
    marks = {"color": GREY, "symbol": "line-ns", "size": 13, "line": {"color": GREY, "width": 3}}
    values = [line.published for line, _ in found if line.published]
    return _points("published", values, [(line, row - _APART) for line, row in found], marks, GREY)


def _measured(lines: Sequence[Line], rows: Sequence[int], choice: str) -> dict[str, Any]:
    legend, colour, symbol = CHOICES[choice]
    found = [(line, row) for line, row in zip(lines, rows, strict=True) if line.choice == choice and line.measured]
    hollow = [fade(colour, 0.0) if line.stand_in else colour for line, _ in found]
    marks = {"color": hollow, "symbol": symbol, "size": 9, "line": {"color": colour, "width": 2}}
    values = [line.measured for line, _ in found if line.measured]
    apart = [(line, row + _APART if line.published else row) for line, row in found]
    return _points(legend, values, apart, marks, colour)


def _points(
    legend: str,
    values: Sequence[tuple[float, float | None]],
    places: Sequence[tuple[Line, float]],
    marks: dict[str, Any],
    colour: str,
) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": legend,
        "x": [mean for mean, _ in values],
        "y": [row for _, row in places],
        "error_x": {
            "type": "data",
            "array": [std or 0.0 for _, std in values],
            "color": fade(colour, 0.6),
            "width": 3,
        },
        "text": [escape_label(f"{_whole(line)}: {value_text(value)}") for (line, _), value in zip(places, values)],
        "hovertemplate": f"%{{text}}<extra>{legend}</extra>",
        "marker": marks,
    }


def _band(width: int) -> dict[str, Any]:
    return {
        "type": "rect",
        "xref": "x",
        "yref": "paper",
        "x0": _compressed(-width),
        "x1": _compressed(width),
        "y0": 0,
        "y1": 1,
        "fillcolor": fade(GREY, 0.13),
        "line": {"width": 0},
        "layer": "below",
    }
