"""`emphatic audit --annotators`: labels of several people, from the shell."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from emphatic.commands import console
from emphatic.commands.reading import TableOptions
from emphatic.missing import is_missing

if TYPE_CHECKING:
    import pandas as pd

    from emphatic.audit.annotators import AnnotatorAudit

ADDED = ("consensus", "probability")
"""The columns that the written table has in addition."""


@dataclass(frozen=True)
class AnnotatedTable:
    """A table as it was read, its features (None without any), the labels (None is missing), and remarks on them."""

    table: pd.DataFrame
    X: pd.DataFrame | None
    labels: pd.DataFrame
    wishes: dict[str, Any]
    remarks: list[str]


@dataclass(frozen=True)
class Outputs:
    """What is written where, and how much is printed."""

    report: Path | None
    csv: Path | None
    table: Path | None
    top: int
    as_json: bool
    quiet: bool


def audit_several(
    data: Path, annotators: str, reading: TableOptions, outputs: Outputs, *, folds: int, seed: int, jobs: int
) -> None:
    """Read, audit, write and print; errors are one line each."""
    with console.explain_errors(), console.shorten_warnings(show=not outputs.quiet):
        read = _read(data, console.split_list(annotators), reading, seed, outputs)
        if not outputs.quiet:
            console.say(*read.remarks)
        found = _audit(read, folds, seed, jobs, progress=not outputs.quiet)
        with console.name_unwritable():
            _write(read, found, outputs)
    if outputs.as_json:
        typer.echo(json.dumps(_collect(found, outputs.top), indent=2))
    elif not outputs.quiet:
        _print(found, outputs)


def _read(path: Path, names: tuple[str, ...], reading: TableOptions, seed: int, outputs: Outputs) -> AnnotatedTable:
    """Read the table; a ValueError says in one line what is wrong with it, and the remedy."""
    from emphatic.commands.data import MOST_ROWS
    from emphatic.names import unknown
    from emphatic.tables.files import read_table
    from emphatic.tables.files.source import name_source
    from emphatic.wording import count

    if reading.bins is not None:
        raise ValueError("--bins is for a --target of numbers, not for --annotators")
    if len(set(names)) < max(len(names), 1):
        raise ValueError(f"--annotators must name different columns, such as ann,bob; got {','.join(names)!r}")
    table, layout, n_rows = read_table(path, reading.of_file, max_rows=MOST_ROWS, seed=seed, progress=not outputs.quiet)
    known = list(map(str, table.columns))
    for name in names:
        if name not in known:
            raise unknown("column", name, known)
    source = name_source(path)
    about = [f"{source}: {layout.describe()}, {count(n_rows, 'row')}", *layout.remarks]
    if len(table) < n_rows:
        if outputs.table is not None:
            raise ValueError(f"{source} has {n_rows:,} rows, and --output can write at most {MOST_ROWS:,}")
        about.append(f"{source} is large: a sample of {len(table):,} of its rows is used")
    taken = [name for name in ADDED if name in known]
    if outputs.table is not None and taken:
        raise ValueError(f"the table has a column {taken[0]} already, which --output would add: rename it")
    labels, of_labels = _take_labels(table, names)
    X, wishes, of_columns = _take_features(table.drop(columns=list(names)), reading)
    return AnnotatedTable(table, X, labels, wishes, [*about, *of_labels, *of_columns])


def _take_labels(table: pd.DataFrame, names: tuple[str, ...]) -> tuple[pd.DataFrame, list[str]]:
    """The labels, and what is to be said about them; ValueError if they are measurements."""
    import numpy as np

    from emphatic.inputs import describe_measurement
    from emphatic.tables.spelling.missing import is_missing_mark
    from emphatic.tables.target import describe_classes, read_measurement

    # as objects: pandas would make floats of integers where one is missing
    marked = table[list(names)].astype(object).map(lambda cell: isinstance(cell, str) and is_missing_mark(cell))
    labels = table[list(names)].astype(object).mask(marked | table[list(names)].isna(), None)
    known: list[Any] = []
    for name in names:
        given = labels[name].dropna().tolist()
        numbers = read_measurement(given) if given else None
        problem = "" if numbers is None else describe_measurement(numbers)
        if problem:
            raise ValueError(f"column {name} {problem}: it holds no labels of an annotator")
        known += given
    return labels, describe_classes(np.array(known, dtype=object), "the annotators")


def _take_features(X: pd.DataFrame, reading: TableOptions) -> tuple[pd.DataFrame | None, dict[str, Any], list[str]]:
    """The features, what becomes of them, and what is to be said about them."""
    from emphatic.tables.policy import decide_columns

    decisions = []
    if X.shape[1] > 0:
        decisions = decide_columns(X, columns=reading.wishes, decimal=reading.decimal, dates=reading.dates)
    remarks = [one.remark for one in decisions if one.remark]
    if all(one.left_out for one in decisions):
        return None, {}, [*remarks, "there is no other column to learn from: the labels alone count"]
    return X, {one.name: one for one in decisions}, remarks


def _audit(read: AnnotatedTable, folds: int, seed: int, jobs: int, progress: bool) -> AnnotatorAudit:
    from emphatic.audit.annotators import audit_annotators
    from emphatic.progress import follow_progress

    with follow_progress("audit", progress) as advance:
        return audit_annotators(
            read.X,
            read.labels,
            cv=folds,
            random_state=seed,
            columns=read.wishes or None,
            n_jobs=jobs,
            progress=advance,
        )


def _write(read: AnnotatedTable, found: AnnotatorAudit, outputs: Outputs) -> None:
    from emphatic.files import write_atomically
    from emphatic.tables.writing import format_csv

    if outputs.report is not None:
        found.to_html(outputs.report)
    if outputs.csv is not None:
        write_atomically(outputs.csv, format_csv(found.table))
    if outputs.table is not None:
        added = dict(zip(ADDED, (found.consensus, found.probability.round(6)), strict=True))
        write_atomically(outputs.table, format_csv(read.table.assign(**added)))


def _collect(found: AnnotatorAudit, top: int) -> dict[str, Any]:
    return {
        "rows": len(found.consensus),
        "summary": found.summary(),
        "annotators": json.loads(found.annotator_table.to_json(orient="records")),
        "questions": json.loads(found.table.head(top).to_json(orient="records")),
    }


def _print(found: AnnotatorAudit, outputs: Outputs) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    screen = console.make_console()
    screen.print(Text(found.summary()))
    shown = [
        (found.annotator_table, ("annotator", "mistake")),
        (found.table.head(outputs.top), ("consensus", "majority", "ask")),
    ]
    for frame, texts in shown:
        if len(frame):
            table = Table(box=box.SIMPLE_HEAD)
            for name in frame.columns:
                table.add_column(name, justify="left" if name in texts else "right")
            for row in frame.itertuples(index=False):
                # Text, not markup: a "[" in a label must stay a "[".
                table.add_row(*(Text(_format(cell)) for cell in row))
            screen.print(table)
    for path in (outputs.report, outputs.csv, outputs.table):
        if path is not None:
            screen.print(Text(f"Wrote {path}"))


def _format(cell: Any) -> str:
    if is_missing(cell):
        return ""
    return f"{cell:.3f}" if isinstance(cell, float) else str(cell)
