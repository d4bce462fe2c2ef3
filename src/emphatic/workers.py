"""Worker processes that end with the process they work for, however that ends.

joblib's workers go on after their parent was killed: they finish what they are at, and then wait for minutes.
"""

import os
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

WATCH_SECONDS = 0.5
"""Between two looks at the parent."""

_watched: set[int] = set()
"""The parent that this process watches, if it is a worker."""


def tie(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function` for `joblib.delayed`: a worker that calls it ends, from then on, soon after this process.

    >>> tie(len)("abc")
    3
    """
    # Not a class: scikit-learn's `delayed` takes over the attributes of what it wraps.
    return partial(_call, os.getpid(), function)


def _call(parent: int, function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    # Threads have no parent of their own, and a worker on another machine has another parent: both are left alone.
    if os.getpid() != parent == os.getppid() and parent not in _watched:
        _watched.add(parent)
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    return function(*arguments, **options)


def _end_with(parent: int) -> None:
    """End this process when it is no longer the child of `parent`: on POSIX, an orphan gets another parent."""
    while os.getppid() == parent:
        time.sleep(WATCH_SECONDS)
    os._exit(1)  # at once: a fit in progress is of no use to anyone
