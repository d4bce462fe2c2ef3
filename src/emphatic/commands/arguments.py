"""The arguments and options that several commands have, each described once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from emphatic.study.limits import Limits

Data = Annotated[
    Path,
    typer.Argument(
        help="Table with a header row: CSV, Parquet, Arrow, Excel or JSON lines; - is standard input.",
        show_default=False,
    ),
]
DataFiles = Annotated[
    Path,
    typer.Argument(
        help="Table with a header row: CSV, Parquet, Arrow, Excel or JSON lines; a folder of such files, or a pattern "
        "such as 'part-*.parquet', is one table; - is standard input.",
        show_default=False,
    ),
]
Target = Annotated[str, typer.Option(help="Column that holds the labels.", show_default=False)]
MaxRows = Annotated[int, typer.Option(min=10, help="Training rows at most, for methods that are slow on many rows.")]
Group = Annotated[
    str, typer.Option(help="Column whose equal values belong together: a group trains or tests, never both.")
]
Seed = Annotated[int, typer.Option(min=0, help="Seed of everything random.")]
Jobs = Annotated[int, typer.Option(help="Number of processes; -1 for one per core.")]
Dask = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Run on this Dask cluster; 'local' starts one here.", show_default=False),
]
StorePath = Annotated[Path, typer.Option(help="File that keeps every finished fit.")]
TimeLimit = Annotated[
    float | None, typer.Option(metavar="SECONDS", help="Give up a fit that takes longer.", show_default=False)
]
MemoryLimit = Annotated[
    int | None, typer.Option(metavar="MB", help="Give up a fit that needs more memory.", show_default=False)
]
Force = Annotated[
    bool,
    typer.Option(
        "--force", help="Find rows that have changed since by their index, if the label is the same; leave out others."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print nothing but errors (and what --json asks for).")]


def make_limits(seconds: float | None, megabytes: float | None) -> Limits | None:
    """Make the limits of a fit; None without any, as a fit then needs no process of its own that can be ended."""
    from emphatic.study.limits import Limits

    return None if seconds is None and megabytes is None else Limits(seconds, megabytes)
