"""An outcome as tables of text, and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from emphatic.study.findings.figures import UNSHOWN, find_figure
from emphatic.study.findings.outcome import TOO_FEW, Difference, Outcome

if TYPE_CHECKING:
    from rich.table import Table as RichTable

LEFT = frozenset({"Method", "Family", "Note"})
"""Columns of text; all others hold numbers."""
WIDE = 170
NARROW = ("Method", "Error %", "Difference", "p", "F1 %", "Log loss", "Fit s")
"""What a terminal of fewer than `WIDE` columns shows."""
MOST_CLASSES = 12
"""Whose recalls a terminal has room for."""

Rows = list[list[str]]


def format_outcome(outcome: Outcome) -> tuple[list[str], Rows]:
    """Make the names of the columns, and a row for every method: the best first, those that did not finish last."""
    figures = [find_figure(name) for name in outcome.figures if name not in UNSHOWN and name != "error"]
    has_families = any(one.family for one in outcome.finished)
    columns = ["Method", *(["Family"] if has_families else []), "Error %", "Difference", "p"]
    columns += [*(figure.title for figure in figures), "Mean rank", "Note"]
    rows = []
    for one, difference, rank in zip(outcome.finished, outcome.differences(), outcome.ranks(), strict=True):
        cells = [one.name, *([one.family] if has_families else [])]
        cells += [f"{100 * one.mean('error'):.2f} ({100 * one.spread('error'):.2f})", *format_difference(difference)]
        cells += [figure.format(one.find_mean(figure.name)) for figure in figures]
        rows.append([*cells, f"{rank:.2f}", one.note])
    for name, reason in outcome.unfinished.items():
        given = {"Method": name, "Error %": "not finished", "Note": reason}
        rows.append([given.get(column, "") for column in columns])
    return columns, rows


def format_difference(difference: Difference | None) -> tuple[str, str]:
    """The difference with its interval, and p; None is the best method."""
    if difference is None:
        return "best", ""
    text = f"{100 * difference.mean:+.2f}"
    if difference.low is None or difference.high is None or difference.p is None:
        return text, TOO_FEW
    return f"{text} [{100 * difference.low:+.2f}, {100 * difference.high:+.2f}]", f"{difference.p:.3f}"


def format_recalls(outcome: Outcome) -> tuple[list[str], Rows]:
    """The recall of every class in %, a row for every method; no rows if none was measured."""
    if not outcome.classes:
        return ["Method"], []
    recalls = [(one.name, one.mean_recalls()) for one in outcome.finished]
    rows = [
        [name, *(f"{100 * found[label]:.2f}" if label in found else "" for label in outcome.classes)]
        for name, found in recalls
        if found
    ]
    return ["Method", *outcome.classes], rows


def make_rich_tables(outcome: Outcome, title: str, width: int = WIDE) -> list[RichTable]:
    """Make the tables for a terminal of `width` columns: all figures, and the recalls of the classes."""
    columns, rows = format_outcome(outcome)
    shown = [place for place, column in enumerate(columns) if width >= WIDE or column in NARROW]
    tables = [_make_rich(title, [columns[i] for i in shown], [[row[i] for i in shown] for row in rows])]
    labels, recalls = format_recalls(outcome)
    if recalls and len(labels) <= MOST_CLASSES + 1:
        tables.append(_make_rich("Recall of each class in %", labels, recalls))
    return tables


def _make_rich(title: str, columns: Sequence[str], rows: Rows) -> RichTable:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    # Text, not markup: a "[" in a name must stay a "[".
    table = Table(title=Text(title), title_justify="left", box=box.SIMPLE_HEAD)
    for column in columns:
        right = column not in LEFT
        table.add_column(Text(column), justify="right" if right else "left", no_wrap=right)
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def make_record(outcome: Outcome) -> dict[str, Any]:
    """Make a dictionary ready for JSON, with the figures of every test fold."""
    methods = [
        {
            "name": one.name,
            "family": one.family,
            "note": one.note,
            "mean": {figure: one.find_mean(figure) for figure in outcome.figures},
            "class_recalls": one.mean_recalls(),
            "mean_rank": float(rank),
            "difference_to_best": None if found is None else vars(found),
            "values": {figure: values.tolist() for figure, values in one.values.items()},
        }
        for one, found, rank in zip(outcome.finished, outcome.differences(), outcome.ranks(), strict=True)
    ]
    p = outcome.friedman_p()
    return {"methods": methods, "unfinished": outcome.unfinished, "folds": outcome.n_folds, "friedman_p": p}
