"""`emphatic compare`: our classifiers and their peers on a table of the user's own."""

from __future__ import annotations

import json
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
    stopping,
    writing,
)

if TYPE_CHECKING:
    from emphatic.comparison.methods import Entrant
    from emphatic.comparison.outcome import Outcome
    from emphatic.study.engines.limits import Limits
    from emphatic.study.runner import Summary

# Modules that compute are imported inside the functions: `emphatic --help` must answer at once.


def compare(
    data: Annotated[Path, typer.Argument(help="Table with a header, CSV in UTF-8.", show_default=False)],
    target: Annotated[str, typer.Option(help="Column that holds the labels.", show_default=False)],
    methods: Annotated[str, typer.Option(help="Only these methods, separated by commas (if not given: all).")] = "",
    folds: Annotated[int | None, typer.Option(min=2, help="Test parts of a repetition (5; 3 with --quick).")] = None,
    repeats: Annotated[int | None, typer.Option(min=1, help="Repetitions (2; 1 with --quick).")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="3 folds, once.")] = False,
    max_rows: Annotated[
        int, typer.Option(min=10, help="Training rows of methods that would take too long with all of them.")
    ] = 5_000,
    report: Annotated[Path | None, typer.Option(help="Write a page with table, plots and tests.")] = None,
    store: Annotated[Path, typer.Option(help="File that keeps every finished fit.")] = Path("emphatic-compare.sqlite"),
    jobs: Annotated[int, typer.Option(help="Processes; -1 for one a core.")] = 1,
    time_limit: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="A fit that takes longer is given up.", show_default=False)
    ] = None,
    memory_limit: Annotated[
        int | None, typer.Option(metavar="MB", help="A fit that needs more is given up.", show_default=False)
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the folds and of all fits.")] = 0,
    separator: Annotated[str, typer.Option(help="What stands between two cells; \\t for a tab.")] = ",",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress, no table: errors only (and --json).")] = False,
) -> None:
    """Compare our classifiers and the peers that are installed on a table, by cross-validation.

    Whatever a method chooses, it chooses on its training part. Every finished fit is kept in the store: stop at any
    moment, and the same command goes on where it stopped.
    """
    check_jobs(jobs)
    check_outputs([data, store], [report])
    n_folds, n_repeats = folds or (3 if quick else 5), repeats or (1 if quick else 2)
    with stopping(), bad_input():
        from emphatic.comparison.methods import chosen, entrants
        from emphatic.comparison.problem import check_folds, problem_of
        from emphatic.papers.options import limits_of
        from emphatic.tables.csv_file import read_labelled, without_names

        limits = limits_of(time_limit, memory_limit)
        X, y = read_labelled(data, target, separator)
        X, left_out = without_names(X)
        check_folds(y, n_folds)
        contenders, remarks = chosen(listed(methods), len(set(y.tolist())))
        problem = problem_of(data, target, X, y, seed)
        everyone = entrants(contenders, problem, n_folds, n_repeats, max_rows)
    remarks = [f"column {name} is left out: {why}" for name, why in left_out.items()] + remarks
    remarks += [f"{one.name} is {one.note}" for one in everyone if one.note]
    if not quiet:
        for remark in remarks:
            say(f"emphatic: {remark}")
    with plain_warnings(show=not quiet):
        outcome, summary = _run(everyone, store, jobs, limits, n_folds, progress=not quiet)
    if not outcome.finished:
        fail(f"no method finished; the first failure: {next(iter(outcome.unfinished.values()))}", FAILED)
    about = f"{data.name}: {target}, {len(y)} rows, {X.shape[1]} columns, {n_repeats} x {n_folds} folds"
    _show(outcome, about, remarks, report, as_json, quiet)
    if summary.n_failed:
        fail(f"{summary.n_failed} fits failed; a rerun tries them again. The first: {summary.first_failure}", FAILED)


def _run(
    everyone: list[Entrant], path: Path, jobs: int, limits: Limits | None, n_folds: int, progress: bool
) -> tuple[Outcome, Summary]:
    from emphatic.comparison.outcome import outcome_of
    from emphatic.study.engines.processes import EngineError, in_processes
    from emphatic.study.runner import run_studies
    from emphatic.study.store import Store, StoreError

    try:
        with Store(path) as store:
            try:
                summary = run_studies([one.study for one in everyone], store, in_processes(jobs), progress, limits)
            except KeyboardInterrupt:
                stop(f"{len(store)} fits are in {path}, and the same command goes on from there.")
            return outcome_of(everyone, store, n_folds), summary
    except (StoreError, EngineError) as error:
        fail(str(error), FAILED)


def _show(outcome: Outcome, about: str, remarks: list[str], report: Path | None, as_json: bool, quiet: bool) -> None:
    from emphatic.comparison.table import to_record, to_rich

    if report is not None:
        from emphatic.comparison.page import write_comparison

        best = outcome.finished[0]
        lead = f"{about}. Best on these test parts: {best.name}, {100 * best.mean('error'):.2f}% wrong."
        with writing():
            write_comparison(outcome, f"Methods on {about.partition(':')[0]}", lead, remarks, report)
    if as_json:
        typer.echo(json.dumps({"about": about, "remarks": remarks, **to_record(outcome)}, indent=2, ensure_ascii=False))
    elif not quiet:
        console = out()
        console.print(to_rich(outcome, about, console.width))
        alike = outcome.alike()
        if alike is not None:
            console.print(f"Friedman's test that all are alike, over the folds: p = {alike:.2g}", highlight=False)
    if report is not None and not quiet:
        say(f"The page is {report.resolve()}")
