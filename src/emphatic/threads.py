"""One thread a fit.

Parallel fits with parallel linear algebra inside slow each other down, and may differ in the last bit.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from threadpoolctl import ThreadpoolController


@lru_cache(maxsize=1)
def _controller() -> ThreadpoolController:
    # Finding the loaded libraries takes milliseconds, limiting them microseconds: look once a process.
    return ThreadpoolController()


@contextmanager
def one_thread() -> Iterator[None]:
    """Limit BLAS, OpenMP and numba to one thread, and give the threads back afterwards.

    Libraries that are loaded later are not seen, so import what a fit needs first.
    """
    numba = sys.modules.get("numba")
    before = numba.get_num_threads() if numba else 1
    with _controller().limit(limits=1):
        if numba:
            numba.set_num_threads(1)
        try:
            yield
        finally:
            if numba:
                numba.set_num_threads(before)
