"""Names that users type, and what they may have meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

MANY = 40
"""How many names a message lists at most."""


class UnknownName(ValueError):
    """A name that is not known; the message lists those that are near."""


def unknown(kind: str, name: str, known: Iterable[str]) -> UnknownName:
    """An error that says what the user may have meant.

    >>> str(unknown("table", "000-2", ["000-II", "002-3"]))
    'unknown table 000-2; near: 000-II, 002-3'
    """
    by_lower_case = {each.lower(): each for each in known}
    near = difflib.get_close_matches(name.lower(), by_lower_case, n=3, cutoff=0.4)
    if near:
        return UnknownName(f"unknown {kind} {name}; near: {', '.join(by_lower_case[each] for each in near)}")
    more = f" and {len(by_lower_case) - MANY} more" if len(by_lower_case) > MANY else ""
    return UnknownName(f"unknown {kind} {name}; known: {', '.join(list(by_lower_case.values())[:MANY])}{more}")
