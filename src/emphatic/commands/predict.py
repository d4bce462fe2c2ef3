"""`emphatic predict`: the predictions of a saved model for a table, row for row."""

from __future__ import annotations

import warnings
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from emphatic.commands import arguments, console
from emphatic.commands.reading import FileOptions, accept

if TYPE_CHECKING:
    from emphatic.commands.predictions import Threshold
    from emphatic.persistence import Saved
    from emphatic.tables.files import Layout

BATCH_ROWS = 10_000
"""Rows that are read, predicted and written at a time, so that memory does not grow with the table."""


@accept(FileOptions)
def predict(
    *,
    reading: FileOptions,
    model: Annotated[Path, typer.Argument(help="Model file that `emphatic fit` wrote.", show_default=False)],
    data: Annotated[
        Path,
        typer.Argument(
            help="Table with the columns of the model, in any order: a file, a folder of files, a pattern such as "
            "'part-*.parquet'; - is standard input.",
            show_default=False,
        ),
    ],
    output: Annotated[
        Path | None, typer.Option(help="File to write: .csv, .csv.gz or .parquet (if not given: CSV is printed).")
    ] = None,
    keep: Annotated[str, typer.Option(help="Columns to carry through, such as id,name.")] = "",
    probabilities: Annotated[bool, typer.Option("--probabilities", help="Add the probability of each class.")] = False,
    threshold: Annotated[
        float | None,
        typer.Option(help="Predict --positive from this probability on, however probable other classes are."),
    ] = None,
    positive: Annotated[
        str | None, typer.Option(help="Class that --threshold is for (of two: the rarer).", show_default=False)
    ] = None,
    dask: arguments.Dask = None,
    quiet: arguments.Quiet = False,
) -> None:
    """Predict the labels of a table with a saved model, one line per row, and say how the table differs from training.

    The table may be larger than memory. The model file is only data: nothing in it can run.
    """
    console.check_outputs([model, data], [output])
    with console.explain_errors(), console.shorten_warnings(show=not quiet):
        from emphatic.commands.predictions import Block, Predictions
        from emphatic.persistence import read
        from emphatic.progress import progress_bar
        from emphatic.tables.files import iterate_table
        from emphatic.tables.output import check_output, open_output
        from emphatic.tables.profile import Differences

        check_output(output)
        saved = read(model)
        predictions = Predictions(saved.model, keep, probabilities, _make_threshold(threshold, positive, saved, quiet))
        # Not a row is left out unless the user says so, however much the last one looks like a total.
        options = replace(reading.of_file, footer=reading.footer or 0)
        layout, batches = iterate_table(data, options, rows=BATCH_ROWS, several=True)
        if not saved.columns:
            warnings.filterwarnings("ignore", "X has feature names")  # which a remark says better
        differences = Differences(saved.profile) if saved.profile is not None and not quiet else None
        blocks = (Block(batch, *saved.arrange_columns(batch)) for batch in batches)
        with (
            console.open_engine(dask, 1, quiet) as engine,
            console.name_unwritable(),
            open_output(output) as write,
            progress_bar("rows predicted", None, not quiet) as advance,
            closing(predictions.make_tables(blocks, engine)) as tables,
        ):
            for number, (block, table) in enumerate(tables):
                if number == 0 and not quiet:
                    strange = _compare_names(saved, [name for name in block.extra if name not in table.columns])
                    console.say(*_describe_layout(data, layout), *_compare_versions(saved), *strange)
                write(table)
                if differences is not None:
                    differences.add(block.X)
                advance(len(table))
        if differences is not None:
            console.say(*differences.list_remarks())
    if output is not None and not quiet:
        typer.echo(f"Wrote {output}")


def _make_threshold(threshold: float | None, positive: str | None, saved: Saved, quiet: bool) -> Threshold | None:
    from emphatic.commands.predictions import Threshold

    classes = list(map(str, saved.classes))
    if threshold is None and positive is not None:
        raise ValueError(f"--positive {positive} needs --threshold, such as --threshold 0.3")
    if threshold is None:
        return None
    if positive is None and len(classes) > 2:
        raise ValueError(f"--threshold needs --positive, one of the classes {', '.join(classes)}")
    if positive is None:
        positive = _find_positive(classes, saved.training.get("classes"))
        if not quiet:
            console.say(f"the threshold is that of class {positive}; --positive names the other")
    return Threshold(threshold, positive, saved.classes)


def _find_positive(classes: list[str], counts: Any) -> str:
    """The class that a model card shows: of two the rarer in training, or else the second."""
    from emphatic.inputs import find_rarer

    known = [counts.get(name) for name in classes] if isinstance(counts, dict) else []  # a file may say anything
    numbers = [one for one in known if isinstance(one, int)]
    return classes[find_rarer(numbers) if len(numbers) == 2 else 1]


def _describe_layout(data: Path, layout: Layout) -> list[str]:
    """How the file was read, unless that goes without saying: CSV with commas in UTF-8, or a format with types."""
    from emphatic.tables.files.source import name_source

    plain = layout.format != "csv" or (layout.separator, layout.encoding) == (",", "utf-8")
    return [] if plain and not layout.remarks else [f"{name_source(data)}: {layout.describe()}", *layout.remarks]


def _compare_names(saved: Saved, extra: list[str]) -> list[str]:
    """Remarks about columns that the model does not know and nobody wants to keep; their order does not matter."""
    if not saved.columns:
        return ["the model was trained without column names: columns are used in the order of the table"]
    left_out = saved.training.get("left_out")  # which a file may fill with anything
    seen = [saved.training.get("target"), *(left_out if isinstance(left_out, dict) else ())]
    strange = [name for name in extra if name not in seen]
    return [f"columns that the model does not know are ignored: {', '.join(strange)}"] if strange else []


def _compare_versions(saved: Saved) -> list[str]:
    from emphatic.persistence.file import list_versions

    here = list_versions()
    others = [f"{name} {old}, here {here[name]}" for name, old in saved.versions.items() if here.get(name, old) != old]
    return [f"the model was saved with other versions ({'; '.join(others)}): predictions may differ"] if others else []
