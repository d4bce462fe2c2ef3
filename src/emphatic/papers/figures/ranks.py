"""Rank diagrams of the lines of a table."""

from __future__ import annotations

from collections.abc import Sequence

from emphatic.papers.lines import Line
from emphatic.report.figures import draw_ranks
from emphatic.report.grid import Grid
from emphatic.report.page import Chart
from emphatic.study.statistics import friedman, mean_ranks, nemenyi_distance

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
    return Chart(name, title, caption, draw_ranks(names, ranks, distance), data, small=True)
