"""`emphatic reproduce`: the command line of a study."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from emphatic.study.options import Options
    from emphatic.study.reproduce import Reproduced

# Modules that compute are imported inside the functions: `emphatic --help` must answer at once.


def reproduce(
    tables: Annotated[list[str] | None, typer.Argument(metavar="TABLE...", help="Table ids, such as 000-II.")] = None,
    list_tables: Annotated[bool, typer.Option("--list", help="List the tables and stop.")] = False,
    quick: Annotated[bool, typer.Option("--quick", help="A few rows and runs, in about a minute.")] = False,
    runs: Annotated[int | None, typer.Option(min=1, help="Runs a row (50, or 5 with --quick).")] = None,
    problems: Annotated[str, typer.Option(help="Only these problems, separated by commas.")] = "",
    store: Annotated[Path, typer.Option(help="File that keeps every finished fit.")] = Path("emphatic-study.sqlite"),
    jobs: Annotated[int, typer.Option(help="Processes; -1 for one a core.")] = 1,
    solver: Annotated[str, typer.Option(help="Training of the RBF networks: ridge or sgd.")] = "ridge",
    regularisation: Annotated[
        float | None, typer.Option(help="Of ridge (if not given: chosen on training data).", show_default=False)
    ] = None,
    cross_validate: Annotated[
        bool, typer.Option(help="Show, beside the papers' oracle, a parameter chosen on training data.")
    ] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
    markdown: Annotated[Path | None, typer.Option(help="Also write the tables to this Markdown file.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress, no tables: errors only (and --json).")] = False,
) -> None:
    """Rerun published tables, and print published beside measured.

    Every finished fit is kept in the store. Stop at any moment; the same command goes on where it stopped.
    """
    if list_tables:
        _print_list(as_json)
        return
    if not tables and not quick:
        _fail("name a table (`emphatic reproduce --list` shows them), or use --quick")
    from emphatic.study.options import Options

    try:
        options = Options(
            runs=runs or (5 if quick else 50),
            problems=tuple(name.strip() for name in problems.split(",") if name.strip()),
            quick=quick,
            solver=solver,
            regularisation=regularisation,
            cross_validate=cross_validate,
        )
    except ValueError as error:
        _fail(str(error))
    if jobs == 0 or jobs < -1:
        _fail(f"--jobs must be at least 1, or -1 for one a core; got {jobs}")
    done = _run(tables or ["000-II"], options, store, jobs, progress=not quiet)
    _print_tables(done, as_json, quiet)
    if markdown is not None:
        _write_markdown(done, markdown)
    _report_failures(done, store)


def _run(table_ids: list[str], options: Options, path: Path, n_jobs: int, progress: bool) -> list[Reproduced]:
    from emphatic.names import UnknownName
    from emphatic.study.execute import in_processes
    from emphatic.study.reproduce import chosen_tables
    from emphatic.study.reproduce import reproduce as reproduce_table
    from emphatic.study.store import Store, StoreError

    try:
        tables = chosen_tables(table_ids, options)
        with Store(path) as store:
            try:
                return [reproduce_table(each, options, store, in_processes(n_jobs), progress) for each in tables]
            except KeyboardInterrupt:
                typer.echo(
                    f"\nStopped. {len(store)} fits are in {path}; the same command goes on from there.", err=True
                )
                raise typer.Exit(130) from None
    except UnknownName as error:
        _fail(str(error))
    except StoreError as error:
        _fail(str(error), code=1)


def _print_list(as_json: bool) -> None:
    from emphatic.study.registry import TABLES, table

    entries = [{"id": each.id, "title": each.title, "problems": list(each.problems())} for each in map(table, TABLES)]
    if as_json:
        typer.echo(json.dumps(entries, indent=2))
        return
    for entry in entries:
        typer.echo(f"{entry['id']:<8} {entry['title']} ({', '.join(entry['problems'])})")


def _print_tables(done: list[Reproduced], as_json: bool, quiet: bool) -> None:
    if as_json:
        from emphatic.study.tables import to_records

        found = [
            {"id": each.id, "title": each.title, "caption": each.caption, "lines": to_records(each.lines)}
            for each in done
        ]
        typer.echo(json.dumps({"tables": found}, indent=2, ensure_ascii=False))
    elif not quiet:
        from rich.console import Console

        from emphatic.study.tables import to_rich

        # In a pipe rich assumes 80 columns and would break every row; there, let rows be as long as they are.
        console = Console() if sys.stdout.isatty() else Console(width=200)
        for each in done:
            console.print(to_rich(each.lines, each.title, each.caption, console.width))


def _write_markdown(done: list[Reproduced], path: Path) -> None:
    from emphatic.files import write_atomically
    from emphatic.study.tables import to_markdown

    try:
        write_atomically(path, "\n".join(to_markdown(each.lines, each.title, each.caption) for each in done))
    except OSError as error:
        _fail(f"cannot write {path}: {error.strerror}", code=1)


def _report_failures(done: list[Reproduced], path: Path) -> None:
    n_failed = sum(each.summary.n_failed for each in done)
    if n_failed:
        first = next(each.summary.first_failure for each in done if each.summary.first_failure)
        _fail(
            f"{n_failed} fits failed and are marked so in {path}; a rerun tries them again. The first: {first}", code=1
        )


def _fail(message: str, code: int = 2) -> NoReturn:
    typer.echo(f"emphatic: {message}", err=True)
    raise typer.Exit(code)
