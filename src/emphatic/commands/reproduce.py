"""`emphatic reproduce`: rerun the published tables."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from emphatic.commands import arguments, console
from emphatic.wording import count

if TYPE_CHECKING:
    from emphatic.papers.reproduce import Reproduction
    from emphatic.study.engines.processes import Engine
    from emphatic.study.store import Store


def reproduce(
    tables: Annotated[list[str] | None, typer.Argument(metavar="TABLE...", help="Table ids, such as 000-II.")] = None,
    list_tables: Annotated[bool, typer.Option("--list", help="List the tables and exit.")] = False,
    all_tables: Annotated[
        bool, typer.Option("--all", help="Every table of the five papers for which data are available.")
    ] = False,
    quick: Annotated[
        bool, typer.Option("--quick", help="A few rows and runs; without TABLE, one table per paper.")
    ] = False,
    runs: Annotated[int | None, typer.Option(min=1, help="Runs per row (50, or 5 with --quick).")] = None,
    budget: Annotated[
        float | None, typer.Option(metavar="HOURS", help="As many runs as fit into this time.", show_default=False)
    ] = None,
    problems: Annotated[str, typer.Option(help="Only these problems, separated by commas.")] = "",
    store: arguments.StorePath = Path("emphatic-study.sqlite"),
    jobs: arguments.Jobs = 1,
    dask: arguments.Dask = None,
    time_limit: arguments.TimeLimit = None,
    memory_limit: arguments.MemoryLimit = None,
    solver: Annotated[
        str, typer.Option(help="How RBF networks are trained, where a table leaves it open: ridge or sgd.")
    ] = "ridge",
    regularisation: Annotated[
        float | None,
        typer.Option(help="Regularisation of ridge (if not given: chosen on training data).", show_default=False),
    ] = None,
    cross_validate: Annotated[
        bool, typer.Option(help="Besides the papers' best parameter, show one chosen on training data.")
    ] = True,
    report: Annotated[Path | None, typer.Option(help="Also write an HTML page with tables and figures.")] = None,
    markdown: Annotated[Path | None, typer.Option(help="Also write the tables to this Markdown file.")] = None,
    as_json: arguments.AsJson = False,
    quiet: arguments.Quiet = False,
) -> None:
    """Rerun published tables, and print published and measured values side by side.

    Every finished fit is kept in the store: stop at any moment, and run the same command again to continue.
    """
    if list_tables:
        _print_list(as_json)
        return
    console.check_jobs(jobs)
    console.check_outputs([], [store, report, markdown])
    if budget is not None and not budget > 0:
        console.refuse(f"--budget must be more than 0 hours, got {budget:g}")
    with console.explain_errors():
        from emphatic.papers.options import FULL, QUICK, Options
        from emphatic.papers.reproduce import Runner, choose_tables, reproduce_within
        from emphatic.papers.reproduce import reproduce as reproduce_table

        limits = arguments.make_limits(time_limit, memory_limit)
        options = Options(
            runs=runs or (QUICK if quick else FULL),
            problems=console.split_list(problems),
            quick=quick,
            solver=solver,
            regularisation=regularisation,
            cross_validate=cross_validate,
        )
        chosen = choose_tables(_choose_ids(tables or [], all_tables, quick), options)
    with console.shorten_warnings(show=not quiet):
        engine = _make_engine(dask, jobs)
        with console.open_store(store) as opened, engine as ready:
            runner = Runner(opened, ready, not quiet, limits)
            if budget is None:
                done = [reproduce_table(each, options, runner) for each in chosen]
            else:
                done = reproduce_within(3600 * budget, chosen, options, runner)
            if report is not None:
                from emphatic.papers.page import write_report

                with console.name_unwritable():
                    write_report(done, opened, options, report)
            if markdown is not None:
                _write_markdown(done, opened, markdown)
    _print_tables(done, as_json, quiet)
    if report is not None and not quiet:
        typer.echo(f"Wrote {report.resolve()}", err=True)
    _report_failures(done, store)


def _choose_ids(table_ids: list[str], all_tables: bool, quick: bool) -> list[str]:
    """The ids of the tables to rerun."""
    from emphatic.papers.registry import QUICK_TABLES, TABLES, load_table

    if all_tables:
        return [table_id for table_id in TABLES if not quick or load_table(table_id).problems(quick=True)]
    if not table_ids and not quick:
        console.refuse("name a table (`emphatic reproduce --list` shows them), or use --quick or --all")
    return table_ids or list(QUICK_TABLES)


def _make_engine(dask: str | None, jobs: int) -> AbstractContextManager[Engine]:
    from emphatic.study.engines.processes import in_processes

    return nullcontext(in_processes(jobs)) if dask is None else console.open_cluster(dask)


def _print_list(as_json: bool) -> None:
    from emphatic.papers.registry import STUDIES, TABLES, load_table

    tables = map(load_table, (*TABLES, *STUDIES))
    entries = [{"id": each.id, "title": each.title, "problems": list(each.problems())} for each in tables]
    lines = [f"{entry['id']:<15} {entry['title']} ({', '.join(entry['problems'])})" for entry in entries]
    typer.echo(json.dumps(entries, indent=2) if as_json else "\n".join(lines))


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

        screen = console.make_console()
        for each in done:
            screen.print(to_rich(each.lines, each.table.title, _write_caption(each), screen.width))


def _write_caption(each: Reproduction) -> str:
    """With a remark if the budget ended before the table was finished."""
    ended = f" The time was up before all runs were done: at most {each.options.runs} per row." if each.stopped else ""
    return each.caption + ended


def _write_markdown(done: list[Reproduction], store: Store, path: Path) -> None:
    from emphatic.files import write_atomically
    from emphatic.papers.claims import write_claims
    from emphatic.papers.lines import to_markdown
    from emphatic.report.page import write_section

    pages = []
    for each in done:
        pages.append(to_markdown(each.lines, each.table.title, _write_caption(each)))
        pages += map(write_section, each.table.sections(each.options, store))
    claims = [(each.table.id, each.table.claims(each.options, store)) for each in done]
    pages += map(write_section, write_claims(claims))
    with console.name_unwritable():
        write_atomically(path, "\n".join(pages))


def _report_failures(done: list[Reproduction], path: Path) -> None:
    n_over = sum(each.summary.n_over_limits for each in done)
    if n_over:
        console.say(f"fits that exceeded a limit, marked as such in {path}: {n_over}")
    n_failed = sum(each.summary.n_failed for each in done)
    if n_failed:
        first = next(each.summary.first_failure for each in done if each.summary.first_failure)
        failed = count(n_failed, "fit")
        console.fail(f"{failed} failed, marked as such in {path}; run again to retry. The first: {first}")
