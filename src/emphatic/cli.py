"""The `emphatic` command.

Each command is a function in the part of the package it belongs to; this file only gathers them. Nothing heavy is
imported before a command needs it.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import typer


def main() -> None:
    """Run the command line; without the extra packages, say how to get them."""
    try:
        app = build_app()
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in {"typer", "rich", "click"}:
            raise
        print(
            f'emphatic: the command line needs the package {error.name}: pip install "emphatic[study]"', file=sys.stderr
        )
        raise SystemExit(2) from None
    app()


def build_app() -> typer.Typer:
    """The command with all its subcommands."""
    import rich  # noqa: F401  (asked for here, so that its absence is noticed before any work is done)
    import typer

    from emphatic.commands.audit import audit
    from emphatic.commands.compare import compare
    from emphatic.commands.fit import fit, predict
    from emphatic.commands.reproduce import reproduce

    app = typer.Typer(name="emphatic", no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
    show_version = typer.Option(False, "--version", help="Show the version and stop.", is_eager=True)
    any_name = typer.Argument("", metavar="[NAME]", help="Tell all about this one.")
    json_too = typer.Option(False, "--json", help="Print JSON.")

    @app.callback(invoke_without_command=True)
    def root(version: bool = show_version) -> None:
        """Boosted ensembles in which the emphasis is exchangeable: studies and tools.

        Exit codes: 0 done, 1 the work failed, 2 wrong use or bad input, 130 stopped by Ctrl-C.
        """
        if version:
            print_version()
            raise typer.Exit

    for command in (reproduce, compare, audit, fit, predict):
        app.command()(command)

    @app.command()
    def datasets(name: str = any_name, as_json: bool = json_too) -> None:
        """List the problems that come with the package."""
        raise typer.Exit(print_datasets(name, as_json))

    return app


def print_version() -> None:
    """Print the version of the package."""
    import emphatic

    print(f"emphatic {emphatic.__version__}")


def print_datasets(name: str = "", as_json: bool = False) -> int:
    """Print the names of all problems, or all about one of them; the exit code."""
    from emphatic.datasets import load, names

    if name and name not in names():
        from emphatic.names import unknown

        print(f"emphatic: {unknown('data set', name, names())}", file=sys.stderr)
        return 2
    if not name:
        print(json.dumps(names(), indent=2) if as_json else "\n".join(names()))
    elif as_json:
        print(json.dumps(_about(load(name)), indent=2, ensure_ascii=False))
    else:
        print(load(name).summary())
    return 0


def _about(problem: Any) -> dict[str, Any]:
    """A problem without its data."""
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


if __name__ == "__main__":
    main()
