"""The `emphatic` command: gathers the subcommands of `emphatic.commands`.

Nothing heavy is imported before a command needs it.
"""

from __future__ import annotations

import signal
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import typer


def main() -> None:
    """Run the command line; if the packages it needs are missing, say how to get them."""
    try:
        app = build_app()
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in {"typer", "rich", "click"}:
            raise
        remedy = 'pip install "emphatic[study]"'
        print(f"emphatic: the command line needs the package {error.name}: {remedy}", file=sys.stderr)
        raise SystemExit(2) from None
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # who is asked to end ends as after Ctrl-C
    app()


def build_app() -> typer.Typer:
    """Build the command with all its subcommands."""
    import rich  # noqa: F401  (imported here so that its absence is noticed before any work is done)
    import typer

    from emphatic.commands.audit import audit
    from emphatic.commands.compare import compare
    from emphatic.commands.datasets import datasets
    from emphatic.commands.export import export
    from emphatic.commands.fit import fit
    from emphatic.commands.predict import predict
    from emphatic.commands.reproduce import reproduce
    from emphatic.version import __version__

    app = typer.Typer(name="emphatic", no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
    show_version = typer.Option(False, "--version", help="Show the version and exit.", is_eager=True)

    @app.callback(invoke_without_command=True)
    def root(version: bool = show_version) -> None:
        """Classifier ensembles with exchangeable emphasis: tools for your own tables, and studies.

        Exit codes: 0 done, 1 the work failed, 2 wrong use or bad input, 130 stopped by Ctrl-C or SIGTERM.
        """
        if version:
            typer.echo(f"emphatic {__version__}")
            raise typer.Exit

    for command in (fit, predict, export, audit, compare, reproduce, datasets):
        app.command()(command)
    return app


if __name__ == "__main__":
    main()
