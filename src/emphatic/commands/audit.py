"""`emphatic audit`: the label audit from the shell."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from emphatic.commands import arguments, console
from emphatic.commands.annotators import Outputs, audit_several
from emphatic.commands.reading import TableOptions, accept

if TYPE_CHECKING:
    import pandas as pd

    from emphatic.audit.marks.record import Marks
    from emphatic.audit.result import AuditResult
    from emphatic.audit.troubles import Troubles
    from emphatic.commands.data import LabelledData

LARGE = 20_000
"""Of a table with more rows, the time that the audit is expected to take is told before it begins."""


@accept(TableOptions)
def audit(
    *,
    reading: TableOptions,
    data: arguments.Data,
    target: Annotated[str, typer.Option(help="Column that holds the labels.", show_default=False)] = "",
    annotators: Annotated[
        str, typer.Option(help="Instead: columns with the labels of several people, as ann,bob.", show_default=False)
    ] = "",
    report: Annotated[Path | None, typer.Option(help="Write an HTML page to review the labels in.")] = None,
    csv: Annotated[
        Path | None, typer.Option(help="Write index, label, suggested label, kind and suspicion of all rows.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="With --annotators: write the table with their consensus and its probability.")
    ] = None,
    marks: Annotated[
        Path | None, typer.Option(help="Go on with what a review found out: marks that the page downloads.")
    ] = None,
    force: arguments.Force = False,
    top: Annotated[int, typer.Option(min=0, help="Number of suspicious rows to print.")] = 20,
    folds: Annotated[int, typer.Option(min=2, help="Folds: each row is judged by models of the other folds.")] = 5,
    troubles: Annotated[
        bool, typer.Option(help="Look for other troubles too: duplicates, outliers, leaks, drift and the like.")
    ] = True,
    groups: Annotated[str, typer.Option(help="Column of groups; those whose labels disagree are told.")] = "",
    annotator: Annotated[str, typer.Option(help="Column that says who labelled a row, likewise.")] = "",
    time: Annotated[str, typer.Option(help="Column of times, to look for drift; the order of the rows if none.")] = "",
    time_budget: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            help="Leave out models for which there is no time (if not given: none).",
            show_default=False,
        ),
    ] = None,
    seed: arguments.Seed = 0,
    jobs: arguments.Jobs = 1,
    as_json: arguments.AsJson = False,
    quiet: arguments.Quiet = False,
) -> None:
    """Find the rows of a table whose labels look wrong.

    The index of a row counts from 0, without the header. To write the table with corrected labels after a review:
    emphatic audit apply --help. (A file that is called apply is ./apply.)
    """
    console.check_jobs(jobs)
    console.check_outputs([data, *([] if marks is None else [marks])], [report, csv, output])
    if bool(target) == bool(annotators):
        console.refuse("name the labels: either --target COLUMN, or --annotators with the columns of several people")
    if annotators and marks is not None:
        console.refuse("--marks is for --target, not for --annotators")
    if force and marks is None:
        console.refuse("--force is for --marks: it says what to do with rows that have changed since")
    if time_budget is not None and not time_budget > 0:  # nor NaN
        console.refuse(f"--time-budget must be a number of seconds above 0, not {time_budget:g}")
    if annotators and time_budget is not None:
        console.refuse("--time-budget is for --target, not for --annotators")
    if annotators:
        outputs = Outputs(report, csv, output, top, as_json, quiet)
        audit_several(data, annotators, reading, outputs, folds=folds, seed=seed, jobs=jobs)
        return
    if output is not None:
        console.refuse("--output is for --annotators; --csv writes what was found out about each row")
    with console.explain_errors(), console.shorten_warnings(show=not quiet):
        from emphatic.commands.data import read_data
        from emphatic.files import write_atomically
        from emphatic.tables.files.source import name_source
        from emphatic.tables.writing import format_csv

        read = read_data(data, target, reading, seed=seed, progress=not quiet)
        if not quiet:
            console.say(*read.remarks)
        sides = {"groups": groups, "annotators": annotator, "time": time}
        _check_columns(sides, read.X.columns)
        # The audit gets all columns, also those that are ignored, to show them.
        wishes = {one.name: one for one in read.decisions}
        known = _take_marks(marks, read, force)
        settings = {"columns": wishes, "cv": folds, "random_state": seed, "n_jobs": jobs, "time_budget": time_budget}
        found = _audit(read.X, read.y, known, progress=not quiet, **settings)
        others = None
        if troubles:
            others = _find_troubles(found, sides, seed, progress=not quiet)
        with console.name_unwritable():
            if report is not None:
                found.to_html(report, troubles=others, source=name_source(data), target=target)
            if csv is not None:
                write_atomically(csv, format_csv(found.table))
    if as_json:
        suspects = json.loads(_list_suspects(found, top).to_json(orient="records"))
        record = {"rows": len(found.y), "summary": found.summary(), "suspects": suspects}
        if marks is not None:
            record["review"] = asdict(found.review)
        if others is not None:
            record["troubles"] = json.loads(others.table().to_json(orient="records"))
        typer.echo(json.dumps(record, indent=2))
    elif not quiet:
        _print(found, top, others, [path for path in (report, csv) if path is not None])


def _take_marks(path: Path | None, read: LabelledData, force: bool) -> Marks | None:
    """The marks of a file, before the work of an audit."""
    import numpy as np

    from emphatic.audit.marks.taking import take_marks
    from emphatic.inputs import encode_labels

    if path is None:
        return None
    return take_marks(path, read.X, read.y, np.asarray(read.X.index), encode_labels(read.y)[0], force=force)


def _audit(X: Any, y: Any, known: Any, progress: bool, **settings: Any) -> AuditResult:
    from emphatic.audit.labels import audit_labels
    from emphatic.progress import follow_progress

    with follow_progress("audit", progress) as advance:
        announce = _say_expected if progress and len(y) > LARGE else None
        return audit_labels(X, y, marks=known, **settings, progress=advance, announce=announce)


def _list_suspects(found: AuditResult, top: int) -> pd.DataFrame:
    """The most suspicious rows without a mark."""
    table = found.table
    return table[~table["index"].isin(found.index[found.marks.rows])].head(top)


def _say_expected(seconds: float) -> None:
    from emphatic.progress import format_seconds

    console.say(f"expected: about {format_seconds(seconds)} for the labels")


def _check_columns(sides: dict[str, str], known: Any) -> None:
    """Raise ValueError for a column that is not there, before the work of an audit."""
    from emphatic.names import unknown

    for column in sides.values():
        if column and column not in known:
            raise unknown("column", column, known)


def _find_troubles(found: AuditResult, sides: dict[str, str], seed: int, progress: bool) -> Troubles:
    from emphatic.progress import follow_progress

    with follow_progress("other troubles", progress) as advance:
        named = {side: column for side, column in sides.items() if column}
        return found.troubles(**named, random_state=seed, progress=advance)


def _print(found: AuditResult, top: int, others: Troubles | None, written: list[Path]) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    screen = console.make_console()
    screen.print(Text(found.summary(n_worst=0)))  # the table below lists them
    suspects = _list_suspects(found, top)
    if len(suspects):
        table = Table(box=box.SIMPLE_HEAD)
        for name in suspects.columns:
            table.add_column(name, justify="right" if name in ("index", "suspicion") else "left")
        for index, label, suggested, kind, suspicion in suspects.itertuples(index=False):
            # Text, not markup: a "[" in a label must stay a "[".
            style = "bold" if suggested != label else ""
            table.add_row(str(index), Text(str(label)), Text(str(suggested), style), kind, f"{suspicion:.3f}")
        screen.print(table)
    if others is not None:
        screen.print(Text(f"Other troubles:\n{others.summary()}" if len(others) else others.summary()))
    for path in written:
        screen.print(Text(f"Wrote {path}"))
