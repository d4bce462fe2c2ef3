"""`emphatic compare`: our classifiers and their peers on a table of the user's own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from emphatic.commands.console import (
    FAILED,
    check_jobs,
    check_outputs,
    explain_errors,
    fail,
    make_console,
    name_unwritable,
    say,
    say_remarks,
    shorten_warnings,
    split_list,
)
from emphatic.commands.options import (
    AsJson,
    Data,
    Jobs,
    MaxRows,
    MemoryLimit,
    Quiet,
    Seed,
    Separator,
    StorePath,
    Target,
    TimeLimit,
    make_limits,
    open_store,
)

if TYPE_CHECKING:
    from emphatic.comparison.outcome import Outcome


def compare(
    data: Data,
    target: Target,
    methods: Annotated[str, typer.Option(help="Only these methods, separated by commas (if not given: all).")] = "",
    folds: Annotated[int | None, typer.Option(min=2, help="Folds per repetition (5; 3 with --quick).")] = None,
    repeats: Annotated[int | None, typer.Option(min=1, help="Repetitions (2; 1 with --quick).")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="3 folds, once.")] = False,
    max_rows: MaxRows = 5_000,
    report: Annotated[Path | None, typer.Option(help="Write an HTML page with table, charts and tests.")] = None,
    store: StorePath = Path("emphatic-compare.sqlite"),
    jobs: Jobs = 1,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
    seed: Seed = 0,
    separator: Separator = ",",
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Compare our classifiers with the peers that are installed, by cross-validation on a table.

    Each method makes its choices on its training rows. Every finished fit is kept in the store: stop at any moment, and
    run the same command again to continue.
    """
    check_jobs(jobs)
    check_outputs([data, store], [report])
    n_folds, n_repeats = folds or (3 if quick else 5), repeats or (1 if quick else 2)
    with explain_errors():
        from emphatic.comparison.outcome import collect_outcome
        from emphatic.comparison.plan import check_folds, choose_recipes, name_problem, plan_fits
        from emphatic.study.engines.processes import in_processes
        from emphatic.study.runner import run_studies
        from emphatic.tables.policy import decide_columns, drop_columns
        from emphatic.tables.reading import read_labelled_table

        limits = make_limits(time_limit, memory_limit)
        X, y = read_labelled_table(data, target, separator)
        decisions = decide_columns(X)
        X = drop_columns(X, decisions)
        check_folds(y, n_folds)
        recipes, left_out = choose_recipes(split_list(methods), len(set(y.tolist())))
        problem = name_problem(data, target, X, y, seed)
        contenders = plan_fits(recipes, problem, n_folds, n_repeats, max_rows)
    remarks = [each.remark for each in decisions if each.remark] + left_out
    remarks += [f"{one.name} is {one.note}" for one in contenders if one.note]
    say_remarks(remarks, quiet)
    with shorten_warnings(show=not quiet), open_store(store) as opened:
        summary = run_studies([one.study for one in contenders], opened, in_processes(jobs), not quiet, limits)
        outcome = collect_outcome(contenders, opened, n_folds)
    if not outcome.finished:
        fail(f"no method finished; the first failure: {next(iter(outcome.unfinished.values()))}", FAILED)
    about = f"{data.name}: {target}, {len(y)} rows, {X.shape[1]} columns, {n_repeats} x {n_folds} folds"
    _show(outcome, about, remarks, report, as_json, quiet)
    if summary.n_failed:
        fail(f"{summary.n_failed} fits failed; run again to retry them. The first: {summary.first_failure}", FAILED)


def _show(outcome: Outcome, about: str, remarks: list[str], report: Path | None, as_json: bool, quiet: bool) -> None:
    from emphatic.comparison.table import make_record, make_rich_table

    if report is not None:
        from emphatic.comparison.page import write_comparison

        best = outcome.finished[0]
        lead = f"{about}. Lowest error on these test folds: {best.name}, {100 * best.mean('error'):.2f}%."
        with name_unwritable():
            write_comparison(outcome, f"Methods on {about.partition(':')[0]}", lead, remarks, report)
    if as_json:
        record = {"about": about, "remarks": remarks, **make_record(outcome)}
        typer.echo(json.dumps(record, indent=2, ensure_ascii=False))
    elif not quiet:
        console = make_console()
        console.print(make_rich_table(outcome, about, console.width))
        p = outcome.friedman_p()
        if p is not None:
            console.print(f"Friedman's test that all are equally good, over the folds: p = {p:.2g}", highlight=False)
    if report is not None and not quiet:
        say(f"Wrote {report.resolve()}")
