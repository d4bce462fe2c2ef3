"""`emphatic datasets`: the bundled data sets."""

import json
from collections import Counter
from typing import Annotated, Any

import typer

from emphatic.commands import console


def datasets(
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="Describe this data set.", show_default=False)] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """List the data sets that come with the package, or describe one of them."""
    from emphatic.datasets import load, names
    from emphatic.names import unknown

    with console.explain_errors():
        if name and name not in names():
            raise unknown("data set", name, names())
        if not name:
            typer.echo(json.dumps(names(), indent=2) if as_json else "\n".join(names()))
        elif as_json:
            typer.echo(json.dumps(_describe(load(name)), indent=2, ensure_ascii=False))
        else:
            typer.echo(load(name).summary())


def _describe(problem: Any) -> dict[str, Any]:
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
