"""`emphatic fit`: a model from a table, saved to a file, with what a person wants to know about it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from emphatic.commands import arguments, console
from emphatic.commands.reading import TableOptions, accept

if TYPE_CHECKING:
    from emphatic.card import Card
    from emphatic.commands.data import LabelledData
    from emphatic.commands.training import About, Trained
    from emphatic.recipes import Recipe


@accept(TableOptions)
def fit(
    *,
    reading: TableOptions,
    data: arguments.DataFiles,
    target: arguments.Target,
    model: Annotated[
        Path, typer.Option(help="File to write the model to, such as model.emphatic.", show_default=False)
    ],
    report: Annotated[Path | None, typer.Option(help="Write a model card, an HTML page.", show_default=False)] = None,
    method: Annotated[str, typer.Option(help="What to fit, by name (if not given: EmphaticClassifier).")] = "",
    group: arguments.Group = "",
    decision: Annotated[
        str,
        typer.Option(help="How classes are predicted: probability (if not given), f1 or balanced.", show_default=False),
    ] = "",
    costs: Annotated[
        Path | None,
        typer.Option(
            help="CSV of what mistakes cost: true classes down, predicted ones across. Predicts the least cost.",
            show_default=False,
        ),
    ] = None,
    budget: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            help="As good a model as this time allows (if not given: all candidates).",
            show_default=False,
        ),
    ] = None,
    max_rows: arguments.MaxRows = 10_000,
    dask: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Read Parquet or CSV in pieces and fit on this Dask cluster; 'local' starts one here, as is done for "
            "files larger than a quarter of the available memory.",
            show_default=False,
        ),
    ] = None,
    seed: arguments.Seed = 0,
    as_json: arguments.AsJson = False,
    quiet: arguments.Quiet = False,
) -> None:
    """Fit a classifier to a table, say how good it is, and save it.

    The file is only data: `emphatic predict` can read it without trusting whoever made it.
    """
    console.check_outputs([data, *([costs] if costs else [])], [model, report])
    if group and group == target:
        console.refuse(f"column {target} is the target: --group needs another column")
    with console.explain_errors(), console.shorten_warnings(show=not quiet):
        from emphatic.commands import training
        from emphatic.commands.collection import choose_pieces
        from emphatic.commands.data import read_data
        from emphatic.commands.decision import choose_decision
        from emphatic.comparison.splitting import read_groups

        recipe = _choose_recipe(method, seed)
        without = {"--group": group, "--budget": budget, "--bins": reading.bins}
        pieces = choose_pieces(data, reading, recipe, dask, without, quiet)
        read = read_data(
            data,
            target,
            reading.ignoring(group),
            seed=seed,
            progress=not quiet,
            several=True,
            purpose="is used" if pieces is None else "decides what its columns are",
        )
        recipe = choose_decision(recipe, decision, costs, budget, read.y.tolist())
        groups = read_groups(read.X, group) if group else None
        if not quiet:
            console.say(*read.about)
        about = training.About(target, data.name, seed, report is not None, quiet)
        if pieces is None:
            trained = training.train(recipe, read, groups, max_rows, about)
        else:
            trained = training.train_on_cluster(recipe, read, pieces, reading, dask or "local", about)
        card = training.describe(recipe, read, trained, about)
        summary = _save(trained, card, read, model, about)
        if report is not None:
            from emphatic.card import write_card

            with console.name_unwritable():
                write_card(card, report)
    if as_json:
        typer.echo(json.dumps({"model": str(model), **summary}, indent=2, ensure_ascii=False))
    elif not quiet:
        from emphatic.card import summarise

        for line in (*summarise(card), *(f"Wrote {path}" for path in (model, report) if path is not None)):
            typer.echo(line)


def _choose_recipe(name: str, seed: int) -> Recipe:
    """The recipe of this name, in any case; without a name, the first one. Its models can be saved."""
    from emphatic.names import unknown
    from emphatic.persistence import ModelFileError, check_savable
    from emphatic.recipes import RECIPES

    known = {each.lower(): recipe for each, recipe in RECIPES.items()}
    if not name:
        return next(iter(known.values()))
    if name.lower() not in known:
        reason = "models of other libraries cannot be saved as data"
        console.refuse(f"{unknown('method', name, RECIPES)} ({reason})")
    recipe = known[name.lower()]
    try:
        check_savable(recipe.build({}, seed))
    except ModelFileError as error:
        console.refuse(f"{recipe.name} can be compared (`emphatic compare`), but not saved: {error}")
    return recipe


def _save(trained: Trained, card: Card, read: LabelledData, path: Path, about: About) -> dict[str, Any]:
    """Write the model with what `predict` has to know; return a summary of its training."""
    from emphatic.persistence import save
    from emphatic.tables.profile import Profile

    found = card.evaluation
    training = {
        "target": about.target,
        "left_out": {one.name: one.reason for one in read.decisions if one.left_out},
        "method": card.method,
        "seed": about.seed,
        "rows": trained.n_rows,
        "columns": [one.name for one in read.decisions if not one.left_out],
        "classes": dict(zip(map(str, found.classes.tolist()), found.rows.tolist(), strict=True)),
        "out_of_fold": found.as_record(),
        "warnings": card.warnings,
        "seconds": card.seconds,
    }
    kinds = {one.name: one.kind for one in read.decisions if not one.left_out}
    with console.name_unwritable():
        save(trained.model, path, columns=kinds, training=training, profile=Profile.learn(read.X, read.decisions))
    return training
