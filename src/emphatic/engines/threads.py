"""The engine for several threads of this process."""

from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

from emphatic.engines.contract import Engine, in_turn
from emphatic.threads import one_thread


def in_threads(n_threads: int) -> Engine:
    """An engine of so many threads of this process, which share its memory: nothing is copied, nothing is started.

    It is for functions that spend their time in compiled code that lets other threads run. An item is asked for when a
    thread is free and the results so far have been taken, so that they may decide what it is. Closing the generator
    waits for what is running.

    >>> sorted(in_threads(2)(len, ["a", "bcd"]))
    [1, 3]
    """
    return in_turn if n_threads == 1 else ThreadEngine(n_threads)


@dataclass(frozen=True)
class ThreadEngine:
    """See `in_threads`."""

    n_threads: int

    def count_threads(self) -> int:
        """That run side by side."""
        return self.n_threads

    def __call__(self, function: Callable[[Any], Any], items: Iterable[Any]) -> Generator[Any, None, None]:
        asked = iter(items)
        running: set[Future[Any]] = set()
        done: set[Future[Any]] = set()
        # linear algebra on one thread each: a BLAS has one number of them for the process, which is set from here
        with one_thread(), ThreadPoolExecutor(self.n_threads) as pool:
            while True:
                while len(running) + len(done) < self.n_threads and (item := next(asked, None)) is not None:
                    running.add(pool.submit(function, item))
                if not done:
                    if not running:
                        return
                    done, running = wait(running, return_when=FIRST_COMPLETED)
                yield done.pop().result()
