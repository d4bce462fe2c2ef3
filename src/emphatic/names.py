"""Names that users type, and what they may have meant."""

import difflib
from collections.abc import Iterable

MANY = 40
"""How many names a message lists at most."""


class UnknownName(ValueError):
    """A name that is not known; the message suggests similar ones."""


def find_near(name: str, known: Iterable[str]) -> list[str]:
    """Up to three of the known names that are similar to `name`.

    >>> find_near("labl", ["label", "age"])
    ['label']
    """
    by_lower_case = {each.lower(): each for each in known}
    found = difflib.get_close_matches(name.lower(), by_lower_case, n=3, cutoff=0.4)
    return [by_lower_case[each] for each in found]


def unknown(kind: str, name: str, known: Iterable[str]) -> UnknownName:
    """The error to raise for an unknown name; it says what the user may have meant.

    >>> str(unknown("table", "000-2", ["000-II", "002-3"]))
    'unknown table 000-2; did you mean 000-II, 002-3?'
    """
    names = list(dict.fromkeys(known))
    found = find_near(name, names)
    if found:
        return UnknownName(f"unknown {kind} {name}; did you mean {', '.join(found)}?")
    more = f" and {len(names) - MANY} more" if len(names) > MANY else ""
    return UnknownName(f"unknown {kind} {name}; known: {', '.join(names[:MANY])}{more}")
