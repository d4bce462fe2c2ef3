"""The page of findings: the tables first, the charts after them."""

from collections.abc import Mapping, Sequence

from emphatic.report import Chart, Grid, Section
from emphatic.report.figures import draw_ranks
from emphatic.study.findings.across import Across
from emphatic.study.findings.charts import draw_differences, draw_errors, draw_mean_ranks, draw_seconds
from emphatic.study.findings.outcome import FEWEST, Outcome
from emphatic.study.findings.table import LEFT, format_outcome, format_recalls
from emphatic.study.statistics import cliques, nemenyi_distance
from emphatic.wording import count

EXPLANATION = (
    "Means over all test folds, with the standard deviation of the error in brackets. Each method prepares the table "
    "and makes its choices on its training rows alone. Difference: error minus that of the best method. "
)
TESTED = (
    "It comes with a 95% confidence interval and p of the resampled t test, corrected for overlapping training sets "
    "(Nadeau and Bengio) and for the number of tests (Holm). The best was chosen on the same test folds, so its own "
    "error is slightly optimistic."
)
UNTESTED = "{n} test folds are too few for a p-value: even an exact test needs {fewest} to reach 5%."


def make_table_section(outcome: Outcome, remarks: Sequence[str] = ()) -> Section:
    """All figures of an outcome."""
    tested = TESTED if outcome.n_folds >= FEWEST else UNTESTED.format(n=outcome.n_folds, fewest=FEWEST)
    return Section("table", "All figures", [EXPLANATION + tested, *remarks], make_grids(outcome))


def make_grids(outcome: Outcome) -> list[Grid]:
    """The tables of an outcome: all figures, and the recalls of the classes."""
    columns, rows = format_outcome(outcome)
    grids = [Grid(columns, rows, right=frozenset(columns) - LEFT)]
    labels, recalls = format_recalls(outcome)
    if recalls:
        caption = "Recall of each class in %: the share of its rows that are predicted right."
        grids.append(Grid(labels, recalls, caption, right=frozenset(labels[1:])))
    return grids


def make_chart_section(outcome: Outcome) -> Section:
    """All charts of an outcome."""
    charts = [draw_errors(outcome), *draw_differences(outcome), *draw_mean_ranks(outcome), draw_seconds(outcome)]
    return Section("charts", "At a glance", charts=charts)


def make_study_sections(outcomes: Mapping[str, Outcome], across: Across | None) -> list[Section]:
    """The tables of all problems, and then their charts."""
    sections, charts = [], []
    if across is not None:
        sections.append(Section("across", "All problems", across.describe(), [_tabulate_across(across)]))
        charts.append(_draw_ranks(across))
    for number, (problem, outcome) in enumerate(outcomes.items()):
        sections.append(Section(f"problem-{number}", problem, grids=make_grids(outcome)))
        charts.append(draw_errors(outcome, f"errors-{number}", f"Errors on {problem}"))
    return [*sections, Section("charts", "At a glance", charts=charts)]


def _tabulate_across(across: Across) -> Grid:
    """Mean errors of all methods on all problems, and their ranks."""
    columns = ["Problem", *across.methods]
    rows = [
        [problem, *(f"{100 * error:.2f}" for error in errors)]
        for problem, errors in zip(across.problems, across.errors.tolist(), strict=True)
    ]
    rows.append(["mean rank", *(f"{rank:.2f}" for rank in across.ranks)])
    return Grid(columns, rows, "Mean error in % on the test folds.", right=frozenset(columns[1:]))


def _draw_ranks(across: Across) -> Chart:
    ranks: list[float] = across.ranks.tolist()
    distance = nemenyi_distance(len(across.methods), len(across.problems))
    caption = (
        f"Mean rank over {count(len(across.problems), 'problem')}, 1 is best; bars join methods that are closer than "
        f"Nemenyi's critical difference of {distance:.2f}."
    )
    rows: list[list[str | float]] = [[name, rank] for name, rank in zip(across.methods, ranks, strict=True)]
    data = Grid(("Method", "Mean rank"), rows, right=frozenset({"Mean rank"}))
    return Chart("ranks", "Ranks", caption, draw_ranks(across.methods, ranks, cliques(ranks, distance)), data)
