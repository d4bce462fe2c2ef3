"""Filters of warnings, which belong to the process, for tasks that run in threads beside each other.

With `warnings.catch_warnings` alone, tasks that end in another order than they began would leave the filters of one of
them behind.
"""

import threading
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager


class _Kept:
    """How many tasks of this process may change filters, and what brings them back after the last of these."""

    def __init__(self) -> None:
        self.lock, self.n_tasks, self.filters = threading.Lock(), 0, ExitStack()


_kept = _Kept()


@contextmanager
def keep_filters() -> Iterator[None]:
    """Whatever happens inside, filters are as before when the last task that is inside has ended."""
    with _kept.lock:
        if _kept.n_tasks == 0:
            _kept.filters.enter_context(warnings.catch_warnings())
        _kept.n_tasks += 1
    try:
        yield
    finally:
        with _kept.lock:
            _kept.n_tasks -= 1
            if _kept.n_tasks == 0:
                _kept.filters.close()


@contextmanager
def ignore_warnings(category: type[Warning] = Warning) -> Iterator[None]:
    """Ignore warnings of a category; while several tasks run, what one of them ignores is ignored by all.

    >>> import warnings
    >>> with ignore_warnings():
    ...     warnings.warn("a network has not converged")
    """
    with keep_filters():
        warnings.simplefilter("ignore", category)
        yield
