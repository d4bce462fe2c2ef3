"""`emphatic compare`: our classifiers and their peers on a table of the user's own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from emphatic.commands import arguments, console

if TYPE_CHECKING:
    from emphatic.comparison.outcome import Outcome


def compare(
    data: arguments.Data,
    target: arguments.Target,
    methods: Annotated[str, typer.Option(help="Only these methods, separated by commas (if not given: all).")] = "",
    folds: Annotated[int | None, typer.Option(min=2, help="Folds per repetition (5; 3 with --quick).")] = None,
    repeats: Annotated[int | None, typer.Option(min=1, help="Repetitions (2; 1 with --quick).")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="3 folds, once.")] = False,
    max_rows: arguments.MaxRows = 5_000,
    report: Annotated[Path | None, typer.Option(help="Write an HTML page with table, charts and tests.")] = None,
    store: arguments.StorePath = Path("emphatic-compare.sqlite"),
    jobs: arguments.Jobs = 1,
    time_limit: arguments.TimeLimit = None,
    memory_limit: arguments.MemoryLimit = None,
    seed: arguments.Seed = 0,
    column: arguments.Column = None,
    bins: arguments.Bins = None,
    missing_labels: arguments.MissingLabels = "refuse",
    separator: arguments.Separator = None,
    encoding: arguments.Encoding = None,
    quote: arguments.Quote = None,
    sheet: arguments.Sheet = None,
    decimal: arguments.Decimal = None,
    dates: arguments.Dates = None,
    as_json: arguments.AsJson = False,
    quiet: arguments.Quiet = False,
) -> None:
    """Compare our classifiers with the peers that are installed, by cross-validation on a table.

    Each method makes its choices on its training rows. Every finished fit is kept in the store: stop at any moment, and
    run the same command again to continue.
    """
    console.check_jobs(jobs)
    console.check_outputs([data, store], [report])
    n_folds, n_repeats = folds or (3 if quick else 5), repeats or (1 if quick else 2)
    with console.explain_errors():
        from emphatic.commands.data import ReadingOptions, read_data
        from emphatic.comparison.outcome import collect_outcome
        from emphatic.comparison.plan import check_folds, choose_recipes, name_problem, plan_fits
        from emphatic.study.engines.processes import in_processes
        from emphatic.study.runner import run_studies
        from emphatic.tables.policy import make_wishes

        limits = arguments.make_limits(time_limit, memory_limit)
        options = ReadingOptions(separator, encoding, quote, sheet, decimal, dates, column or ())
        read = read_data(data, target, options, bins=bins, missing_labels=missing_labels, progress=not quiet)
        X, y, wishes = read.used, read.y, make_wishes(read.decisions)
        check_folds(y, n_folds)
        recipes, left_out = choose_recipes(console.split_list(methods), len(set(y.tolist())))
        problem = name_problem(data, target, X, y, seed, wishes)
        recipes = [recipe.with_columns(wishes) for recipe in recipes]
        contenders = plan_fits(recipes, problem, n_folds, n_repeats, max_rows)
    remarks = [*read.remarks, *left_out]
    remarks += [f"{one.name} is {one.note}" for one in contenders if one.note]
    if not quiet:
        console.say(*remarks)
    with console.shorten_warnings(show=not quiet), console.open_store(store) as opened:
        summary = run_studies([one.study for one in contenders], opened, in_processes(jobs), not quiet, limits)
        outcome = collect_outcome(contenders, opened, n_folds)
    if not outcome.finished:
        console.fail(f"no method finished; the first failure: {next(iter(outcome.unfinished.values()))}")
    about = f"{data.name}: {target}, {len(y)} rows, {X.shape[1]} columns, {n_repeats} x {n_folds} folds"
    _show(outcome, about, remarks, report, as_json, quiet)
    if summary.n_failed:
        console.fail(f"{summary.n_failed} fits failed; run again to retry them. The first: {summary.first_failure}")


def _show(outcome: Outcome, about: str, remarks: list[str], report: Path | None, as_json: bool, quiet: bool) -> None:
    from emphatic.comparison.table import make_record, make_rich_table

    if report is not None:
        from emphatic.comparison.page import write_comparison

        best = outcome.finished[0]
        lead = f"{about}. Lowest error on these test folds: {best.name}, {100 * best.mean('error'):.2f}%."
        with console.name_unwritable():
            write_comparison(outcome, f"Methods on {about.partition(':')[0]}", lead, remarks, report)
    if as_json:
        record = {"about": about, "remarks": remarks, **make_record(outcome)}
        typer.echo(json.dumps(record, indent=2, ensure_ascii=False))
    elif not quiet:
        screen = console.make_console()
        screen.print(make_rich_table(outcome, about, screen.width))
        p = outcome.friedman_p()
        if p is not None:
            screen.print(f"Friedman's test that all are equally good, over the folds: p = {p:.2g}", highlight=False)
    if report is not None and not quiet:
        typer.echo(f"Wrote {report.resolve()}", err=True)
