"""Filters of warnings, which belong to the process, for tasks that run in threads beside each other.

With `warnings.catch_warnings` alone, tasks that end in another order than they began would leave the filters of one of
them behind.
"""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from emphatic.shared_context import SharedContext

_kept = SharedContext(warnings.catch_warnings)


@contextmanager
def keep_filters() -> Iterator[None]:
    """Whatever happens inside, filters are as before when the last task that is inside has ended."""
    with _kept:
        yield


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
