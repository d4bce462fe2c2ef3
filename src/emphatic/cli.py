"""The `emphatic` command: gathers the subcommands of `emphatic.commands`.

Nothing heavy is imported before a command needs it.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import TYPE_CHECKING, Any, NoReturn

from emphatic.progress import signs_of_life

if TYPE_CHECKING:
    import typer

SIGNALS = (signal.SIGINT, signal.SIGTERM)
"""Ctrl-C, and what `kill`, systemd and batch systems send."""

SOON, PATIENCE = 0.02, 5.0
"""Seconds until the command is asked again to end: if Python has ignored it, and if some package has."""


class Stopped(KeyboardInterrupt):
    """The command was asked to end.

    Not a KeyboardInterrupt itself: Python remembers one that passed through an extension module, and would end by
    SIGINT although it was caught.
    """


def main() -> None:
    """Run the command line. SIGTERM ends it as Ctrl-C does: cleanly, with a message and exit code 130."""
    for each in SIGNALS:
        signal.signal(each, _stop)
    sys.unraisablehook = _notice_ignored
    try:
        with signs_of_life(show="--quiet" not in sys.argv):
            build_app_or_explain()()
    except KeyboardInterrupt:  # while the command line itself was loaded
        print("\nStopped; nothing was started.", file=sys.stderr)
        raise SystemExit(130) from None
    finally:
        for each in SIGNALS:  # what is left is to end, with the exit code of the work
            signal.signal(each, signal.SIG_IGN)


def _stop(*_: Any) -> NoReturn:
    _ask_again(PATIENCE)
    raise Stopped


def _ask_again(seconds: float) -> None:
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGTERM))
    timer.daemon = True  # who has ended by then need not wait for it
    timer.start()


def _notice_ignored(ignored: Any) -> None:
    """Stop a moment later if the exception was raised where Python ignores all of them, as when an object dies."""
    if issubclass(ignored.exc_type, Stopped):
        _ask_again(SOON)
    else:
        sys.__unraisablehook__(ignored)


def build_app_or_explain() -> typer.Typer:
    """Build the command; if the packages it needs are missing, say how to get them."""
    try:
        return build_app()
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in {"typer", "rich", "click"}:
            raise
        remedy = 'pip install "emphatic[cli]"'
        print(f"emphatic: the command line needs the package {error.name}: {remedy}", file=sys.stderr)
        raise SystemExit(2) from None


def build_app() -> typer.Typer:
    """Build the command with all its subcommands."""
    import rich  # noqa: F401  (imported here so that its absence is noticed before any work is done)
    import typer

    from emphatic.commands import console
    from emphatic.commands.apply import apply
    from emphatic.commands.audit import audit
    from emphatic.commands.compare import compare
    from emphatic.commands.datasets import datasets
    from emphatic.commands.export import export
    from emphatic.commands.fit import fit
    from emphatic.commands.inspect import inspect
    from emphatic.commands.predict import predict
    from emphatic.commands.reproduce import reproduce
    from emphatic.version import __version__

    app = typer.Typer(
        name="emphatic",
        cls=console.StoppableGroup,
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    show_version = typer.Option(False, "--version", help="Show the version and exit.", is_eager=True)

    @app.callback(invoke_without_command=True)
    def root(version: bool = show_version) -> None:
        """Classifier ensembles with exchangeable emphasis: tools for your own tables, and studies.

        Exit codes: 0 done, 1 the work failed, 2 wrong use or bad input, 130 stopped by Ctrl-C or SIGTERM.
        """
        if version:
            typer.echo(f"emphatic {__version__}")
            raise typer.Exit

    for command in (inspect, fit, predict, export, audit, apply, compare, reproduce, datasets):
        app.command("audit apply" if command is apply else None)(command)
    return app


if __name__ == "__main__":
    main()
