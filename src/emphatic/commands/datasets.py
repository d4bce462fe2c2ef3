"""`emphatic datasets`: the bundled data sets."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from emphatic.commands import console

if TYPE_CHECKING:
    from emphatic.datasets import Problem

COLUMNS = ("name", "rows", "columns", "classes", "licence")


def datasets(
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="Describe this data set.", show_default=False)] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """List the data sets that come with the package, or describe one of them."""
    with console.explain_errors():
        from emphatic.datasets.catalogue import names
        from emphatic.names import unknown

        if name and name not in names():
            raise unknown("data set", name, names())
        if not name:
            _list(as_json)
            return
        from emphatic.datasets import load

        problem = load(name)
        typer.echo(json.dumps(_describe(problem), indent=2, ensure_ascii=False) if as_json else problem.summary())


def _list(as_json: bool) -> None:
    """All data sets, from the catalogue: no data are loaded."""
    from emphatic.datasets.catalogue import catalogue

    sets = sorted(catalogue()["sets"].items())
    entries = [
        {
            "name": name,
            "rows": entry["rows"],
            "columns": entry["inputs"],
            "classes": entry["n_classes"] if entry["classes"] is None else len(entry["classes"]),
            "licence": entry["licence"] if as_json else _licence_in_short(entry),
        }
        for name, entry in sets
    ]
    if as_json:
        typer.echo(json.dumps(entries, indent=2, ensure_ascii=False))
        return
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD)
    for column in COLUMNS:
        right = column in {"rows", "columns", "classes"}
        table.add_column(column, justify="right" if right else "left", no_wrap=column != "licence")
    for entry in entries:
        table.add_row(*(Text(str(entry[column])) for column in COLUMNS))
    console.make_console().print(table)


def _licence_in_short(entry: dict[str, Any]) -> str:
    return entry["licence_in_short"] + ("; with extra papers" if "package" in entry else "")


def _describe(problem: Problem) -> dict[str, Any]:
    """All of a problem except its data."""
    return {
        "name": problem.name,
        "rows": len(problem.y),
        "features": dict(zip(problem.feature_names, problem.feature_types, strict=True)),
        "classes": {str(label): count for label, count in sorted(Counter(problem.y.tolist()).items())},
        "stand_in": problem.stand_in,
        "note": problem.note,
        "licence": problem.licence,
        "citation": problem.citation,
    }
