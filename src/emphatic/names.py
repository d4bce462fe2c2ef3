"""Names that users type, and what they may have meant."""

import difflib
import re
from collections.abc import Iterable

MANY = 40
"""How many names a message lists at most."""


LIKENESS = 0.6
"""Names that share less of their letters (2 M / T, see `difflib`) are not what was meant."""


class UnknownName(ValueError):
    """A name that is not known; the message suggests similar ones."""


def find_near(name: str, known: Iterable[str]) -> list[str]:
    """Up to three of the known names that are similar to `name`, or have a word that begins with it.

    >>> find_near("labl", ["label", "age"]), find_near("forest", ["SVC", "Balanced forest"])
    (['label'], ['Balanced forest'])
    """
    by_lower_case = {each.lower(): each for each in known}
    typed = name.lower()
    similar = difflib.get_close_matches(typed, by_lower_case, n=3, cutoff=LIKENESS)
    begun = [each for each in by_lower_case if len(typed) > 2 and re.search(rf"(?<![^\W_]){re.escape(typed)}", each)]
    return [by_lower_case[each] for each in dict.fromkeys(similar + begun)][:3]


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
