"""`emphatic inspect`: how a file is laid out, what each column is, and what stands in the way of a model."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from emphatic.commands import arguments, console
from emphatic.commands.reading import TableOptions, accept

if TYPE_CHECKING:
    from emphatic.tables.decision import Decision
    from emphatic.tables.files import TableFile

MOST_CLASSES = 20
"""Classes that are listed."""


@accept(TableOptions)
def inspect(
    *,
    reading: TableOptions,
    data: arguments.Data,
    target: Annotated[str, typer.Option(help="Column that holds the labels (optional).")] = "",
    as_json: arguments.AsJson = False,
    quiet: arguments.Quiet = False,
) -> None:
    """Show how a table is read: its layout, what each column is and why, its classes, and what to look at."""
    with console.explain_errors(), console.shorten_warnings(show=not quiet):
        from emphatic.commands.data import MOST_ROWS
        from emphatic.tables.files import read_table
        from emphatic.tables.files.source import name_source
        from emphatic.tables.policy import decide_columns
        from emphatic.tables.target import take_target

        wishes: Any = reading.wishes
        read = read_table(data, reading.of_file, max_rows=MOST_ROWS, progress=not quiet)
        X, y, remarks = read.table, None, list(read.layout.remarks)
        if target:
            X, y, of_target = take_target(read.table, target, bins=reading.bins, missing=reading.missing_labels)
            remarks += of_target
        decisions = decide_columns(X, y, columns=wishes, decimal=reading.decimal, dates=reading.dates)
        remarks += [f"column {one.name!r}: {one.doubt}" for one in decisions if one.doubt]
        remarks += [f"column {one.name!r} {one.warning}" for one in decisions if one.warning]
    record = _describe(read, X, y, decisions, remarks)
    if as_json:
        typer.echo(json.dumps(record, indent=2, ensure_ascii=False))
    elif not quiet:
        _print(record, name_source(data), target)


def _describe(read: TableFile, X: Any, y: Any, decisions: list[Decision], remarks: list[str]) -> dict[str, Any]:
    """All that there is to say, as plain values."""
    from collections import Counter

    classes = {} if y is None else Counter(map(str, y.tolist()))
    return {
        "layout": read.layout.describe(),
        "rows": read.n_rows,
        "columns": [
            {
                "name": one.name,
                "kind": one.kind,
                "what": one.describe(),
                "missing": int(X.iloc[:, j].isna().sum()),
                "examples": _list_examples(X.iloc[:, j]),
            }
            for j, one in enumerate(decisions)
        ],
        "classes": dict(sorted(classes.items())),
        "remarks": remarks,
    }


def _list_examples(cells: Any) -> list[str]:
    """The first three different cells, cut to a length that fits on a line."""
    return [text[:20] for text in dict.fromkeys(str(cell) for cell in cells.dropna().iloc[:200])][:3]


def _print(record: dict[str, Any], name: str, target: str) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from emphatic.wording import as_one_line

    screen = console.make_console()
    screen.print(Text(f"{name}: {record['layout']}, {record['rows']:,} rows"))
    table = Table(box=box.SIMPLE_HEAD)
    for title in ("column", "what it is", "missing", "such as"):
        table.add_column(title, justify="right" if title == "missing" else "left", overflow="fold")
    for one in record["columns"]:
        # Text, not markup: a "[" in a cell must stay a "[".
        cells = (one["name"], one["what"], str(one["missing"] or ""), ", ".join(one["examples"]))
        style = "dim" if one["kind"] == "ignore" else ""
        table.add_row(*(Text(as_one_line(cell), style) for cell in cells))
    screen.print(table)
    if record["classes"]:
        total = sum(record["classes"].values())
        shown = list(record["classes"].items())[:MOST_CLASSES]
        listed = ", ".join(f"{label} ({count:,}, {100 * count / total:.1f}%)" for label, count in shown)
        more = f" and {len(record['classes']) - MOST_CLASSES} more" if len(record["classes"]) > MOST_CLASSES else ""
        screen.print(Text(as_one_line(f"{len(record['classes'])} classes of {target}: {listed}{more}")))
    for remark in record["remarks"]:
        screen.print(Text(as_one_line(f"! {remark}")))
