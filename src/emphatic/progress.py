"""A progress bar with the remaining time, on the error stream, and only if that is a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress_bar(label: str, total: int, show: bool) -> Iterator[Callable[..., None]]:
    """Yield a function to call after every finished step, or with the number of steps that have finished.

    >>> with progress_bar("fits", 2, show=False) as advance:
    ...     advance()
    ...     advance(1)
    """
    if not show or total == 0 or not sys.stderr.isatty():
        yield lambda finished=1: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as progress:
        bar = progress.add_task(label, total=total)
        yield lambda finished=1: progress.advance(bar, finished)
