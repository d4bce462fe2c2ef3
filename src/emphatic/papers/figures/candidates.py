"""The candidates of a table that the store holds, and charts of their errors: against lambdas and against rounds."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from emphatic.papers.figures.lines import line_name
from emphatic.papers.figures.plotly import axis, make_figure, round_axis, scatter
from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.table import PublishedTable
from emphatic.report.colours import SCALE, SERIES
from emphatic.report.figures import wrap_legend
from emphatic.report.page import Chart
from emphatic.study.store import Store
from emphatic.study.tasks import Record, canonical

SYMBOLS = {
    "lam": "λ",
    "lam_cen": "λ_cen",
    "alpha": "α",
    "beta": "β",
    "fraction": "K",
    "n_estimators": "T",
    "n_hidden": "H",
}
LAMBDA, LAMBDA_OF_CENTRES = "lam", "lam_cen"
_PER_SPLIT = "regularisation"  # in paper 000 chosen for each training part, so it distinguishes no candidates
_FEWEST = 3  # values of lambda that make a curve
_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
_MARKS = ("circle", "square", "diamond", "triangle-up", "x", "star", "triangle-down")
_MOST_CURVES = 8


@dataclass(frozen=True)
class Candidate:
    """A setting tried on a problem: its test errors in percent, run by run, and its mean error over the rounds."""

    problem: str
    method: str
    setting: Mapping[str, Any]
    errors: Sequence[float]
    curve: Sequence[tuple[int, float]]

    @property
    def mean(self) -> float:
        return float(np.mean(self.errors))

    @property
    def standard_error(self) -> float:
        return float(np.std(self.errors, ddof=1) / np.sqrt(len(self.errors))) if len(self.errors) > 1 else 0.0


def read_candidates(table: PublishedTable, options: Options, store: Store) -> list[Candidate]:
    """The candidates of a table with all their test runs in the store."""
    works = [
        task.key
        for step in table.steps(options)
        for study in step.studies(store)
        for task in study.tasks()
        if not task.key.fold
    ]
    held = {record.key: record for name in {work.table_id for work in works} for record in store.records(name)}
    runs: dict[tuple[str, str, str], list[Record | None]] = defaultdict(list)
    for work in dict.fromkeys(works):
        setting = {name: value for name, value in json.loads(work.setting).items() if name != _PER_SPLIT}
        runs[work.problem, work.method, canonical(setting)].append(held.get(work))
    found = []
    for (problem, method, text), records in runs.items():
        done = [record for record in records if record is not None]
        if len(done) == len(records):
            errors = [100 * record.metrics["error"] for record in done]
            found.append(Candidate(problem, method, json.loads(text), errors, _mean_curve(done)))
    return found


def _mean_curve(records: Sequence[Record]) -> list[tuple[int, float]]:
    """The mean error over the runs, at the rounds of the longest. A run that ended early keeps its last error.

    Between its recorded rounds, the error of a run is interpolated over the logarithm of the round.
    """
    curves = [np.array(record.metrics.get("curve", ()), dtype=float).reshape(-1, 2) for record in records]
    if not all(map(len, curves)):
        return []
    rounds = max(curves, key=lambda curve: curve[-1, 0])[:, 0]
    errors = [np.interp(np.log(rounds), np.log(curve[:, 0]), curve[:, 1]) for curve in curves]
    return [(int(t), 100 * float(error)) for t, error in zip(rounds, np.mean(errors, axis=0), strict=True)]


def setting_text(setting: Mapping[str, Any], names: Sequence[str]) -> str:
    """These parameters of a setting, in the symbols of the papers.

    >>> setting_text({"lam": 0.5, "fraction": 0.1, "solver": "ridge"}, ["fraction", "lam"])
    'K 0.1, λ 0.5'
    """
    return ", ".join(f"{SYMBOLS.get(name, name)} {setting[name]}" for name in names if name in setting)


def lambda_charts(name: str, candidates: Sequence[Candidate]) -> list[Chart]:
    """Error against lambda: one chart per problem, one curve per number of centres and rounds."""
    charts: list[Chart] = []
    for problem, own in _by_problem([one for one in candidates if LAMBDA_OF_CENTRES not in one.setting]).items():
        curves = [sorted(group, key=_lambda) for group in _group(own, LAMBDA) if len(group) >= _FEWEST]
        if not curves:
            continue
        differing = _differing([curve[0] for curve in curves], LAMBDA)
        traces = []
        for number, curve in enumerate(curves):
            spread = {"type": "data", "array": [one.standard_error for one in curve], "width": 3, "thickness": 1}
            points = [(_lambda(one), one.mean) for one in curve]
            traces.append(_curve(points, setting_text(curve[0].setting, differing), number, error_y=spread))
        caption = (
            "λ = 0: closeness to the boundary only, λ = 1: error only, λ = 0.5: Real AdaBoost. "
            "Bars: one standard error over the runs."
        )
        title = f"Error against λ: {problem}"
        charts.append(
            Chart(f"{name}-lambda-{len(charts)}", title, caption, _error_figure(traces, axis("λ")), small=True)
        )
    return charts


def surface_charts(name: str, candidates: Sequence[Candidate]) -> list[Chart]:
    """Error over the lambdas of output weights and of centres, as a surface that can be turned (paper 000, Fig. 2).

    The table itself shows it as a map.
    """
    charts: list[Chart] = []
    for problem, own in _by_problem([one for one in candidates if LAMBDA_OF_CENTRES in one.setting]).items():
        for group in _group(own, LAMBDA, LAMBDA_OF_CENTRES):
            charts += _surfaces(f"{name}-surface-{len(charts)}", problem, group)
    return charts


def round_charts(name: str, candidates: Sequence[Candidate], lines: Sequence[Line]) -> list[Chart]:
    """Error against rounds, one chart per problem: of the candidates that the lines show, else of all if few."""
    charts: list[Chart] = []
    for problem, own in _by_problem([one for one in candidates if len(one.curve) >= _FEWEST]).items():
        shown = _find_shown(own, [line for line in lines if line.problem == problem])
        if not shown and len(own) <= _MOST_CURVES:
            differing = _differing(own)
            shown = [(", ".join(filter(None, (one.method, setting_text(one.setting, differing)))), one) for one in own]
        if shown:
            traces = [_curve(one.curve, text, number) for number, (text, one) in enumerate(shown)]
            figure = _error_figure(traces, round_axis())
            caption = "Mean over the runs; a run that ended early keeps its last error."
            title = f"Error against rounds: {problem}"
            charts.append(Chart(f"{name}-rounds-{len(charts)}", title, caption, figure, small=True))
    return charts


def _by_problem(candidates: Sequence[Candidate]) -> dict[str, list[Candidate]]:
    found: dict[str, list[Candidate]] = defaultdict(list)
    for one in candidates:
        found[one.problem].append(one)
    return found


def _group(candidates: Sequence[Candidate], *varied: str) -> list[list[Candidate]]:
    """Groups of candidates that differ in these parameters only."""
    groups: dict[tuple[str, str], list[Candidate]] = defaultdict(list)
    for one in candidates:
        if all(name in one.setting for name in varied):
            rest = {name: value for name, value in one.setting.items() if name not in varied}
            groups[one.method, canonical(rest)].append(one)
    return list(groups.values())


def _differing(candidates: Sequence[Candidate], *ignored: str) -> list[str]:
    """The parameters that distinguish these candidates."""
    names = dict.fromkeys(name for one in candidates for name in one.setting if name not in ignored)
    return [name for name in names if len({canonical({name: one.setting.get(name)}) for one in candidates}) > 1]


def _lambda(one: Candidate) -> float:
    return float(one.setting[LAMBDA])


def _find_shown(candidates: Sequence[Candidate], lines: Sequence[Line]) -> list[tuple[str, Candidate]]:
    """The candidates whose errors are the values of a line, by the names of these lines."""
    found: dict[int, dict[str, list[str]]] = {}
    unique = len({(line.choice, line.method) for line in lines}) == len(lines)  # the method alone names a line
    for line in lines:
        for number, one in enumerate(candidates):
            if len(line.values) == len(one.errors) and np.allclose(line.values, one.errors, rtol=0, atol=1e-9):
                names = found.setdefault(number, {})
                names.setdefault("" if unique else f"{line.setting}: ", []).append(line_name(line, lines))
                break
    return [
        ("; ".join(setting + " = ".join(names) for setting, names in by_setting.items()), candidates[number])
        for number, by_setting in found.items()
    ]


def _curve(points: Sequence[tuple[float, float]], text: str, number: int, **more: Any) -> dict[str, Any]:
    """Curves are distinguished by colour, dash and mark."""
    line = {"color": SERIES[number % len(SERIES)], "dash": _DASHES[number % len(_DASHES)], "width": 2}
    marker = {"symbol": _MARKS[number % len(_MARKS)], "size": 7}
    x, y = [x for x, _ in points], [y for _, y in points]
    return scatter(wrap_legend(text), x, y, "lines+markers", line=line, marker=marker, **more)


def _error_figure(traces: list[dict[str, Any]], xaxis: dict[str, Any]) -> dict[str, Any]:
    return make_figure(traces, 300, xaxis, axis("test error in %"))


def _surfaces(name: str, problem: str, group: Sequence[Candidate]) -> Iterator[Chart]:
    outputs = sorted({_lambda(one) for one in group})
    centres = sorted({float(one.setting[LAMBDA_OF_CENTRES]) for one in group})
    if min(len(outputs), len(centres)) < _FEWEST:
        return
    means = {(float(one.setting[LAMBDA_OF_CENTRES]), _lambda(one)): one.mean for one in group}
    matrix = {
        "x": outputs,
        "y": centres,
        "z": [[means.get((centre, output)) for output in outputs] for centre in centres],
        "colorscale": SCALE,
        "colorbar": {**axis("error %"), "thickness": 14},
        "hovertemplate": "λ_out %{x}, λ_cen %{y}: %{z:.2f} %<extra></extra>",
    }
    axes = {"xaxis": axis("λ_out"), "yaxis": axis(SYMBOLS[LAMBDA_OF_CENTRES])}
    caption = (
        "Mean test error for every pair of an emphasis of the output weights, λ_out, and one of the centres, λ_cen; "
        "Real AdaBoost is in the middle, at 0.5 and 0.5. Drag to rotate it."
    )
    scene = {**axes, "zaxis": axis("error %"), "camera": {"eye": {"x": 1.6, "y": -1.9, "z": 1.0}}}
    surface = {"data": [{"type": "surface", **matrix, "showscale": False}], "layout": {"height": 420, "scene": scene}}
    yield Chart(name, f"Error over λ_out and λ_cen: {problem}", caption, surface, small=True)
