"""`emphatic audit apply`: a table with the labels that a review found to be right."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from emphatic.commands import arguments, console
from emphatic.commands.reading import FileOptions, accept

if TYPE_CHECKING:
    import pandas as pd

    from emphatic.audit.marks import Correction
    from emphatic.audit.marks.record import Marks


@accept(FileOptions)
def apply(
    *,
    reading: FileOptions,
    data: arguments.Data,
    marks: Annotated[
        Path, typer.Argument(help="Marks that the page of an audit downloads, and a spreadsheet may have changed.")
    ],
    target: arguments.Target,
    output: Annotated[Path, typer.Option(help="Write the corrected table: .csv, .csv.gz or .parquet.")],
    log: Annotated[Path | None, typer.Option(help="Write index, label before and after, and why (CSV).")] = None,
    drop_unknown: Annotated[
        bool, typer.Option("--drop-unknown", help="Drop rows whose label is wrong and the right one is not known.")
    ] = False,
    force: arguments.Force = False,
    as_json: arguments.AsJson = False,
    quiet: arguments.Quiet = False,
) -> None:
    """Write a table with the labels that a review found to be right.

    Rows are found by their cells, wherever they stand by now; marks of another table are refused.
    """
    console.check_outputs([data, marks], [output, log])
    with console.explain_errors(), console.shorten_warnings(show=not quiet):
        from emphatic.files import write_atomically
        from emphatic.tables.files import read_table
        from emphatic.tables.output import check_output, open_output
        from emphatic.tables.writing import format_csv

        check_output(output)
        # Not a row is left out unless the user says so, however much the last one looks like a total.
        table, layout, _ = read_table(data, replace(reading.of_file, footer=reading.footer or 0), progress=not quiet)
        if not quiet:
            console.say(*layout.remarks)
        corrected, known, correction = _correct(table, target, marks, drop_unknown, force)
        with console.name_unwritable():
            with open_output(output) as write:
                write(corrected)
            if log is not None:
                write_atomically(log, format_csv(correction.log))
    changes = _count_changes(known, len(table) - len(corrected))
    if as_json:
        typer.echo(json.dumps({"rows": len(corrected), **changes}, indent=2))
    elif not quiet:
        typer.echo(", ".join(f"{what}: {number:,}" for what, number in changes.items()))
        for path in filter(None, (output, log)):
            typer.echo(f"Wrote {path}")


def _correct(
    table: pd.DataFrame, target: str, marks: Path, drop_unknown: bool, force: bool
) -> tuple[pd.DataFrame, Marks, Correction]:
    """The table with corrected labels, of the type that they have."""
    import numpy as np
    import pandas as pd

    from emphatic.audit.cells import name_label
    from emphatic.audit.marks.correction import correct_labels
    from emphatic.audit.marks.taking import take_marks
    from emphatic.names import unknown

    names = list(map(str, table.columns))
    if target not in names:
        raise unknown("column", target, names)
    place = names.index(target)
    column = table.iloc[:, place]
    y = _as_objects(column.tolist())
    classes = _as_objects(sorted(set(column.dropna().tolist()), key=name_label))
    index = np.arange(len(table))
    known = take_marks(marks, table.drop(columns=table.columns[place]), y, index, classes, force=force)
    correction = correct_labels(y, index, classes, known, drop_unknown)
    corrected = table.iloc[correction.rows].copy()
    corrected.isetitem(place, pd.array(correction.labels.tolist(), dtype=column.dtype))
    return corrected, known, correction


def _as_objects(cells: list[Any]) -> Any:
    import numpy as np

    array = np.empty(len(cells), dtype=object)
    array[:] = cells
    return array


def _count_changes(known: Marks, n_dropped: int) -> dict[str, int]:
    unclear = int((known.wrong & known.unknown).sum())
    corrected = int(known.wrong.sum()) - unclear
    right = len(known) - int(known.wrong.sum())
    return {"corrected": corrected, "right": right, "not known": unclear - n_dropped, "dropped": n_dropped}
