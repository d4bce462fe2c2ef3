"""How far long work is, on the error stream: a bar in a terminal, a line every few seconds anywhere else."""

import math
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from emphatic.wording import as_one_line

FIRST_LINE, NEXT_LINE, LAST_GAP = 1.0, 5.0, 60.0
"""Seconds until the first line of work, until the next, and at most between two lines of work that takes hours."""


@contextmanager
def progress_bar(label: str, total: int | None, show: bool) -> Iterator[Callable[..., None]]:
    """Yield a function to call after every finished step, or with the number of steps that have finished.

    `total` is the number of steps, None if nobody knows. Work that ends within a second leaves no line behind in a
    file or pipe.

    >>> with progress_bar("fits", 2, show=False) as advance:
    ...     advance()
    ...     advance(1)
    """
    if not show or total == 0 or sys.stderr is None:  # None: closed by whoever started this process
        yield lambda finished=1: None
        return
    with _silence.broken():
        if sys.stderr.isatty():
            with _draw_bar(label, total) as advance:
                yield advance
        else:
            with _Lines(label, total) as lines:
                yield lines.advance


@contextmanager
def signs_of_life(show: bool) -> Iterator[None]:
    """Say every few seconds that the program is at work while it shows no bar, in a terminal too.

    Importing packages, or understanding a large table, takes seconds in which it would say nothing.
    """
    if not show or sys.stderr is None:
        yield
        return
    with _Lines("at work", None, waits=_silence.seconds):
        yield


class _Silence:
    """How long no bar has been shown."""

    def __init__(self) -> None:
        self._n_bars = 0
        self._since = time.monotonic()

    def seconds(self) -> float:
        return 0.0 if self._n_bars else time.monotonic() - self._since

    @contextmanager
    def broken(self) -> Iterator[None]:
        self._n_bars += 1
        try:
            yield
        finally:
            self._n_bars -= 1
            self._since = time.monotonic()


_silence = _Silence()


@contextmanager
def follow_progress(label: str, show: bool) -> Iterator[Callable[[int, int], None]]:
    """Yield a function of the finished steps and of all steps, for work that knows its total when it has begun.

    >>> with follow_progress("folds", show=False) as advance:
    ...     advance(1, 5)
    """
    with ExitStack() as opened:
        bars: list[Callable[..., None]] = []

        def advance(finished: int, total: int) -> None:
            if not bars:
                bars.append(opened.enter_context(progress_bar(label, total, show)))
            bars[0]()

        yield advance


@contextmanager
def _draw_bar(label: str, total: int | None) -> Iterator[Callable[..., None]]:
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    name = TextColumn("{task.description}")
    known = (name, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn())
    columns = (SpinnerColumn(), name, TimeElapsedColumn()) if total is None else known
    # Without an end to reach, there is nothing to look back at.
    with Progress(*columns, console=Console(stderr=True), transient=total is None) as progress:
        bar = progress.add_task(escape(as_one_line(label)), total=total)
        yield lambda finished=1: progress.advance(bar, finished)


class _Lines:
    """Lines that say how far the work is, from a thread of their own: a single step may take minutes.

    `waits` says for how many seconds there was nothing else to see.
    """

    def __init__(self, label: str, total: int | None, waits: Callable[[], float] = lambda: math.inf) -> None:
        self.label, self.total, self.waits = label, total, waits
        self.finished = 0
        self.started = time.monotonic()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> "_Lines":
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._ended.set()
        self._thread.join()

    def advance(self, finished: int = 1) -> None:
        self.finished += finished

    def _run(self) -> None:
        gap = rest = FIRST_LINE
        while not self._ended.wait(rest):
            rest = max(gap - self.waits(), 0.0)
            if rest:
                continue
            seconds = time.monotonic() - self.started
            try:
                print(describe_progress(self.label, self.finished, self.total, seconds), file=sys.stderr, flush=True)
            except (OSError, ValueError):  # nobody reads any more
                return
            gap = rest = min(max(NEXT_LINE, seconds / 10), LAST_GAP)


def describe_progress(label: str, finished: int, total: int | None, seconds: float) -> str:
    """One line: what is done, for how long, and how long it will take.

    >>> describe_progress("candidates", 3, 13, 12.0)
    'emphatic: candidates: 3 of 13, 12 s, about 40 s left'
    >>> describe_progress("reading data.csv", 0, None, 3.2)
    'emphatic: reading data.csv, 3 s'
    """
    label, took = as_one_line(label), format_seconds(seconds)
    if total is None:
        return f"emphatic: {label}: {finished}, {took}" if finished else f"emphatic: {label}, {took}"
    left = f", about {format_seconds(seconds * (total - finished) / finished)} left" if finished else ""
    return f"emphatic: {label}: {finished} of {total}, {took}{left}"


def format_seconds(seconds: float) -> str:
    """Seconds up to two minutes, then minutes, then hours.

    >>> format_seconds(119.6), format_seconds(150), format_seconds(4000)
    ('2 min', '2 min', '1 h 6 min')
    """
    if round(seconds) < 120:
        return f"{seconds:.0f} s"
    minutes = round(seconds) // 60
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
