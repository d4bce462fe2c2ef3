"""Published beside measured: the lines of a table, and how they are printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from emphatic.study.statistics import in_published_stds, mean_and_std

if TYPE_CHECKING:
    from rich.table import Table as RichTable

STAND_IN = "stand-in, not comparable"
COLUMNS = ("Problem", "Setting", "Method", "Published", "Measured", "Diff/std", "p published", "p", "Runs", "Note")
RIGHT = frozenset(COLUMNS[3:-1])
"""Columns of numbers."""
WIDE = 140
_WIDE_ONLY = {"Problem", "Setting", "p published", "Note"}


@dataclass(frozen=True)
class Line:
    """One method on one problem: what was published, and our runs. Values are in the published unit, usually percent.

    `choice` says how a free parameter was chosen: "" (there was none), "oracle" (on the test error, as some papers
    do, which is optimistic) or "cross-validated" (on training data only). `p` is that of a test against the runs of the
    reference line.
    """

    problem: str
    setting: str
    method: str
    values: Sequence[float]
    published: tuple[float, float | None] | None = None
    choice: str = ""
    p: float | None = None
    p_paired: float | None = None
    p_published: float | None = None
    stand_in: bool = False
    note: str = ""

    @property
    def measured(self) -> tuple[float, float | None] | None:
        return mean_and_std(self.values) if len(self.values) else None

    @property
    def difference(self) -> float | None:
        """In published standard deviations; None for a stand-in, which must not be compared."""
        if self.measured is None or self.published is None or self.stand_in:
            return None
        return in_published_stds(self.measured[0], *self.published)


def to_records(lines: Sequence[Line]) -> list[dict[str, Any]]:
    """Plain dictionaries for JSON, with the values of all runs."""
    return [
        {
            "problem": line.problem,
            "setting": line.setting,
            "method": line.method,
            "choice": line.choice,
            "published_mean": line.published[0] if line.published else None,
            "published_std": line.published[1] if line.published else None,
            "measured_mean": line.measured[0] if line.measured else None,
            "measured_std": line.measured[1] if line.measured else None,
            "difference_in_published_std": line.difference,
            "p_published": line.p_published,
            "p_rank_sum": line.p,
            "p_signed_rank": line.p_paired,
            "n_runs": len(line.values),
            "stand_in": line.stand_in,
            "note": line.note,
            "values": list(line.values),
        }
        for line in lines
    ]


def to_markdown(lines: Sequence[Line], title: str = "", caption: str = "") -> str:
    """A Markdown table.

    >>> print(to_markdown([Line("ripley", "K 10%", "RA", [9.0, 10.0], (9.53, 0.34))]))
    | Problem | Setting | Method | Published | Measured | Diff/std | p published | p | Runs | Note |
    |---|---|---|---:|---:|---:|---:|---:|---:|---|
    | ripley | K 10% | RA | 9.53 (0.34) | 9.50 (0.71) | -0.1 |  |  | 2 |  |
    <BLANKLINE>
    """
    rule = "|" + "|".join("---:" if column in RIGHT else "---" for column in COLUMNS) + "|"
    rows = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in line_cells(lines)]
    text = "\n".join(["| " + " | ".join(COLUMNS) + " |", rule, *rows]) + "\n"
    return (f"### {title}\n\n" if title else "") + text + (f"\n{caption}\n" if caption else "")


def to_rich(lines: Sequence[Line], title: str = "", caption: str = "", width: int = WIDE) -> RichTable:
    """A table for a terminal of `width` columns; problem and setting are shown once for the lines that share them.

    In a narrow terminal they become headings, and notes are left out; a stand-in is always marked.
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    narrow = width < WIDE
    shown = [column for column in COLUMNS if not (narrow and column in _WIDE_ONLY)]
    if narrow:
        caption = f"{caption} A terminal of {WIDE} columns shows notes too.".strip()
    # Text, not markup: a "[" in a caption or a note must stay a "[".
    table = Table(title=Text(title), caption=Text(caption), caption_justify="left", box=box.SIMPLE_HEAD)
    for column in shown:
        table.add_column(column, justify="right" if column in RIGHT else "left", no_wrap=column in RIGHT)
    previous = None
    for line, texts in zip(lines, line_cells(lines), strict=True):
        cells = dict(zip(COLUMNS, texts, strict=True))
        style, group = "dim" if line.stand_in else None, (line.problem, line.setting)
        if narrow and group != previous:
            table.add_row(Text(", ".join([*group, *([STAND_IN] if line.stand_in else [])])), style=style)
        elif group == previous:
            cells.update(Problem="", Setting="")
        previous = group
        table.add_row(*(Text(cells[column]) for column in shown), style=style)
    return table


def line_cells(lines: Sequence[Line]) -> list[list[str]]:
    """One text per line and column."""
    return [
        [
            line.problem,
            line.setting,
            method_text(line),
            value_text(line.published),
            value_text(line.measured) or "not finished",
            "" if line.difference is None else f"{line.difference:+.1f}",
            *("" if p is None else f"{p:.2f}" for p in (line.p_published, line.p)),
            str(len(line.values)),
            "; ".join(part for part in (STAND_IN if line.stand_in else "", line.note) if part),
        ]
        for line in lines
    ]


def method_text(line: Line) -> str:
    """The method, with how its parameters were chosen."""
    return f"{line.choice} {line.method}".strip()


def value_text(value: tuple[float, float | None] | None) -> str:
    """`mean (std)` with two decimals, as the papers print it.

    >>> value_text((9.531, 0.344)), value_text((12.0, None)), value_text(None)
    ('9.53 (0.34)', '12.00', '')
    """
    if value is None:
        return ""
    mean, std = value
    return f"{mean:.2f}" if std is None else f"{mean:.2f} ({std:.2f})"
