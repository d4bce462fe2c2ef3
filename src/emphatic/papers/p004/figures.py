"""The figures of the slides, drawn again: errors against learners, rewards and deflections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from emphatic.papers.figures.candidates import read_candidates
from emphatic.papers.figures.plotly import axis, make_figure, scatter
from emphatic.papers.options import Options
from emphatic.papers.p004.claims import Curves
from emphatic.papers.p004.problems import LARGEST
from emphatic.papers.p004.sweep_results import SweepResults
from emphatic.papers.table import PublishedTable
from emphatic.report.colours import SCALE, SERIES
from emphatic.report.page import Chart, Section
from emphatic.study.store import Store
from emphatic.study.tasks import Setting, canonical

ERROR = "mean error in %"
SHOWN = ("FuzzyBoost", "easy only", "difficult only", "DFA", "AdaBoost")
"""What is drawn against the number of learners."""


def read_curves(table: PublishedTable, methods: Mapping[str, Setting], options: Options, store: Store) -> Curves:
    """Errors against the number of learners on the six largest problems, of methods that can be stopped early."""
    problems = [problem for problem in table.chosen_problems(options) if problem in LARGEST]
    if not problems:
        return {}
    names = {canonical(setting): name for name, setting in methods.items()}
    found: dict[str, dict[str, Sequence[tuple[int, float]]]] = {}
    for candidate in read_candidates(table, replace(options, problems=tuple(problems)), store):
        name = names.get(canonical(candidate.setting))
        if name and candidate.curve:
            found.setdefault(candidate.problem, {})[name] = candidate.curve
    needed = {"FuzzyBoost", "easy only", "difficult only"}
    return {problem: own for problem, own in found.items() if needed <= set(own)}


def draw_rounds(table_id: str, curves: Curves) -> list[Section]:
    """One chart per problem."""
    charts = [
        Chart(
            f"{table_id}-rounds-{problem}",
            f"Error against the number of classifiers: {problem}",
            "Mean over the folds. Redraws the figures of the slide “Weight initialization evaluation”.",
            draw_lines({name: curve for name, curve in own.items() if name in SHOWN}, "number of trees", "error in %"),
            small=True,
        )
        for problem, own in curves.items()
    ]
    text = (
        f"The slides draw six problems and do not name them; here they are the {len(LARGEST)} largest, chosen by their "
        "numbers of rows. scikit-learn's Bagging cannot be stopped early, so it has no curve.",
    )
    return [Section(f"{table_id}-rounds", f"{table_id}: error against the number of classifiers", text, charts=charts)]


def draw_lines(curves: Mapping[str, Sequence[tuple[Any, float]]], x: str, y: str) -> dict[str, Any]:
    """Lines with markers, one colour each."""
    traces = [
        scatter(
            name, [point[0] for point in points], [point[1] for point in points], "lines+markers", line={"color": c}
        )
        for (name, points), c in zip(curves.items(), SERIES, strict=False)
    ]
    return make_figure(traces, 300, axis(x), axis(y))


def draw_rewards(results: SweepResults) -> list[Section]:
    """The mean error by reward, the error of every problem, and the best rewards."""
    means = results.means
    numbers = list(dict.fromkeys(variant["n_deflections"] for variant in results.variants))
    by_number = {
        name_number(number): [
            (results.variants[place]["reward"], float(means[:, place].mean()))
            for place in results.places(n_deflections=number)
        ]
        for number in numbers
    }
    charts = [
        Chart(
            "004-reward",
            "Mean error by reward",
            f"Over {len(results.problems)} problems. Redraws “The influence of the parameters”.",
            draw_lines(by_number, "reward", ERROR),
        ),
        Chart(
            "004-reward-deflections",
            "Error by reward and number of deflections, problem by problem",
            "In % of the mean error of all pairs on the same problem: below 100 is better than the mean.",
            draw_heatmap(results),
        ),
        Chart(
            "004-best-reward",
            "Best reward of each problem (oracle)",
            "Chosen by the test error on the folds that are shown, so these are optimistic, and differ by chance too.",
            draw_best(results, numbers),
        ),
    ]
    return [Section("004-reward-figures", "004: reward and deflections", charts=charts)]


def draw_deflections(results: SweepResults) -> list[Section]:
    """The mean error by the number of deflections."""
    means = results.means.mean(axis=0)
    curves = {
        name: [
            (results.variants[place]["n_deflections"], float(means[place])) for place in results.places(aligned=aligned)
        ]
        for name, aligned in (("not aligned", False), ("aligned", True))
    }
    caption = "Aligned: distances from earlier minima ignore the order of the clusters."
    figure = draw_lines(curves, "number of deflections", ERROR)
    chart = Chart("004-deflections", "Mean error by number of deflections", caption, figure)
    return [Section("004-deflections-figures", "004: number of deflections", charts=[chart])]


def name_number(number: int) -> str:
    """The ensemble with this number of deflections.

    >>> name_number(0), name_number(2)
    ('FuzzyBoost', 'DFA, deflections: 2')
    """
    return f"DFA, deflections: {number}" if number else "FuzzyBoost"


def draw_heatmap(results: SweepResults) -> dict[str, Any]:
    """Problems by variants."""
    means = results.means
    average = means.mean(axis=1, keepdims=True)
    relative = 100.0 * np.divide(means, average, out=np.ones_like(means), where=average > 0)
    labels = [f"{variant['n_deflections']} × {variant['reward']}" for variant in results.variants]
    trace = {
        "type": "heatmap",
        "x": labels,
        "y": list(results.problems),
        "z": relative.tolist(),
        "colorscale": SCALE,
        "colorbar": {**axis("% of the mean"), "thickness": 14},
        "hovertemplate": "%{y}, %{x}: %{z:.0f} %<extra></extra>",
    }
    axes = {"xaxis": axis("deflections × reward", type="category"), "yaxis": {"autorange": "reversed"}}
    return {"data": [trace], "layout": {"height": 560, **axes}}


def draw_best(results: SweepResults, numbers: Sequence[int]) -> dict[str, Any]:
    """Bars of the best reward: of FuzzyBoost, and of DFA with the largest number of deflections."""
    traces = []
    for number, colour in zip((numbers[0], numbers[-1]), SERIES, strict=False):
        places = results.places(n_deflections=number)
        best = results.means[:, places].round(9).argmin(axis=1)
        rewards = [results.variants[places[choice]]["reward"] for choice in best]
        bar = {"type": "bar", "name": name_number(number), "x": list(results.problems), "y": rewards}
        traces.append({**bar, "marker": {"color": colour}})
    return make_figure(traces, 320, axis("problem"), axis("best reward"), barmode="group")
