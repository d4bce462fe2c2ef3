"""Names that users type, and what they may have meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

MANY = 40
"""How many names a message lists at most."""


class UnknownName(ValueError):
    """A name that is not known; the message lists those that are near."""


def near(name: str, known: Iterable[str]) -> list[str]:
    """Up to three of the known names that `name` may stand for.

    >>> near("labl", ["label", "age"])
    ['label']
    """
    by_lower_case = {each.lower(): each for each in known}
    found = difflib.get_close_matches(name.lower(), by_lower_case, n=3, cutoff=0.4)
    return [by_lower_case[each] for each in found]


def unknown(kind: str, name: str, known: Iterable[str]) -> UnknownName:
    """An error that says what the user may have meant.

    >>> str(unknown("table", "000-2", ["000-II", "002-3"]))
    'unknown table 000-2; near: 000-II, 002-3'
    """
    names = list(dict.fromkeys(known))
    found = near(name, names)
    if found:
        return UnknownName(f"unknown {kind} {name}; near: {', '.join(found)}")
    more = f" and {len(names) - MANY} more" if len(names) > MANY else ""
    return UnknownName(f"unknown {kind} {name}; known: {', '.join(names[:MANY])}{more}")
