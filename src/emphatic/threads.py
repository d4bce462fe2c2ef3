"""One thread per fit.

Parallel fits with parallel linear algebra inside slow each other down, and may differ in the last bit.
"""

import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import lru_cache

from threadpoolctl import ThreadpoolController


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


class _Together:
    """How many tasks of this process want one thread each, and what gives the threads back after the last of them."""

    def __init__(self) -> None:
        self.lock, self.n_tasks, self.limit = threading.Lock(), 0, ExitStack()


_together = _Together()


@contextmanager
def one_thread_each() -> Iterator[None]:
    """`one_thread` around tasks that run in threads of one process, as those of a Dask worker may.

    These begin and end at any time. With `one_thread` alone, the first to end would give the threads back to all.
    """
    with _together.lock:
        if _together.n_tasks == 0:
            _together.limit.enter_context(_controller(len(sys.modules)).limit(limits=1))
        _together.n_tasks += 1
    try:
        yield
    finally:
        with _together.lock:
            _together.n_tasks -= 1
            if _together.n_tasks == 0:
                _together.limit.close()
