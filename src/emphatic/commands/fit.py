"""`emphatic fit` and `emphatic predict`: a model from one table, its predictions for another."""

from __future__ import annotations

import json
import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from emphatic.commands.console import bad_input, check_outputs, fail, out, say, stopping, writing

if TYPE_CHECKING:
    import pandas as pd

    from emphatic.comparison.contenders import Contender
    from emphatic.persistence.file import Saved

# Modules that compute are imported inside the functions: `emphatic --help` must answer at once.

SAFE_PACKAGES = ("", "emphatic", "sklearn")
"""Whose models can be read back without trusting code of others."""
AT_ONCE = 10_000
"""Rows that are predicted at a time, so that memory does not grow with the table."""


def fit(
    data: Annotated[Path, typer.Argument(help="Table with a header, CSV in UTF-8.", show_default=False)],
    target: Annotated[str, typer.Option(help="Column that holds the labels.", show_default=False)],
    model: Annotated[Path, typer.Option(help="File to write the model to, such as model.skops.", show_default=False)],
    method: Annotated[str, typer.Option(help="What to fit, by name (if not given: the one to try first).")] = "",
    max_rows: Annotated[
        int, typer.Option(min=10, help="Training rows of methods that would take too long with all of them.")
    ] = 10_000,
    seed: Annotated[int, typer.Option(min=0, help="Of all that is random.")] = 0,
    separator: Annotated[str, typer.Option(help="What stands between two cells; \\t for a tab.")] = ",",
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Errors only (and --json).")] = False,
) -> None:
    """Fit a classifier to a table and save it.

    The file holds no code: `emphatic predict` can read it without trusting whoever made it.
    """
    check_outputs([data], [model])
    with stopping(), bad_input():
        from emphatic.persistence.columns import kinds
        from emphatic.persistence.file import save
        from emphatic.tables.csv_file import read_labelled, without_names

        chosen = _chosen(method)
        X, y = read_labelled(data, target, separator)
        X, left_out = without_names(X)
        rows = _rows(chosen, y, max_rows, seed)
        if not quiet:
            _say_all([f"column {name} is left out: {why}" for name, why in left_out.items()])
            _say_all([f"{chosen.name} is trained on {len(rows)} of {len(y)} rows"] if len(rows) < len(y) else [])
        X, y = X.iloc[rows], y[rows]
        estimator, training = _fitted(chosen, X, y, seed, progress=not quiet)
        training = {"target": target, "left_out": left_out, **training}
        with writing():
            save(estimator, model, columns=kinds(X), training=training)
    if as_json:
        typer.echo(json.dumps({"model": str(model), **training}, indent=2))
    elif not quiet:
        classes = ", ".join(f"{name} ({count})" for name, count in training["classes"].items())
        out().print(
            f"{chosen.name} on {training['rows']} rows of {X.shape[1]} columns in {training['seconds']:.1f} s: "
            f"{target} is {classes}; {100 * training['training_error']:.1f}% of these rows it gets wrong, of new ones "
            f"probably more (emphatic compare says how many)\nWrote {model}",
            markup=False,
            highlight=False,
        )


def predict(
    model: Annotated[Path, typer.Argument(help="File that `emphatic fit` wrote.", show_default=False)],
    data: Annotated[
        Path, typer.Argument(help="Table with the columns of the model, in any order.", show_default=False)
    ],
    output: Annotated[Path | None, typer.Option(help="CSV file to write (if not given: printed).")] = None,
    probabilities: Annotated[bool, typer.Option("--probabilities", help="Also those of every class.")] = False,
    separator: Annotated[str, typer.Option(help="What stands between two cells; \\t for a tab.")] = ",",
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress and no remarks: errors only.")] = False,
) -> None:
    """Predict the labels of a table with a saved model, one row for each of its rows.

    No code from the model's file is executed.
    """
    check_outputs([model, data], [output])
    with stopping(), bad_input():
        from emphatic.files import write_atomically
        from emphatic.tables.csv_file import read_table

        saved = _read(model)
        types = {name: str for name, kind in saved.columns.items() if kind == "text"}
        X, remarks = _arranged(read_table(data, separator, types), saved)
        if not quiet:
            _say_all(_other_versions(saved) + remarks)
        table = _predicted(saved.model, X, probabilities, progress=not quiet)
        with writing():
            if output is not None:
                write_atomically(output, table.to_csv(index=False))
    if output is None:
        typer.echo(table.to_csv(index=False), nl=False)
    elif not quiet:
        out().print(f"Wrote {output}", markup=False, highlight=False)


def _chosen(name: str) -> Contender:
    """The method of this name, in upper or lower case; without one, the first of ours."""
    from emphatic.comparison.contenders import contenders, installed
    from emphatic.names import unknown

    safe = {each.name.lower(): each for each in installed().values() if _is_safe(each)}
    if not name:
        return next(iter(safe.values()))
    if name.lower() not in safe:
        if any(name.lower() == each.lower() for each in contenders()):
            names = ", ".join(each.name for each in safe.values())
            fail(f"{name} is not installed, or its models cannot be saved without code in them; there are: {names}")
        raise unknown("method", name, [each.name for each in safe.values()])
    return safe[name.lower()]


def _is_safe(contender: Contender) -> bool:
    return contender.package.partition(".")[0] in SAFE_PACKAGES


def _rows(chosen: Contender, y: Any, max_rows: int, seed: int) -> Any:
    """All rows, or for a method whose time grows faster than they do at most `max_rows`, each class in proportion."""
    import numpy as np

    from emphatic.comparison.methods import GROW_FASTER, drawn

    if chosen.name not in GROW_FASTER:
        return np.arange(len(y))
    return drawn(y, max_rows, np.random.default_rng(seed))


def _fitted(chosen: Contender, X: Any, y: Any, seed: int, progress: bool) -> tuple[Any, dict[str, Any]]:
    """The fitted model, and a summary of its training."""
    import numpy as np

    from emphatic.progress import progress_bar

    classes, counts = np.unique(y, return_counts=True)
    if not chosen.takes(len(classes)):
        fail(f"{chosen.name} tells two classes apart, and the table has {len(classes)}")
    started = time.perf_counter()
    with progress_bar(f"fit {chosen.name}", 1, progress) as advance:
        model = chosen.build({}, seed).fit(X, y)
        advance()
    return model, {
        "method": chosen.name,
        "seed": seed,
        "rows": len(y),
        "columns": list(map(str, X.columns)),
        "classes": dict(zip(map(str, classes.tolist()), counts.tolist(), strict=True)),
        "training_error": float(np.mean(model.predict(X) != y)),
        "seconds": time.perf_counter() - started,
    }


def _read(path: Path) -> Saved:
    from emphatic.persistence.file import read

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of other versions: `_other_versions` says it once, for all parts of the model
        return read(path)


def _arranged(table: pd.DataFrame, saved: Saved) -> tuple[pd.DataFrame, list[str]]:
    """The table as the model knows it, and what is to be said of it."""
    from emphatic.persistence.columns import arranged

    if not saved.columns:
        return table, ["the model knows no names of columns: they are taken in the order of the table"]
    X, extra = arranged(table, saved.columns)
    seen = {saved.training.get("target"), *saved.training.get("left_out", {})}
    extra = [name for name in extra if name not in seen]
    return X, [f"columns that the model does not know are ignored: {', '.join(extra)}"] if extra else []


def _other_versions(saved: Saved) -> list[str]:
    from emphatic.persistence.file import versions

    here = versions()
    others = [f"{name} {old}, here {here[name]}" for name, old in saved.versions.items() if here.get(name, old) != old]
    return [f"the model was saved with other versions ({'; '.join(others)}): predictions may differ"] if others else []


def _predicted(model: Any, X: pd.DataFrame, probabilities: bool, progress: bool) -> pd.DataFrame:
    import pandas as pd

    from emphatic.progress import progress_bar

    if probabilities and not hasattr(model, "predict_proba"):
        fail(f"a {type(model).__name__} gives no probabilities")
    parts = []
    with progress_bar("predict", len(X), progress) as advance:
        for start in range(0, len(X), AT_ONCE):
            rows = X.iloc[start : start + AT_ONCE]
            part = pd.DataFrame({"predicted": model.predict(rows)})
            if probabilities:
                names = [f"P({label})" for label in model.classes_.tolist()]
                part = pd.concat([part, pd.DataFrame(model.predict_proba(rows), columns=names)], axis=1)
            parts.append(part)
            advance(len(rows))
    return pd.concat(parts, ignore_index=True)


def _say_all(remarks: list[str]) -> None:
    for remark in remarks:
        say(f"emphatic: {remark}")
