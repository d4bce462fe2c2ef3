"""Warnings that are no news, left out in one thread or in several."""

import threading
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager


class _Hush:
    """How many tasks of this process want to hear no warnings, and what brings the filters back after the last."""

    def __init__(self) -> None:
        self.lock, self.n_tasks, self.filters = threading.Lock(), 0, ExitStack()


_hush = _Hush()


@contextmanager
def ignore_warnings(category: type[Warning] = Warning) -> Iterator[None]:
    """Ignore warnings of a category; tasks that do so may run in threads beside each other.

    Filters belong to the process. With `warnings.catch_warnings` alone, tasks that end in another order than they began
    would leave the filters of one of them behind. Here they are as before when the last one has ended; until then, what
    one ignores is ignored by all.

    >>> import warnings
    >>> with ignore_warnings():
    ...     warnings.warn("a network has not converged")
    """
    with _hush.lock:
        if _hush.n_tasks == 0:
            _hush.filters.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore", category)
        _hush.n_tasks += 1
    try:
        yield
    finally:
        with _hush.lock:
            _hush.n_tasks -= 1
            if _hush.n_tasks == 0:
                _hush.filters.close()
