"""What all commands have in common: how they fail, how they stop, what they check first, and where they print.

Exit codes: 0 all done; 1 the work failed (a store or file that cannot be written, fits that failed); 2 wrong use or bad
input, before any work; 130 stopped by Ctrl-C or SIGTERM.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import typer
import typer.core

from emphatic.wording import as_one_line, count

if TYPE_CHECKING:
    from rich.console import Console

    from emphatic.engines import DaskEngine, Engine
    from emphatic.study.store import Store

FAILED, WRONG, STOPPED = 1, 2, 130


def refuse(message: str) -> NoReturn:
    """End the command because of wrong use or bad input, with one line."""
    say(message)
    raise typer.Exit(WRONG)


def fail(message: str) -> NoReturn:
    """End the command because the work failed, with one line."""
    say(message)
    raise typer.Exit(FAILED)


def stop(message: str) -> NoReturn:
    """End the command after Ctrl-C, or SIGTERM, which the command treats alike."""
    typer.echo(f"\nStopped; {message}", err=True)
    raise typer.Exit(STOPPED) from None


def say(*messages: str) -> None:
    """Print one line per message on the error stream, where it does not disturb a pipe."""
    for message in messages:
        typer.echo(f"emphatic: {as_one_line(message)}", err=True)


@contextmanager
def explain_errors() -> Iterator[None]:
    """Report bad input (a ValueError or TypeError) and packages to install in one line without a traceback."""
    try:
        yield
    except (ValueError, TypeError) as error:
        refuse(str(error))
    except ImportError as error:
        if error.name is not None:  # an import that failed by mistake; ours say what to install, and name no module
            raise
        refuse(str(error))


class StoppableGroup(typer.core.TyperGroup):
    """The commands, each of which ends with one line after Ctrl-C, wherever it is."""

    def make_context(self, *arguments: Any, **options: Any) -> Any:
        with _stop_cleanly():
            return super().make_context(*arguments, **options)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """A command may have two words, as `audit apply`, beside one that takes a file as its second word."""
        name = " ".join(args[:2])
        return (name, self.commands[name], args[2:]) if name in self.commands else super().resolve_command(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        with _stop_cleanly():
            return super().invoke(ctx)


@contextmanager
def _stop_cleanly() -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        stop("no file was left half-written.")


@contextmanager
def shorten_warnings(show: bool = True) -> Iterator[None]:
    """Show warnings as one line each on the error stream, without the place in the code; or not at all."""
    with warnings.catch_warnings():
        warnings.showwarning = lambda message, *_, **__: say(str(message))
        warnings.simplefilter("default" if show else "ignore")
        yield


@contextmanager
def name_unwritable() -> Iterator[None]:
    """Report an OSError with the name of the file that cannot be written."""
    try:
        yield
    except BrokenPipeError:  # whoever read our output wants no more of it: nothing failed
        raise
    except OSError as error:
        fail(f"cannot write {error.filename or 'to standard output'}: {error.strerror}")


@contextmanager
def open_store(path: Path) -> Iterator[Store]:
    """Open the store of a study; a failing store or engine, and Ctrl-C, end the command with one line."""
    from emphatic.engines import EngineError
    from emphatic.study.store import Store, StoreError

    try:
        with Store(path) as store:
            try:
                yield store
            except KeyboardInterrupt:
                stop(f"{count(len(store), 'fit')} saved in {path}; run the same command again to continue.")
    except (StoreError, EngineError) as error:
        fail(str(error))


@contextmanager
def open_engine(dask: str | None, jobs: int, quiet: bool = True) -> Iterator[Engine]:
    """The engine of a command: a Dask cluster, which is named unless `quiet`, or so many processes."""
    from emphatic.engines import in_processes

    if dask is None:
        yield in_processes(jobs)
        return
    with open_cluster(dask, quiet) as engine:
        yield engine


@contextmanager
def open_cluster(address: str, quiet: bool) -> Iterator[DaskEngine]:
    """The Dask cluster at this address, or a new one here ("local"); says where its dashboard is.

    A cluster that cannot be reached, or is lost, ends the command with one line.
    """
    from emphatic.engines import EngineError, on_dask

    try:
        with on_dask(None if address in {"", "local"} else address) as engine:
            if not quiet:
                n_workers = len(engine.client.scheduler_info()["workers"])
                say(f"Dask cluster with {count(n_workers, 'worker')}, dashboard: {engine.client.dashboard_link}")
            yield engine
    except EngineError as error:
        fail(str(error))


def check_jobs(jobs: int) -> None:
    """Refuse anything but a positive number or -1."""
    if jobs == 0 or jobs < -1:
        refuse(f"--jobs must be at least 1, or -1 for one per core; got {jobs}")


def check_outputs(inputs: Sequence[Path], outputs: Sequence[Path | None]) -> None:
    """Refuse now what could not be written after the work is done, or would overwrite an input."""
    from emphatic.files import check_writable

    taken = [path.resolve() for path in inputs]
    for path in outputs:
        if path is None:
            continue
        if path.resolve() in taken:
            refuse(f"cannot write {path}: it is already an input or another output")
        taken.append(path.resolve())
        try:
            check_writable(path)
        except OSError as error:
            refuse(f"cannot write {path}: {error.strerror}")


def split_list(text: str) -> tuple[str, ...]:
    """Split an option that is a list: `a, b` is a and b.

    >>> split_list("a, b,"), split_list("")
    (('a', 'b'), ())
    """
    return tuple(part.strip() for part in text.split(",") if part.strip())


def make_console() -> Console:
    """Make the console of the output stream.

    In a pipe rich assumes 80 columns and would break every row; there, rows may have any length.
    """
    from rich.console import Console

    return Console() if sys.stdout.isatty() else Console(width=200)
