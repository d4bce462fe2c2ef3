"""The page of a reproduction: every table, published beside measured, and charts of what the store holds."""

import re
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from emphatic.papers.claims import write_claims
from emphatic.papers.figures.candidates import lambda_charts, read_candidates, round_charts, surface_charts
from emphatic.papers.figures.emphasis import emphasis_section
from emphatic.papers.figures.lines import difference_chart, lines_grid, problem_charts, rank_charts
from emphatic.papers.options import Options
from emphatic.papers.reproduce import Reproduction
from emphatic.report.grid import Cell, Grid
from emphatic.report.page import Section, write_page
from emphatic.study.store import Store
from emphatic.wording import count


def write_report(done: Sequence[Reproduction], store: Store, options: Options, path: str | Path) -> None:
    """Write the page of these tables; what the store lacks is left out."""
    n_lines = sum(len(one.lines) for one in done)
    lead = (
        f"Tables: {len(done)}, lines: {n_lines}. What the papers print beside what this library measured"
        f"{', in a quick form with few problems and runs' if options.quick else ''}. "
        "A single file that needs no network."
    )
    sections = [
        overview(done),
        *write_claims([(one.table.id, one.table.claims(one.options, store)) for one in done]),
        *(section for one in done for section in table_sections(one, store)),
        emphasis_section(),
    ]
    write_page(path, "Published tables, measured again", lead, sections)


def overview(done: Sequence[Reproduction]) -> Section:
    """How far all tables are from the published ones."""
    counts = ("Lines", "Finished", "Comparable", "Within 1 std", "Within 2 std", "Median |diff|/std", "Better")
    chart = difference_chart({one.table.id: one.lines for one in done})
    text = (
        "A line is comparable if the paper prints a mean and a standard deviation for the same data. Difference: "
        "measured minus published mean, in published standard deviations. Better: comparable lines with a mean better "
        "than the published one. Oracle: chosen on test data, as in the paper; cross-validated: chosen on training "
        "data only.",
    )
    grid = Grid(("Table", *counts), [_summary_row(one) for one in done], right=frozenset(counts))
    return Section("overview", "All tables at a glance", text, [grid], [chart] if chart else [])


def table_sections(one: Reproduction, store: Store) -> list[Section]:
    """The lines of one table, and what else it has to show."""
    return [table_section(one, store), *one.table.sections(one.options, store)]


def table_section(one: Reproduction, store: Store) -> Section:
    """One table: its charts, and its lines."""
    table, lines = one.table, one.lines
    name = "table-" + re.sub(r"[^\w-]", "-", table.id)
    problems = table.problems(one.options.quick)
    candidates = read_candidates(table, one.options, store)
    charts = [
        *rank_charts(name, lines, problems, table.larger_is_better),
        *problem_charts(name, lines, problems, "accuracy in %" if table.larger_is_better else "test error in %"),
        *lambda_charts(name, candidates),
        *surface_charts(name, candidates),
        *round_charts(name, candidates, lines),
    ]
    text = [one.caption]
    if one.stopped:
        text.append("The time budget ended before all fits of this table were done.")
    if one.summary.n_failed:
        text.append(f"{count(one.summary.n_failed, 'fit')} failed; the first: {one.summary.first_failure}")
    return Section(name, table.title, text, [lines_grid(lines)], charts)


def _summary_row(one: Reproduction) -> list[Cell]:
    row: list[Cell] = [one.table.id, len(one.lines), sum(line.measured is not None for line in one.lines)]
    differences = [line.difference for line in one.lines if line.difference is not None]
    if not differences:
        return [*row, 0, None, None, None, None]
    sign = -1 if one.table.larger_is_better else 1
    return [
        *row,
        len(differences),
        *(sum(abs(difference) <= width for difference in differences) for width in (1, 2)),
        f"{median(map(abs, differences)):.1f}",
        sum(sign * difference < 0 for difference in differences),
    ]
