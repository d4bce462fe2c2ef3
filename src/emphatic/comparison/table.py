"""A comparison as a table of text, and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from emphatic.comparison.outcome import FIGURES, Outcome

if TYPE_CHECKING:
    from rich.table import Table as RichTable

COLUMNS = (
    "Method", "Family", "Error %", "Difference", "p", "Balanced acc. %", "Log loss", "AUC", "Fit s", "Mean rank", "Note"
)  # fmt: skip
WIDE = 150
NARROW = ("Method", "Error %", "Difference", "p", "Log loss", "Fit s")
"""What a terminal of fewer than `WIDE` columns shows."""
RIGHT = tuple(column for column in COLUMNS if column not in {"Method", "Family", "Note"})


def format_rows(outcome: Outcome) -> list[list[str]]:
    """Make a row of cells for every method, the best first and those that did not finish last."""
    found = []
    for one, difference, rank in zip(outcome.finished, outcome.differences(), outcome.ranks(), strict=True):
        interval, p = "best", ""
        if difference is not None:
            mean, low, high = (100 * value for value in (difference.mean, difference.low, difference.high))
            interval, p = f"{mean:+.2f} [{low:+.2f}, {high:+.2f}]", f"{difference.p:.3f}"
        found.append(
            [
                one.name,
                one.family,
                f"{100 * one.mean('error'):.2f} ({100 * one.spread('error'):.2f})",
                interval,
                p,
                f"{100 * one.mean('balanced_accuracy'):.2f}",
                f"{one.mean('log_loss'):.4f}",
                f"{one.mean('roc_auc'):.4f}",
                f"{one.mean('fit_seconds'):.2f}",
                f"{rank:.2f}",
                one.note,
            ]
        )
    blank = [""] * (len(COLUMNS) - 3)
    return [*found, *([name, "", "not finished", *blank[1:], why] for name, why in outcome.unfinished.items())]


def make_rich_table(outcome: Outcome, title: str, width: int = WIDE) -> RichTable:
    """Make a table for a terminal of `width` columns."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    shown = [place for place, column in enumerate(COLUMNS) if width >= WIDE or column in NARROW]
    # Text, not markup: a "[" in a name must stay a "[".
    table = Table(title=Text(title), box=box.SIMPLE_HEAD)
    for place in shown:
        right = COLUMNS[place] in RIGHT
        table.add_column(COLUMNS[place], justify="right" if right else "left", no_wrap=right)
    for row in format_rows(outcome):
        table.add_row(*(Text(row[place]) for place in shown))
    return table


def make_record(outcome: Outcome) -> dict[str, Any]:
    """Make a dictionary ready for JSON, with the scores of every test fold."""
    methods = [
        {
            "name": one.name,
            "family": one.family,
            "note": one.note,
            "mean": {figure: one.mean(figure) for figure in FIGURES},
            "mean_rank": float(rank),
            "difference_to_best": None if found is None else vars(found),
            "values": {figure: one.values[figure].tolist() for figure in FIGURES},
        }
        for one, found, rank in zip(outcome.finished, outcome.differences(), outcome.ranks(), strict=True)
    ]
    return {"methods": methods, "unfinished": outcome.unfinished, "friedman_p": outcome.friedman_p()}
