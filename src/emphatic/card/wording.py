"""Text of others and numbers, made fit to be shown."""

from typing import Any

from emphatic.wording import as_one_line

LONGEST = 200
"""Characters of a cell on the page."""


def shorten(text: Any, longest: int = LONGEST) -> str:
    """Put text on one line of at most so many characters; those that do not print are shown by their number.

    >>> shorten("two\\nlines and \\x1b[31mred"), shorten("abcdefgh", 5)
    ('two lines and \\\\x1b[31mred', 'abcd…')
    """
    line = as_one_line(str(text)[: 10 * longest])  # a cell may hold megabytes
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def percent(share: float) -> str:
    """A share in percent, with the digits that matter; a dash where it is not defined.

    >>> percent(0.0474), percent(1.0), percent(0.0), percent(0.00031), percent(float("nan"))
    ('4.7%', '100.0%', '0.0%', '0.031%', '–')
    """
    if share != share:
        return "–"
    return f"{100 * share:.1f}%" if share == 0.0 or share >= 0.001 else f"{100 * share:.2g}%"
