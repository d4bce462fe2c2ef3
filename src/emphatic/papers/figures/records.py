"""Charts of what was tried: error against lambda, error over two lambdas, error against rounds."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from emphatic.papers.figures.lines import line_name
from emphatic.papers.lines import Line
from emphatic.papers.tried import SYMBOLS, Tried, setting_text
from emphatic.report.colours import SCALE, SERIES
from emphatic.report.figures import place_legend, wrap_legend
from emphatic.report.page import Chart
from emphatic.study.tasks import canonical

LAMBDA, OF_CENTRES = "lam", "lam_cen"
ERROR = "test error in %"
_FEWEST = 3  # values of lambda that make a curve
_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
_MARKS = ("circle", "square", "diamond", "triangle-up", "x", "star", "triangle-down")
_MOST_CURVES = 8
_ROUND_TICKS = [digit * 10**power for power in range(5) for digit in (1, 2, 5)]


def lambda_charts(name: str, tried: Sequence[Tried]) -> list[Chart]:
    """Error against lambda, a chart a problem, a curve for each number of centres and rounds (paper 000, Fig. 1)."""
    charts: list[Chart] = []
    for problem, own in _by_problem([one for one in tried if OF_CENTRES not in one.setting]).items():
        curves = [sorted(group, key=_lambda) for group in _alike(own, LAMBDA) if len(group) >= _FEWEST]
        if curves:
            differing = _differing([curve[0] for curve in curves], LAMBDA)
            names = [setting_text(curve[0].setting, differing) for curve in curves]
            figure = _chart([_lambda_curve(*one) for one in zip(curves, names, itertools.count())], "λ")
            caption = (
                "λ = 0: boundary alone, λ = 1: error alone, λ = 0.5: Real AdaBoost. "
                "Bars: one standard error over the runs."
            )
            charts.append(
                Chart(f"{name}-lambda-{len(charts)}", f"Error against λ: {problem}", caption, figure, small=True)
            )
    return charts


def surface_charts(name: str, tried: Sequence[Tried]) -> list[Chart]:
    """Error over the lambdas of output weights and of centres, from above and as a surface (paper 000, Fig. 2)."""
    charts: list[Chart] = []
    for problem, own in _by_problem([one for one in tried if OF_CENTRES in one.setting]).items():
        for group in _alike(own, LAMBDA, OF_CENTRES):
            charts += _surfaces(f"{name}-surface-{len(charts)}", problem, group)
    return charts


def round_charts(name: str, tried: Sequence[Tried], lines: Sequence[Line]) -> list[Chart]:
    """Error against rounds, a chart a problem: of the settings that the lines show, else of all if they are few."""
    charts: list[Chart] = []
    for problem, own in _by_problem([one for one in tried if len(one.curve) >= _FEWEST]).items():
        shown = _shown(own, [line for line in lines if line.problem == problem])
        if not shown and len(own) <= _MOST_CURVES:
            differing = _differing(own)
            shown = [(", ".join(filter(None, (one.method, setting_text(one.setting, differing)))), one) for one in own]
        if shown:
            figure = _chart([_round_curve(one, text, i) for i, (text, one) in enumerate(shown)], "round")
            figure["layout"]["xaxis"] |= {"type": "log", "tickvals": _ROUND_TICKS}
            caption = "Mean over the runs; a run that ended early keeps its last error."
            charts.append(
                Chart(f"{name}-rounds-{len(charts)}", f"Error against rounds: {problem}", caption, figure, small=True)
            )
    return charts


def _by_problem(tried: Sequence[Tried]) -> dict[str, list[Tried]]:
    found: dict[str, list[Tried]] = defaultdict(list)
    for one in tried:
        found[one.problem].append(one)
    return found


def _alike(tried: Sequence[Tried], *but_for: str) -> list[list[Tried]]:
    """Settings that differ in these parameters only."""
    groups: dict[tuple[str, str], list[Tried]] = defaultdict(list)
    for one in tried:
        if all(name in one.setting for name in but_for):
            rest = {name: value for name, value in one.setting.items() if name not in but_for}
            groups[one.method, canonical(rest)].append(one)
    return list(groups.values())


def _differing(tried: Sequence[Tried], *but_for: str) -> list[str]:
    """Parameters that tell these settings apart."""
    names = dict.fromkeys(name for one in tried for name in one.setting if name not in but_for)
    return [name for name in names if len({canonical({name: one.setting.get(name)}) for one in tried}) > 1]


def _lambda(one: Tried) -> float:
    return float(one.setting[LAMBDA])


def _shown(tried: Sequence[Tried], lines: Sequence[Line]) -> list[tuple[str, Tried]]:
    """The settings whose runs are the values of a line, by the names of these lines."""
    found: dict[int, dict[str, list[str]]] = {}
    alone = len({(line.choice, line.method) for line in lines}) == len(lines)  # whether the method names a line
    for line in lines:
        for number, one in enumerate(tried):
            if len(line.values) == len(one.errors) and np.allclose(line.values, one.errors, rtol=0, atol=1e-9):
                names = found.setdefault(number, {})
                names.setdefault("" if alone else f"{line.setting}: ", []).append(line_name(line, lines))
                break
    return [
        ("; ".join(setting + " = ".join(names) for setting, names in by_setting.items()), tried[number])
        for number, by_setting in found.items()
    ]


def _lambda_curve(curve: Sequence[Tried], text: str, number: int) -> dict[str, Any]:
    x, y = [_lambda(one) for one in curve], [one.mean for one in curve]
    spread = {"type": "data", "array": [one.standard_error for one in curve], "width": 3, "thickness": 1}
    return {**_line(x, y, text, number), "error_y": spread}


def _round_curve(one: Tried, text: str, number: int) -> dict[str, Any]:
    return _line([t for t, _ in one.curve], [error for _, error in one.curve], text, number)


def _line(x: list[Any], y: list[Any], text: str, number: int) -> dict[str, Any]:
    """Told apart by colour, by dash and by mark."""
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": wrap_legend(text),
        "x": x,
        "y": y,
        "line": {"color": SERIES[number % len(SERIES)], "dash": _DASHES[number % len(_DASHES)], "width": 2},
        "marker": {"symbol": _MARKS[number % len(_MARKS)], "size": 7},
    }


def _chart(data: list[dict[str, Any]], x: str) -> dict[str, Any]:
    axes = {"xaxis": {"title": {"text": x}}, "yaxis": {"title": {"text": ERROR}}}
    return {"data": data, "layout": {**axes, **place_legend(data, 300)}}


def _surfaces(name: str, problem: str, group: Sequence[Tried]) -> Iterator[Chart]:
    outputs = sorted({_lambda(one) for one in group})
    centres = sorted({float(one.setting[OF_CENTRES]) for one in group})
    if min(len(outputs), len(centres)) < _FEWEST:
        return
    means = {(float(one.setting[OF_CENTRES]), _lambda(one)): one.mean for one in group}
    z = [[means.get((centre, output)) for output in outputs] for centre in centres]
    matrix = {
        "x": outputs,
        "y": centres,
        "z": z,
        "colorscale": SCALE,
        "colorbar": {"title": {"text": "error %"}, "thickness": 14},
    }
    hover = "λ_out %{x}, λ_cen %{y}: %{z:.2f} %<extra></extra>"
    axes = {"xaxis": {"title": {"text": "λ_out"}}, "yaxis": {"title": {"text": SYMBOLS[OF_CENTRES]}}}
    above = {"data": [{"type": "heatmap", **matrix, "hovertemplate": hover}], "layout": {"height": 420, **axes}}
    caption = (
        "Mean test error for every pair of an emphasis of the output weights, λ_out, and one of the centres, λ_cen; "
        "Real AdaBoost is in the middle, at 0.5 and 0.5."
    )
    yield Chart(name, f"Error over λ_out and λ_cen: {problem}", caption, above, small=True)
    scene = {**axes, "zaxis": {"title": {"text": "error %"}}, "camera": {"eye": {"x": 1.6, "y": -1.9, "z": 1.0}}}
    surface = {
        "data": [{"type": "surface", **matrix, "hovertemplate": hover, "showscale": False}],
        "layout": {"height": 420, "scene": scene},
    }
    yield Chart(f"{name}-3d", f"The same as a surface: {problem}", "Drag to turn it.", surface, small=True)
