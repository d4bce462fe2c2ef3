"""`emphatic compare`: our classifiers and their peers on a table of the user's own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from emphatic.commands import arguments, console
from emphatic.commands.reading import TableOptions, accept
from emphatic.wording import count

if TYPE_CHECKING:
    from emphatic.study.findings.outcome import Outcome


@accept(TableOptions)
def compare(
    *,
    reading: TableOptions,
    data: arguments.Data,
    target: arguments.Target,
    methods: Annotated[str, typer.Option(help="Only these methods, separated by commas (if not given: all).")] = "",
    folds: Annotated[int | None, typer.Option(min=2, help="Folds per repetition (5; 3 with --quick).")] = None,
    repeats: Annotated[int | None, typer.Option(min=1, help="Repetitions (2; 1 with --quick).")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="3 folds, once.")] = False,
    group: arguments.Group = "",
    time: Annotated[
        str, typer.Option(help="Column of numbers or dates: train on earlier rows, test on later ones.")
    ] = "",
    max_rows: arguments.MaxRows = 5_000,
    report: Annotated[Path | None, typer.Option(help="Write an HTML page with table, charts and tests.")] = None,
    store: arguments.StorePath = Path("emphatic-compare.sqlite"),
    jobs: arguments.Jobs = 1,
    dask: arguments.Dask = None,
    time_limit: arguments.TimeLimit = None,
    memory_limit: arguments.MemoryLimit = None,
    seed: arguments.Seed = 0,
    as_json: arguments.AsJson = False,
    quiet: arguments.Quiet = False,
) -> None:
    """Compare our classifiers with the peers that are installed, by cross-validation on a table.

    Each method makes its choices on its training rows. Every finished fit is kept in the store: stop at any moment, and
    run the same command again to continue.
    """
    console.check_jobs(jobs)
    console.check_outputs([data], [store, report])
    _check_splits(target, group, time, repeats)
    n_folds, n_repeats = folds or (3 if quick else 5), repeats or (1 if quick or time else 2)
    with console.explain_errors():
        from emphatic.commands.data import read_data
        from emphatic.comparison.measures import find_positive
        from emphatic.comparison.page import explain_measures
        from emphatic.comparison.plan import choose_recipes, collect_contenders, name_problem, plan_fits
        from emphatic.comparison.splitting import check_parts, choose_splitting
        from emphatic.study.runner import run_studies
        from emphatic.tables.policy import make_wishes

        limits = arguments.make_limits(time_limit, memory_limit)
        read = read_data(data, target, reading.ignoring(group), progress=not quiet)
        X, y, kinds = read.used, read.y, make_wishes(read.decisions)
        splitting = choose_splitting(read.X, y, read.decisions, n_folds, n_repeats, group, time)
        recipes, left_out = choose_recipes(console.split_list(methods), len(set(y.tolist())))
        problem = name_problem(data, target, X, y, seed, kinds, splitting.groups, splitting.order)
        check_parts(problem, splitting.protocol)
        recipes = [recipe.with_columns(kinds) for recipe in recipes]
        contenders = plan_fits(recipes, problem, splitting.protocol, max_rows)
    remarks = [*read.remarks, *left_out]
    remarks += [f"{one.name} is {one.note}" for one in contenders if one.note]
    if not quiet:
        console.say(*remarks)
    with (
        console.shorten_warnings(show=not quiet),
        console.open_engine(dask, jobs) as engine,
        console.open_store(store) as opened,
    ):
        summary = run_studies([one.study for one in contenders], opened, engine, not quiet, limits)
        outcome = collect_contenders(contenders, opened)
    if not outcome.finished:
        console.fail(f"no method finished; the first failure: {next(iter(outcome.unfinished.values()))}")
    about = f"{data.name}: {target}, {count(len(y), 'row')}, {count(X.shape[1], 'column')}, {splitting.words}"
    _show(outcome, about, [*remarks, explain_measures(find_positive(y))], report, as_json, quiet)
    if not quiet:
        console.say(*(f"{name} did not finish: {reason}" for name, reason in outcome.unfinished.items()))
    if summary.n_failed:
        failed = count(summary.n_failed, "fit")
        console.fail(f"{failed} failed; run again to retry. The first: {summary.first_failure}")


def _check_splits(target: str, group: str, time: str, repeats: int | None) -> None:
    if group and time:
        console.refuse("--group and --time cannot be used together: choose one of them")
    if target in {group, time}:
        console.refuse(f"column {target} is the target: --group and --time need another column")
    if time and repeats is not None and repeats > 1:
        console.refuse("--repeats cannot be used with --time: there is only one order of time")


def _show(outcome: Outcome, about: str, remarks: list[str], report: Path | None, as_json: bool, quiet: bool) -> None:
    from emphatic.study.findings.outcome import FEWEST
    from emphatic.study.findings.table import make_record, make_rich_tables

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
        from rich.text import Text

        screen = console.make_console()
        screen.print(*make_rich_tables(outcome, about, screen.width))
        screen.print(Text(remarks[-1]))
        p = outcome.friedman_p()
        if p is not None:
            screen.print(Text(f"Friedman's test that all are equally good, over the folds: p = {p:.2g}"))
        if outcome.n_folds < FEWEST:
            screen.print(Text(f"No p-values: {outcome.n_folds} test folds are too few, {FEWEST} are needed"))
    if report is not None and not quiet:
        typer.echo(f"Wrote {report.resolve()}", err=True)
