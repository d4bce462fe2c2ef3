"""`emphatic reproduce`: the command line of a study."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from emphatic.commands.console import (
    FAILED,
    bad_input,
    check_jobs,
    check_outputs,
    fail,
    listed,
    out,
    plain_warnings,
    say,
    stop,
    writing,
)

if TYPE_CHECKING:
    from emphatic.papers.options import Options
    from emphatic.papers.reproduce import Reproduction
    from emphatic.papers.table import PublishedTable
    from emphatic.study.engines.limits import Limits
    from emphatic.study.engines.processes import Engine

# Modules that compute are imported inside the functions: `emphatic --help` must answer at once.


def reproduce(
    tables: Annotated[list[str] | None, typer.Argument(metavar="TABLE...", help="Table ids, such as 000-II.")] = None,
    list_tables: Annotated[bool, typer.Option("--list", help="List the tables and stop.")] = False,
    all_tables: Annotated[bool, typer.Option("--all", help="Every table that the data at hand allow.")] = False,
    quick: Annotated[
        bool, typer.Option("--quick", help="A few rows and runs; without TABLE, of one table of each paper.")
    ] = False,
    runs: Annotated[int | None, typer.Option(min=1, help="Runs a row (50, or 5 with --quick).")] = None,
    budget: Annotated[
        float | None, typer.Option(metavar="HOURS", help="As many runs as fit into so many hours.", show_default=False)
    ] = None,
    problems: Annotated[str, typer.Option(help="Only these problems, separated by commas.")] = "",
    store: Annotated[Path, typer.Option(help="File that keeps every finished fit.")] = Path("emphatic-study.sqlite"),
    jobs: Annotated[int, typer.Option(help="Processes; -1 for one a core.")] = 1,
    dask: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Run on this Dask cluster; 'local' makes one here.", show_default=False),
    ] = None,
    time_limit: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="A fit that takes longer is given up.", show_default=False)
    ] = None,
    memory_limit: Annotated[
        int | None, typer.Option(metavar="MB", help="A fit that needs more is given up.", show_default=False)
    ] = None,
    solver: Annotated[str, typer.Option(help="Training of the RBF networks: ridge or sgd.")] = "ridge",
    regularisation: Annotated[
        float | None, typer.Option(help="Of ridge (if not given: chosen on training data).", show_default=False)
    ] = None,
    cross_validate: Annotated[
        bool, typer.Option(help="Show, beside the papers' oracle, a parameter chosen on training data.")
    ] = True,
    report: Annotated[Path | None, typer.Option(help="Also write a page with tables and figures.")] = None,
    markdown: Annotated[Path | None, typer.Option(help="Also write the tables to this Markdown file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress, no tables: errors only (and --json).")] = False,
) -> None:
    """Rerun published tables, and print published beside measured.

    Every finished fit is kept in the store. Stop at any moment; the same command goes on where it stopped.
    """
    if list_tables:
        _print_list(as_json)
        return
    check_jobs(jobs)
    check_outputs([store], [report, markdown])
    if budget is not None and not budget > 0:
        fail(f"--budget must be more than 0 hours, got {budget:g}")
    with bad_input():
        from emphatic.papers.options import FULL, QUICK, Options, limits_of
        from emphatic.papers.reproduce import choose_tables

        limits = limits_of(time_limit, memory_limit)
        options = Options(
            runs=runs or (QUICK if quick else FULL),
            problems=listed(problems),
            quick=quick,
            solver=solver,
            regularisation=regularisation,
            cross_validate=cross_validate,
        )
        chosen = choose_tables(_ids(tables or [], all_tables, quick), options)
    with plain_warnings(show=not quiet):
        engine = _engine(dask, jobs)
        done = _run(chosen, options, store, engine, limits, budget, report, progress=not quiet)
    with writing():
        if markdown is not None:
            _write_markdown(done, markdown)
    _print_tables(done, as_json, quiet)
    if report is not None and not quiet:
        say(f"The page is {report.resolve()}")
    _report_failures(done, store)


def _ids(table_ids: list[str], all_tables: bool, quick: bool) -> list[str]:
    """The tables that are asked for, by id."""
    from emphatic.papers.registry import QUICK_TABLES, TABLES, load_table

    if all_tables:
        return [table_id for table_id in TABLES if not quick or load_table(table_id).problems(quick=True)]
    if not table_ids and not quick:
        fail("name a table (`emphatic reproduce --list` shows them), or use --quick or --all")
    return table_ids or list(QUICK_TABLES)


def _engine(dask: str | None, jobs: int) -> AbstractContextManager[Engine]:
    from emphatic.study.engines.processes import EngineError, in_processes

    if dask is None:
        return nullcontext(in_processes(jobs))
    try:
        from emphatic.study.engines.dask import on_dask

        return on_dask(None if dask in {"", "local"} else dask)
    except EngineError as error:
        fail(str(error), FAILED)


def _run(
    tables: list[PublishedTable],
    options: Options,
    path: Path,
    engine: AbstractContextManager[Engine],
    limits: Limits | None,
    budget: float | None,
    report: Path | None,
    progress: bool,
) -> list[Reproduction]:
    """The finished tables, and the page of them: it needs the store that they are in."""
    from emphatic.papers.reproduce import Runner, reproduce_within
    from emphatic.papers.reproduce import reproduce as reproduce_table
    from emphatic.study.engines.processes import EngineError
    from emphatic.study.store import Store, StoreError

    try:
        with Store(path) as store, engine as ready:
            runner = Runner(store, ready, progress, limits)
            try:
                if budget is None:
                    done = [reproduce_table(each, options, runner) for each in tables]
                else:
                    done = reproduce_within(3600 * budget, tables, options, runner)
            except KeyboardInterrupt:
                stop(f"{len(store)} fits are in {path}, and the same command goes on from there.")
            if report is not None:
                from emphatic.papers.page import write_report

                with writing():
                    write_report(done, store, options, report)
            return done
    except (StoreError, EngineError) as error:
        fail(str(error), FAILED)


def _print_list(as_json: bool) -> None:
    from emphatic.papers.registry import TABLES, load_table

    entries = [
        {"id": each.id, "title": each.title, "problems": list(each.problems())} for each in map(load_table, TABLES)
    ]
    if as_json:
        typer.echo(json.dumps(entries, indent=2))
        return
    for entry in entries:
        typer.echo(f"{entry['id']:<15} {entry['title']} ({', '.join(entry['problems'])})")


def _print_tables(done: list[Reproduction], as_json: bool, quiet: bool) -> None:
    if as_json:
        from emphatic.papers.lines import to_records

        found = [
            {
                "id": each.table.id,
                "title": each.table.title,
                "caption": each.caption,
                "runs": each.options.runs,
                "stopped": each.stopped,
                "lines": to_records(each.lines),
            }
            for each in done
        ]
        typer.echo(json.dumps({"tables": found}, indent=2, ensure_ascii=False))
    elif not quiet:
        from emphatic.papers.lines import to_rich

        console = out()
        for each in done:
            console.print(to_rich(each.lines, each.table.title, _caption(each), console.width))


def _caption(each: Reproduction) -> str:
    """With a word on the budget, if it ended before the table did."""
    ended = f" The time ended before all runs were done: up to {each.options.runs} a row." if each.stopped else ""
    return each.caption + ended


def _write_markdown(done: list[Reproduction], path: Path) -> None:
    from emphatic.files import write_atomically
    from emphatic.papers.lines import to_markdown

    write_atomically(path, "\n".join(to_markdown(each.lines, each.table.title, _caption(each)) for each in done))


def _report_failures(done: list[Reproduction], path: Path) -> None:
    n_over = sum(each.summary.n_over_limits for each in done)
    if n_over:
        say(f"emphatic: fits that went over the limits, and are marked so in {path}: {n_over}")
    n_failed = sum(each.summary.n_failed for each in done)
    if n_failed:
        first = next(each.summary.first_failure for each in done if each.summary.first_failure)
        fail(
            f"{n_failed} fits failed and are marked so in {path}; a rerun tries them again. The first: {first}", FAILED
        )
