"""`emphatic audit`: the label audit from the shell."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from emphatic.commands.console import bad_input, check_jobs, check_outputs, out, stopping, writing

if TYPE_CHECKING:
    from emphatic.audit.result import AuditResult

# Modules that compute are imported inside the functions: `emphatic --help` must answer at once.


def audit(
    data: Annotated[Path, typer.Argument(help="Table with a header, CSV in UTF-8.", show_default=False)],
    target: Annotated[str, typer.Option(help="Column that holds the labels.", show_default=False)],
    report: Annotated[Path | None, typer.Option(help="Write a page to review the labels in.")] = None,
    csv: Annotated[
        Path | None, typer.Option(help="Write index, label, suggestion, kind, suspicion of all rows.")
    ] = None,
    top: Annotated[int, typer.Option(min=0, help="How many suspects to print.")] = 20,
    separator: Annotated[str, typer.Option(help="What stands between two cells; \\t for a tab.")] = ",",
    folds: Annotated[int, typer.Option(min=2, help="Each row is judged by models of the other folds.")] = 5,
    seed: Annotated[int, typer.Option(min=0, help="Of all that is random.")] = 0,
    jobs: Annotated[int, typer.Option(help="Processes; -1 for one a core.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress, no table: errors only (and --json).")] = False,
) -> None:
    """Find the rows of a table whose labels look wrong.

    The index of a row counts from 0, without the header.
    """
    check_jobs(jobs)
    check_outputs([data], [report, csv])
    with stopping(), bad_input():
        from emphatic.tables.csv_file import read_labelled

        X, y = read_labelled(data, target, separator)
        found = _audit(X, y, folds, seed, jobs, progress=not quiet)
        _write(found, report, csv)
    if as_json:
        suspects = found.table.head(top).to_json(orient="records")
        typer.echo(json.dumps({"rows": len(y), "summary": found.summary(), "suspects": json.loads(suspects)}, indent=2))
    elif not quiet:
        _print(found, top, [path for path in (report, csv) if path is not None])


def _audit(X: Any, y: Any, folds: int, seed: int, jobs: int, progress: bool) -> AuditResult:
    from emphatic.audit.labels import audit_labels
    from emphatic.progress import progress_bar

    with ExitStack() as opened:
        bars: list[Callable[..., None]] = []

        def advance(done: int, total: int) -> None:
            if not bars:  # how much there is to do is known when the first task is done
                bars.append(opened.enter_context(progress_bar("audit", total, progress)))
            bars[0]()

        return audit_labels(X, y, cv=folds, random_state=seed, n_jobs=jobs, progress=advance)


def _write(found: AuditResult, report: Path | None, csv: Path | None) -> None:
    from emphatic.files import write_atomically

    with writing():
        if report is not None:
            found.to_html(report)
        if csv is not None:
            write_atomically(csv, found.table.to_csv(index=False))


def _print(found: AuditResult, top: int, written: list[Path]) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    console = out()
    console.print(Text(found.summary(n_worst=0)))  # the table below lists them
    suspects = found.table.head(top)
    if len(suspects):
        table = Table(box=box.SIMPLE_HEAD)
        for name in suspects.columns:
            table.add_column(name, justify="right" if name in ("index", "suspicion") else "left")
        for index, label, suggested, kind, suspicion in suspects.itertuples(index=False):
            # Text, not markup: a "[" in a label must stay a "[".
            style = "bold" if suggested != label else None
            table.add_row(str(index), Text(str(label)), Text(str(suggested), style or ""), kind, f"{suspicion:.3f}")
        console.print(table)
    for path in written:
        console.print(Text(f"Wrote {path}"))
