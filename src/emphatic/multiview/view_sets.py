"""Which views each tree of a forest sees."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from emphatic.names import unknown

MOST_VIEWS = 12
"""So many views have 4,095 sets; more than that are refused."""


def checked_sets(view_sets: Any, views: Sequence[str]) -> list[tuple[str, ...]]:
    """The sets that `view_sets`, "single", "all" or a list of lists of names, means for the named views.

    >>> checked_sets("all", ["a", "b", "c"])
    [('a',), ('b',), ('c',), ('a', 'b'), ('a', 'c'), ('b', 'c'), ('a', 'b', 'c')]
    >>> checked_sets([["b"], ["a", "c"]], ["a", "b", "c"])
    [('b',), ('a', 'c')]
    """
    if isinstance(view_sets, str):
        if view_sets == "single":
            return [(name,) for name in views]
        if view_sets == "all" and len(views) <= MOST_VIEWS:
            return [names for size in range(1, len(views) + 1) for names in combinations(views, size)]
        if view_sets == "all":
            raise ValueError(
                f'view_sets="all" is not allowed for {len(views)} views, which have {2 ** len(views) - 1} sets: list '
                f"the sets that you want (all of at most {MOST_VIEWS} views can be had)."
            )
    if isinstance(view_sets, str) or not isinstance(view_sets, Sequence) or not view_sets:
        raise ValueError(
            f"view_sets={view_sets!r} is not allowed: view_sets must be 'single', 'all' or a list of lists."
        )
    return [_checked(names, views) for names in view_sets]


def _checked(names: Any, views: Sequence[str]) -> tuple[str, ...]:
    if isinstance(names, str) or not isinstance(names, Sequence) or not names:
        raise ValueError(f"view_sets holds {names!r}: each set must be a list of at least one name of a view.")
    for name in names:
        if name not in views:
            raise unknown("view", str(name), views)
    return tuple(dict.fromkeys(names))
