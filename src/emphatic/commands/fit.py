"""`emphatic fit`: a model from a table, saved to a file."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from emphatic.commands import arguments, console

if TYPE_CHECKING:
    from emphatic.recipes import Recipe


def fit(
    data: arguments.Data,
    target: arguments.Target,
    model: Annotated[
        Path, typer.Option(help="File to write the model to, such as model.emphatic.", show_default=False)
    ],
    method: Annotated[str, typer.Option(help="What to fit, by name (if not given: EmphaticClassifier).")] = "",
    max_rows: arguments.MaxRows = 10_000,
    seed: arguments.Seed = 0,
    separator: arguments.Separator = ",",
    as_json: arguments.AsJson = False,
    quiet: arguments.Quiet = False,
) -> None:
    """Fit a classifier to a table and save it.

    The file is only data: `emphatic predict` can read it without trusting whoever made it.
    """
    console.check_outputs([data], [model])
    with console.explain_errors(), console.shorten_warnings(show=not quiet):
        import numpy as np

        from emphatic.persistence import save
        from emphatic.recipes import sample_rows
        from emphatic.tables.policy import decide_columns, drop_columns
        from emphatic.tables.profile import Profile
        from emphatic.tables.reading import read_labelled_table

        recipe = _choose_recipe(method, seed)
        X, y = read_labelled_table(data, target, separator)
        decisions = decide_columns(X)
        X = drop_columns(X, decisions)
        rows = sample_rows(y, max_rows, np.random.default_rng(seed)) if recipe.slow else np.arange(len(y))
        remarks = [each.remark for each in decisions if each.remark]
        remarks += [f"{recipe.name} is trained on {len(rows)} of {len(y)} rows"] if len(rows) < len(y) else []
        if not quiet:
            console.say(*remarks)
        estimator, training = _fit(recipe, X.iloc[rows], y[rows], seed, progress=not quiet)
        left_out = {each.name: each.reason for each in decisions if each.left_out}
        training = {"target": target, "left_out": left_out, **training}
        profile = Profile.learn(X, [each for each in decisions if not each.left_out])
        kinds = {each.name: each.kind for each in decisions if not each.left_out}
        with console.name_unwritable():
            save(estimator, model, columns=kinds, training=training, profile=profile)
    if as_json:
        typer.echo(json.dumps({"model": str(model), **training}, indent=2))
    elif not quiet:
        classes = ", ".join(f"{name} ({count})" for name, count in training["classes"].items())
        typer.echo(
            f"{recipe.name} fitted to {training['rows']} rows and {X.shape[1]} columns in {training['seconds']:.1f} s\n"
            f"Classes of {target}: {classes}\n"
            f"Error on these training rows: {100 * training['training_error']:.1f}%; expect more on new rows "
            f"(`emphatic compare` estimates how much)\nWrote {model}"
        )


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


def _fit(recipe: Recipe, X: Any, y: Any, seed: int, progress: bool) -> tuple[Any, dict[str, Any]]:
    """The fitted model, and a summary of its training."""
    import numpy as np

    from emphatic.progress import progress_bar

    classes, counts = np.unique(y, return_counts=True)
    if not recipe.supports(len(classes)):
        console.refuse(f"{recipe.name} supports two classes only, and the table has {len(classes)}")
    started = time.perf_counter()
    with progress_bar(f"fit {recipe.name}", 1, progress) as advance:
        model = recipe.build({}, seed).fit(X, y)
        advance()
    return model, {
        "method": recipe.name,
        "seed": seed,
        "rows": len(y),
        "columns": list(map(str, X.columns)),
        "classes": dict(zip(map(str, classes.tolist()), counts.tolist(), strict=True)),
        "training_error": float(np.mean(model.predict(X) != y)),
        "seconds": time.perf_counter() - started,
    }
