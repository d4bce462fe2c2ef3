"""The page of a reproduction: every table, published beside measured, and what else the records tell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from emphatic.papers.figures.emphasis import emphasis_section
from emphatic.papers.figures.lines import difference_chart, lines_grid, problem_charts
from emphatic.papers.figures.ranks import rank_charts
from emphatic.papers.figures.records import lambda_charts, round_charts, surface_charts
from emphatic.papers.options import Options
from emphatic.papers.registry import Table, table
from emphatic.papers.reproduce import Reproduced
from emphatic.papers.tried import tried_settings
from emphatic.report.grid import Grid
from emphatic.report.page import Section, write_page
from emphatic.study.store import Store

ACCURACIES = ("002", "003")
"""Papers that print accuracies, where more is better; the others print errors."""


def write_report(done: Sequence[Reproduced], store: Store, options: Options, path: str | Path) -> None:
    """Write the page of these tables; what the store lacks is left out."""
    n_lines = sum(len(one.lines) for one in done)
    lead = (
        f"Tables: {len(done)}, lines: {n_lines}. What the papers print beside what this library measured"
        f"{', in a quick form with few problems and runs' if options.quick else ''}. "
        "One file, which needs no network."
    )
    sections = [overview(done), *(table_section(one, table(one.id), store) for one in done), emphasis_section()]
    write_page(path, "Published tables, measured again", lead, sections)


def overview(done: Sequence[Reproduced]) -> Section:
    """How far all tables are from the published ones."""
    columns = (
        "Table",
        "Lines",
        "Finished",
        "Comparable",
        "Within 1 std",
        "Within 2 std",
        "Median |diff|/std",
        "Better",
    )
    chart = difference_chart({one.id: one.lines for one in done})
    text = (
        "A line is comparable when the paper prints a mean and a deviation for the same data. Difference: measured "
        "minus published mean, in published standard deviations. Better: comparable lines with a mean better than the "
        "published one. What is called oracle was chosen on test data, as in the paper; cross-validated is what "
        "training data alone chose.",
    )
    grid = Grid(columns, [_summary_row(one) for one in done], right=frozenset(columns[1:]))
    return Section("overview", "All tables at a glance", text, [grid], [chart] if chart else [])


def table_section(one: Reproduced, source: Table, store: Store) -> Section:
    """One table: its charts, and its lines."""
    name = "table-" + re.sub(r"[^\w-]", "-", one.id)
    accuracies = one.id.startswith(ACCURACIES)
    problems = source.problems(one.options.quick)
    tried = tried_settings(source, one.options, store)
    charts = [
        *rank_charts(name, one.lines, problems, accuracies),
        *problem_charts(name, one.lines, problems, "accuracy in %" if accuracies else "test error in %"),
        *lambda_charts(name, tried),
        *surface_charts(name, tried),
        *round_charts(name, tried, one.lines),
    ]
    return Section(name, one.title, [one.caption, *_remarks(one)], [lines_grid(one.lines)], charts)


def _remarks(one: Reproduced) -> Iterator[str]:
    if one.stopped:
        yield "The budget ended before all fits of this table were done."
    if one.summary.n_failed:
        yield f"{one.summary.n_failed} fits failed; the first: {one.summary.first_failure}"


def _summary_row(one: Reproduced) -> list[str | float | None]:
    differences = [line.difference for line in one.lines if line.difference is not None]
    sign = -1 if one.id.startswith(ACCURACIES) else 1
    return [
        one.id,
        len(one.lines),
        sum(line.measured is not None for line in one.lines),
        len(differences),
        *([_share(differences, 1), _share(differences, 2)]),
        f"{median(map(abs, differences)):.1f}" if differences else None,
        sum(sign * one < 0 for one in differences) if differences else None,
    ]


def _share(differences: Sequence[float], width: float) -> int | None:
    return sum(abs(one) <= width for one in differences) if differences else None
