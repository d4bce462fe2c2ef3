"""What all commands do alike: how they fail, how they stop, what they check first, and where they print.

Exit codes: 0 all done; 1 the work failed (a store or file that cannot be written, fits that failed); 2 wrong use or bad
input, before any work; 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator, Sequence
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
    """A line on the error stream, where it is in the way of no pipe."""
    typer.echo(message, err=True)


@contextmanager
def stopping(message: str = "no file is half-written.") -> Iterator[None]:
    """Ctrl-C inside ends the command with `message`."""
    try:
        yield
    except KeyboardInterrupt:
        stop(message)


@contextmanager
def bad_input() -> Iterator[None]:
    """A ValueError or TypeError inside is the user's business: its message in one line, and no traceback."""
    try:
        yield
    except (ValueError, TypeError) as error:
        fail(str(error))


@contextmanager
def plain_warnings(show: bool = True) -> Iterator[None]:
    """Warnings inside are one line each on the error stream, without the place in the code; or nothing."""
    with warnings.catch_warnings():
        warnings.showwarning = lambda message, *_, **__: say(f"emphatic: {' '.join(str(message).split())}")
        warnings.simplefilter("default" if show else "ignore")
        yield


@contextmanager
def writing() -> Iterator[None]:
    """An OSError inside names the file that cannot be written."""
    try:
        yield
    except OSError as error:
        fail(f"cannot write {error.filename}: {error.strerror}", FAILED)


def check_jobs(jobs: int) -> None:
    """At least one, or -1."""
    if jobs == 0 or jobs < -1:
        fail(f"--jobs must be at least 1, or -1 for one a core; got {jobs}")


def check_outputs(inputs: Sequence[Path], outputs: Sequence[Path | None]) -> None:
    """Refuse now what could not be written after a minute's work, or would be written over."""
    from emphatic.files import check_writable

    taken = [path.resolve() for path in inputs]
    for path in outputs:
        if path is None:
            continue
        if path.resolve() in taken:
            fail(f"cannot write {path}: it is already the table or another output")
        taken.append(path.resolve())
        try:
            check_writable(path)
        except OSError as error:
            fail(f"cannot write {path}: {error.strerror}")


def listed(text: str) -> tuple[str, ...]:
    """The parts of an option that is a list: `a, b` is a and b.

    >>> listed("a, b,"), listed("")
    (('a', 'b'), ())
    """
    return tuple(part.strip() for part in text.split(",") if part.strip())


def out() -> Console:
    """The console of the output stream.

    In a pipe rich assumes 80 columns and would break every row; there, rows may be as long as they are.
    """
    from rich.console import Console

    return Console() if sys.stdout.isatty() else Console(width=200)
