"""Charts of paper 000: rounds reached, Figure 1 (error against rounds), Figure 2 (error over two lambdas)."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from emphatic.papers.figures.plotly import axis, make_figure, round_axis, scatter
from emphatic.papers.p000.outcome import Outcome, mean_over
from emphatic.papers.p000.rows import PAPER
from emphatic.report.colours import SCALE, SERIES
from emphatic.report.grid import Grid
from emphatic.report.page import Chart, Section

_DASHES = ("solid", "dash", "dot")
_MARKS = ("circle", "square", "diamond")


def draw_rounds(table_id: str, outcomes: Sequence[Outcome]) -> list[Section]:
    """How many rounds grew, for every row and lambda; nothing where lambda has a second one beside it."""
    reached = {one.row: _rounds_by_lambda(one) for one in outcomes}
    found = {row: rounds for row, rounds in reached.items() if rounds}
    if not found:
        return []
    lambdas = sorted({lam for rounds in found.values() for lam in rounds})
    shares = [
        [100 * rounds[lam] / row.n_estimators if lam in rounds else None for lam in lambdas]
        for row, rounds in found.items()
    ]
    trace = {
        "type": "heatmap",
        "x": [f"{lam:g}" for lam in lambdas],
        "y": [row.name for row in found],
        "z": shares,
        "zmin": 0,
        "zmax": 100,
        "colorscale": SCALE,
        "colorbar": {**axis("% of T"), "thickness": 14},
    }
    figure = {
        "data": [trace],
        "layout": {"height": 120 + 24 * len(found), "xaxis": axis("λ", type="category"), "yaxis": {"automargin": True}},
    }
    caption = "Mean over the runs, in % of the rounds T that were asked for."
    columns = ("Row", "T", *(f"λ={lam:g}" for lam in lambdas))
    rows = [[row.name, row.n_estimators, *(rounds.get(lam) for lam in lambdas)] for row, rounds in found.items()]
    grid = Grid(columns, rows, "Mean rounds reached.", frozenset(columns[1:]))
    chart = Chart(f"{table_id}-rounds", f"Rounds reached, table {table_id}", caption, figure)
    return [Section(f"rounds-{table_id}", f"Rounds reached, table {table_id}", (), [grid], [chart])]


def draw_surfaces(table_id: str, outcomes: Sequence[Outcome]) -> list[Section]:
    """Figure 2: the error over the lambdas of output weights and of centres, one map per row."""
    charts = []
    for one in outcomes:
        errors = {_pair(setting): one.mean(setting) for setting in one.tests.errors if _has_pair(setting)}
        if errors:
            charts.append(_draw_surface(table_id, one, errors))
    if not charts:
        return []
    text = ("The paper draws this surface for Kwok's data, which cannot be made again; five Gaussians stand in.",)
    return [
        Section(
            f"figure-2-{table_id}", f"Figure 2 of paper {PAPER}, redrawn from table {table_id}", text, charts=charts
        )
    ]


def draw_curves(chart_id: str, title: str, caption: str, curves: Mapping[str, Sequence[tuple[int, float]]]) -> Chart:
    """Error against rounds, one curve per name."""
    traces = []
    for number, (name, points) in enumerate(curves.items()):
        line = {"color": SERIES[number % len(SERIES)], "dash": _DASHES[number % len(_DASHES)], "width": 2}
        marker = {"symbol": _MARKS[number % len(_MARKS)], "size": 5}
        x, y = [round_ for round_, _ in points], [error for _, error in points]
        traces.append(scatter(name, x, y, "lines+markers", line=line, marker=marker))
    figure = make_figure(traces, 340, round_axis(), axis("test error in %"))
    return Chart(chart_id, title, caption, figure, small=True)


def _draw_surface(table_id: str, outcome: Outcome, errors: Mapping[tuple[float, float], float]) -> Chart:
    outputs, centres = (sorted({pair[side] for pair in errors}) for side in (0, 1))
    trace: dict[str, Any] = {
        "type": "heatmap",
        "x": outputs,
        "y": centres,
        "z": [[errors.get((output, centre)) for output in outputs] for centre in centres],
        "colorscale": SCALE,
        "colorbar": {**axis("error %"), "thickness": 14},
    }
    figure = {"data": [trace], "layout": {"height": 420, "xaxis": axis("λ_out"), "yaxis": axis("λ_cen")}}
    name = f"{PAPER}-figure-2" if table_id == f"{PAPER}-IV" else f"{table_id}-figure-2"
    title = f"Figure 2: test error over λ_out and λ_cen, {outcome.row.name}"
    caption = "Mean test error over the runs; Real AdaBoost is at 0.5 and 0.5."
    return Chart(f"{name}-{outcome.row.problem}", title, caption, figure, small=True)


def _rounds_by_lambda(outcome: Outcome) -> dict[float, float]:
    pairs = ((json.loads(setting), rounds) for setting, rounds in outcome.rounds.items())
    return {one["lam"]: mean_over(rounds) for one, rounds in pairs if not {"lam_cen", "lam_end"} & set(one)}


def _has_pair(setting: str) -> bool:
    return "lam_cen" in json.loads(setting)


def _pair(setting: str) -> tuple[float, float]:
    values = json.loads(setting)
    return values["lam"], values["lam_cen"]
