"""Marks that people and programs write for a missing value."""

MISSING_MARKS = frozenset(
    {"", "na", "n/a", "n.a.", "nan", "null", "none", "nil", "?", "-", "--", "---", ".", "..", "...", "–", "—", "*"}
    | {"#n/a", "#na", "#null!", "#value!", "#div/0!", "#ref!", "#name?", "#num!", "<na>", "nat", "\\n"}
)
"""In lower case: what stands for a missing value in a column of numbers or dates.

In a column of categories only an empty cell is missing: there, NA may be Namibia.
"""


def is_missing_mark(text: str) -> bool:
    """Whether the text is one of them, in any case and between any spaces.

    >>> [is_missing_mark(text) for text in ("NA", " ? ", "Namibia", "0")]
    [True, True, False, False]
    """
    return text.strip().lower() in MISSING_MARKS
