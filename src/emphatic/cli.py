"""The `emphatic` command.

Each command is a function in the part of the package it belongs to; this file only gathers them. Nothing heavy is
imported before a command needs it.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

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

    from emphatic.audit.command import audit
    from emphatic.study.command import reproduce

    app = typer.Typer(name="emphatic", no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
    show_version = typer.Option(False, "--version", help="Show the version and stop.", is_eager=True)
    any_name = typer.Argument("", metavar="[NAME]", help="Tell all about this one.")

    @app.callback(invoke_without_command=True)
    def root(version: bool = show_version) -> None:
        """Boosted ensembles in which the emphasis is exchangeable: studies and tools."""
        if version:
            print_version()
            raise typer.Exit

    app.command()(reproduce)
    app.command()(audit)

    @app.command()
    def datasets(name: str = any_name) -> None:
        """List the problems that come with the package."""
        raise typer.Exit(print_datasets(name))

    return app


def print_version() -> None:
    """Print the version of the package."""
    import emphatic

    print(f"emphatic {getattr(emphatic, '__version__', 'unknown')}")


def print_datasets(name: str = "") -> int:
    """Print the names of all problems, or all about one of them; the exit code."""
    from emphatic.datasets import load, names

    if not name:
        print("\n".join(names()))
        return 0
    if name not in names():
        from emphatic.names import unknown

        print(f"emphatic: {unknown('data set', name, names())}", file=sys.stderr)
        return 2
    print(load(name).summary())
    return 0


if __name__ == "__main__":
    main()
