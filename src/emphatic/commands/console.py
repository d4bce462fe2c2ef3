"""What all commands have in common: how they fail, how they stop, what they check first, and where they print.

Exit codes: 0 all done; 1 the work failed (a store or file that cannot be written, fits that failed); 2 wrong use or bad
input, before any work; 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer

if TYPE_CHECKING:
    from rich.console import Console

FAILED, WRONG, STOPPED = 1, 2, 130


def fail(message: str, code: int = WRONG) -> NoReturn:
    """End the command with one line on the error stream."""
    say(f"emphatic: {' '.join(message.split())}")
    raise typer.Exit(code)


def stop(message: str) -> NoReturn:
    """End the command after Ctrl-C."""
    say(f"\nStopped; {message}")
    raise typer.Exit(STOPPED) from None


def say(message: str) -> None:
    """Print a line on the error stream, where it does not disturb a pipe."""
    typer.echo(message, err=True)


def say_remarks(remarks: Iterable[str], quiet: bool = False) -> None:
    """Print one line per remark, unless `quiet`."""
    for remark in () if quiet else remarks:
        say(f"emphatic: {remark}")


@contextmanager
def explain_errors() -> Iterator[None]:
    """Report bad input (a ValueError or TypeError) in one line without a traceback, and stop cleanly on Ctrl-C."""
    try:
        yield
    except (ValueError, TypeError) as error:
        fail(str(error))
    except KeyboardInterrupt:
        stop("no file was left half-written.")


@contextmanager
def shorten_warnings(show: bool = True) -> Iterator[None]:
    """Show warnings as one line each on the error stream, without the place in the code; or not at all."""
    with warnings.catch_warnings():
        warnings.showwarning = lambda message, *_, **__: say(f"emphatic: {' '.join(str(message).split())}")
        warnings.simplefilter("default" if show else "ignore")
        yield


@contextmanager
def name_unwritable() -> Iterator[None]:
    """Report an OSError with the name of the file that cannot be written."""
    try:
        yield
    except OSError as error:
        fail(f"cannot write {error.filename}: {error.strerror}", FAILED)


def check_jobs(jobs: int) -> None:
    """Refuse anything but a positive number or -1."""
    if jobs == 0 or jobs < -1:
        fail(f"--jobs must be at least 1, or -1 for one per core; got {jobs}")


def check_outputs(inputs: Sequence[Path], outputs: Sequence[Path | None]) -> None:
    """Refuse now what could not be written after the work is done, or would overwrite an input."""
    from emphatic.files import check_writable

    taken = [path.resolve() for path in inputs]
    for path in outputs:
        if path is None:
            continue
        if path.resolve() in taken:
            fail(f"cannot write {path}: it is already an input or another output")
        taken.append(path.resolve())
        try:
            check_writable(path)
        except OSError as error:
            fail(f"cannot write {path}: {error.strerror}")


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
