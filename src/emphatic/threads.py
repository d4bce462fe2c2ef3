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


class _LimitOfBlas:
    """A BLAS has one number of threads for the whole process: it gets them back when the last task has ended.

    Tasks in threads of one process begin and end at any time. If each gave back what it found, the first to end would
    give the threads back to all.
    """

    def __init__(self) -> None:
        self.lock, self.n_tasks, self.stack = threading.Lock(), 0, ExitStack()
        self.limited: list[ThreadpoolController] = []

    @contextmanager
    def held(self, controller: ThreadpoolController) -> Iterator[None]:
        """One task more that wants one thread."""
        with self.lock:
            if not any(one is controller for one in self.limited):  # the first task, or a library was loaded since
                self.stack.enter_context(controller.limit(limits=1, user_api="blas"))
                self.limited.append(controller)
            self.n_tasks += 1
        try:
            yield
        finally:
            with self.lock:
                self.n_tasks -= 1
                if self.n_tasks == 0:
                    self.stack.close()
                    self.limited.clear()


_limit_of_blas = _LimitOfBlas()


@contextmanager
def one_thread() -> Iterator[None]:
    """Limit BLAS, OpenMP and numba to one thread, and give the threads back afterwards.

    It may be used by several threads at the same time, and inside itself. Libraries that are loaded inside are not
    seen, so import what a fit needs first.
    """
    controller, numba = _controller(len(sys.modules)), sys.modules.get("numba")
    before = numba.get_num_threads() if numba else 1
    # OpenMP and numba count threads for each thread that uses them, and need no care
    with _limit_of_blas.held(controller), controller.limit(limits=1, user_api="openmp"):
        if numba:
            numba.set_num_threads(1)
        try:
            yield
        finally:
            if numba:
                numba.set_num_threads(before)
