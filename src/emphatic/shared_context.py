"""A context of the whole process that tasks in several threads enter and leave at any time."""

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack


class SharedContext:
    """The first of the tasks that are inside enters the context, and the last of them leaves it.

    With a context for each task, the first to end would leave too early for the others, or tasks that end in another
    order than they began would leave something behind.

    >>> from contextlib import contextmanager
    >>> @contextmanager
    ... def announce():
    ...     print("first")
    ...     yield
    ...     print("last")
    >>> context = SharedContext(announce)
    >>> with context, context:
    ...     print("both")
    first
    both
    last
    """

    def __init__(self, make: Callable[[], AbstractContextManager[object]]) -> None:
        self._make, self._lock, self._n_tasks, self._entered = make, threading.Lock(), 0, ExitStack()

    def __enter__(self) -> None:
        with self._lock:
            if self._n_tasks == 0:
                self._entered.enter_context(self._make())
            self._n_tasks += 1

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._n_tasks -= 1
            if self._n_tasks == 0:
                self._entered.close()
