"""Text of others, made fit to be shown: short, on one line, without characters that a terminal would obey."""

from typing import Any

LONGEST = 200
"""Characters of a cell on the page."""


def shorten(text: Any, longest: int = LONGEST) -> str:
    """Shorten text to one line; characters that do not print are shown by their number.

    >>> shorten("two\\nlines and \\x1b[31mred"), shorten("abcdefgh", 5)
    ('two lines and \\\\x1b[31mred', 'abcd…')
    """
    line = " ".join(str(text)[: 10 * longest].split())
    shown = "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in line[: longest + 1])
    return shown if len(shown) <= longest else f"{shown[: longest - 1]}…"


def percent(share: float) -> str:
    """A share in percent, with the digits that matter; a dash where it is not defined.

    >>> percent(0.0474), percent(1.0), percent(0.0), percent(0.00031), percent(float("nan"))
    ('4.7%', '100.0%', '0.0%', '0.03%', '–')
    """
    if share != share:
        return "–"
    return f"{100 * share:.1f}%" if share == 0.0 or share >= 0.001 else f"{100 * share:.2g}%"


def plural(count: int, one: str, many: str = "") -> str:
    """A number with its noun.

    >>> plural(1, "row"), plural(1200, "row"), plural(2, "class", "classes")
    ('1 row', '1,200 rows', '2 classes')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"
