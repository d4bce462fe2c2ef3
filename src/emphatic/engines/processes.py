"""The engine for several processes on this machine."""

from collections.abc import Callable, Generator, Iterable
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any

from joblib import Parallel, delayed, effective_n_jobs, parallel_config

from emphatic.cluster import EngineError
from emphatic.engines.contract import Engine, in_turn
from emphatic.workers import tie


def in_processes(n_jobs: int) -> Engine:
    """An engine of `n_jobs` processes on this machine (-1: one per core), each with one thread.

    They end with this process, also when it is killed.

    >>> list(in_processes(1)(len, ["a", "bcd"]))
    [1, 3]
    """
    return in_turn if effective_n_jobs(n_jobs) == 1 else ProcessEngine(n_jobs)


@dataclass(frozen=True)
class ProcessEngine:
    """See `in_processes`."""

    n_jobs: int

    def count_threads(self) -> int:
        """Of all processes."""
        return int(effective_n_jobs(self.n_jobs))

    def __call__(self, function: Callable[[Any], Any], items: Iterable[Any]) -> Generator[Any, None, None]:
        # batch_size=1: a result is handed over, and kept, as soon as it exists.
        with parallel_config(backend="loky", inner_max_num_threads=1):
            parallel = Parallel(n_jobs=self.n_jobs, return_as="generator_unordered", batch_size=1)
            results = parallel(delayed(tie(function))(item) for item in items)
        try:
            yield from results
        except BrokenProcessPool as error:
            raise EngineError(
                "a process that was fitting has died, perhaps for lack of memory. What a study has finished is kept: "
                "run again, with fewer processes or with limits for a fit"
            ) from error
        finally:
            results.close()
