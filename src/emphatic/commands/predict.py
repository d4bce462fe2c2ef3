"""`emphatic predict`: the predictions of a saved model for a table."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from emphatic.commands import arguments, console

if TYPE_CHECKING:
    import pandas as pd

    from emphatic.persistence import Saved

BATCH_ROWS = 10_000
"""Rows that are predicted at a time, so that memory does not grow with the table."""


def predict(
    model: Annotated[Path, typer.Argument(help="Model file that `emphatic fit` wrote.", show_default=False)],
    data: Annotated[
        Path, typer.Argument(help="Table with the columns of the model, in any order, as CSV.", show_default=False)
    ],
    output: Annotated[Path | None, typer.Option(help="CSV file to write (if not given: printed).")] = None,
    probabilities: Annotated[bool, typer.Option("--probabilities", help="Add the probability of each class.")] = False,
    separator: arguments.Separator = ",",
    quiet: arguments.Quiet = False,
) -> None:
    """Predict the labels of a table with a saved model, one line per row.

    The model file is only data: nothing in it can run.
    """
    console.check_outputs([model, data], [output])
    with console.explain_errors(), console.shorten_warnings(show=not quiet):
        from emphatic.files import write_atomically
        from emphatic.persistence import read
        from emphatic.tables.reading import read_table
        from emphatic.tables.writing import format_csv

        saved = read(model)
        types = {name: str for name, kind in saved.columns.items() if kind == "text"}
        X, remarks = _arrange(read_table(data, separator, types), saved)
        if not quiet:
            console.say(*_compare_versions(saved), *remarks)
        text = format_csv(_predict(saved.model, X, probabilities, progress=not quiet))
        with console.name_unwritable():
            if output is not None:
                write_atomically(output, text)
    if output is None:
        typer.echo(text, nl=False)
    elif not quiet:
        typer.echo(f"Wrote {output}")


def _arrange(table: pd.DataFrame, saved: Saved) -> tuple[pd.DataFrame, list[str]]:
    """The columns that the model needs, and remarks about the others."""
    if not saved.columns:
        warnings.filterwarnings("ignore", "X has feature names")  # which the remark says better
        return table, ["the model was trained without column names: columns are used in the order of the table"]
    X, extra = saved.arrange_columns(table)
    left_out = saved.training.get("left_out")  # which a file may fill with anything
    seen = [saved.training.get("target"), *(left_out if isinstance(left_out, dict) else ())]
    extra = [name for name in extra if name not in seen]
    return X, [f"columns that the model does not know are ignored: {', '.join(extra)}"] if extra else []


def _compare_versions(saved: Saved) -> list[str]:
    from emphatic.persistence.file import list_versions

    here = list_versions()
    others = [f"{name} {old}, here {here[name]}" for name, old in saved.versions.items() if here.get(name, old) != old]
    return [f"the model was saved with other versions ({'; '.join(others)}): predictions may differ"] if others else []


def _predict(model: Any, X: pd.DataFrame, probabilities: bool, progress: bool) -> pd.DataFrame:
    import pandas as pd

    from emphatic.progress import progress_bar

    if probabilities and not hasattr(model, "predict_proba"):
        console.refuse(f"a {type(model).__name__} does not predict probabilities")
    batches = []
    with progress_bar("predict", len(X), progress) as advance:
        for start in range(0, len(X), BATCH_ROWS):
            rows = X.iloc[start : start + BATCH_ROWS]
            batch = pd.DataFrame({"predicted": model.predict(rows)})
            if probabilities:
                names = [f"P({label})" for label in model.classes_.tolist()]
                batch = pd.concat([batch, pd.DataFrame(model.predict_proba(rows), columns=names)], axis=1)
            batches.append(batch)
            advance(len(rows))
    return pd.concat(batches, ignore_index=True)
