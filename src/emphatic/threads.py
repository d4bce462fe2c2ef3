"""One thread per fit, or several over blocks of its rows.

Parallel fits with parallel linear algebra inside slow each other down, and may differ in the last bit.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from itertools import chain
from typing import NamedTuple, TypeVar

from joblib import effective_n_jobs
from threadpoolctl import ThreadpoolController

from emphatic.shared_context import SharedContext


@lru_cache(maxsize=1)
def _controller(n_modules: int) -> ThreadpoolController:
    """The controller of the libraries loaded so far: finding them takes milliseconds, limiting them microseconds.

    `n_modules` is the number of imported modules: after another import there may be another library, so look again.
    """
    return ThreadpoolController()


@contextmanager
def one_thread() -> Iterator[None]:
    """Limit BLAS, OpenMP and numba to one thread, and give the threads back afterwards.

    Libraries that are loaded inside are not seen, so import what a fit needs first.
    """
    numba = sys.modules.get("numba")
    before = numba.get_num_threads() if numba else 1
    with _controller(len(sys.modules)).limit(limits=1):
        if numba:
            numba.set_num_threads(1)
        try:
            yield
        finally:
            if numba:
                numba.set_num_threads(before)


_one_thread_each = SharedContext(lambda: _controller(len(sys.modules)).limit(limits=1))


@contextmanager
def one_thread_each() -> Iterator[None]:
    """`one_thread` around tasks that run in threads of one process, as those of a Dask worker may.

    These begin and end at any time. With `one_thread` alone, the first to end would give the threads back to all.
    """
    with _one_thread_each:
        yield


Item = TypeVar("Item")
Result = TypeVar("Result")

LARGEST_GROUP = 8
"""Items that a thread takes at once: it costs tens of microseconds to wake one, and results wait for their turn."""


class Pool(NamedTuple):
    """Threads, and how many."""

    executor: ThreadPoolExecutor
    n_threads: int


_pool: ContextVar[Pool | None] = ContextVar("pool", default=None)


@contextmanager
def several_threads(n_jobs: int | None) -> Iterator[None]:
    """Let `map_in_threads` use this many threads (joblib's `n_jobs`) inside; linear algebra has one in each."""
    n_threads = effective_n_jobs(n_jobs)
    if n_threads == 1:
        yield
        return
    with one_thread(), ThreadPoolExecutor(n_threads) as executor:
        token = _pool.set(Pool(executor, n_threads))
        try:
            yield
        finally:
            _pool.reset(token)


def map_in_threads(function: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
    """`function` of every item, in their order, which it must not depend on: by the threads of `several_threads`.

    >>> with several_threads(2):
    ...     list(map_in_threads(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    pool = _pool.get()
    if pool is None or len(items) == 1:
        return map(function, items)
    size = min(LARGEST_GROUP, -(-len(items) // pool.n_threads))
    groups = [items[start : start + size] for start in range(0, len(items), size)]
    return chain.from_iterable(pool.executor.map(lambda group: [function(item) for item in group], groups))
