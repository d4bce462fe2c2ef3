"""Engines on this machine: how many batches of tasks run at once, and where.

An engine is a function `(function, items) -> generator of results`, in any order. It asks for an item when it can use
one soon, so that it never holds more than a few, and it may stop asking. `on_dask` makes another one.
"""

from collections.abc import Callable, Generator, Iterable
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from joblib import Parallel, delayed, effective_n_jobs, parallel_config

from emphatic.workers import tie

Engine = Callable[[Callable[[Any], Any], Iterable[Any]], Generator[Any, None, None]]


class EngineError(RuntimeError):
    """A study cannot be run, or cannot go on; what is finished is kept. The message is for the user."""


def in_turn(function: Callable[[Any], Any], items: Iterable[Any]) -> Generator[Any, None, None]:
    """Run in this process, one after another."""
    for item in items:
        yield function(item)


def in_processes(n_jobs: int) -> Engine:
    """An engine of `n_jobs` processes on this machine (-1: one per core), each with one thread.

    They end with this process, also when it is killed.
    """
    if effective_n_jobs(n_jobs) == 1:
        return in_turn

    def run(function: Callable[[Any], Any], items: Iterable[Any]) -> Generator[Any, None, None]:
        # batch_size=1: a result is handed over, and kept, as soon as it exists.
        with parallel_config(backend="loky", inner_max_num_threads=1):
            parallel = Parallel(n_jobs=n_jobs, return_as="generator_unordered", batch_size=1)
            results = parallel(delayed(tie(function))(item) for item in items)
        try:
            yield from results
        except BrokenProcessPool as error:
            raise EngineError(
                "a process that was fitting has died, perhaps for lack of memory. What is finished is kept: run again, "
                "with fewer processes or with limits for a fit"
            ) from error
        finally:
            results.close()

    return run
