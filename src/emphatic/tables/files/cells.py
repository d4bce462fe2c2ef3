"""What a cell looks like, as evidence of how a file is laid out; what it means is decided elsewhere."""

from __future__ import annotations

import re

from emphatic.tables.spelling.missing import is_missing_mark

_DIGITS = r"(\d+([.,]\d+)?|\d+[.,]|[.,]\d+|\d{1,3}([ .,'’\u00a0\u202f]\d{3})+([.,]\d+)?)"
_NUMBER = re.compile(
    rf"[-+−(]?\s?[$€£¥]?\s?{_DIGITS}([eE][-+]?\d+)?\)?\s?[%€$£¥]?|[-+]?(inf|infinity|nan)", re.IGNORECASE
)
_DAY = r"\d{1,4}[-/.]\s?\d{1,2}[-/.]\s?\d{1,4}"
_CLOCK = r"\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?(\s?[ap]m)?(\s?Z|\s?[-+]\d{2}:?\d{2})?"
_DATE = re.compile(rf"{_DAY}([T ]{_CLOCK})?|{_CLOCK}|\d{{4}}-\d{{2}}", re.IGNORECASE)


def is_number(cell: str) -> bool:
    """Whether a cell may be a number, in any spelling.

    >>> [cell for cell in ("1", "-1,5", "1.234,5", "5%", "1e3", "1 2", "a1", "") if is_number(cell)]
    ['1', '-1,5', '1.234,5', '5%', '1e3']
    """
    return _NUMBER.fullmatch(cell.strip()) is not None


def is_measured(cell: str) -> bool:
    """Whether a cell may be a number, a date or a time: a value rather than a name."""
    return is_number(cell) or _DATE.fullmatch(cell.strip()) is not None


def rate(cell: str) -> float:
    """How much a cell looks like one cell: 1 for numbers, dates and words, less if a separator seems left in it."""
    text = cell.strip()
    if len(text) > 2000 or is_missing_mark(text) or is_measured(text):
        return 1.0
    if "\t" in text or '"' in text:
        return 0.1
    if not any(character.isalpha() for character in text):
        return 0.3
    if re.search(r"[,;|](?! )", text):
        return 0.3
    return 0.8 if re.search(r"[,;|]", text) else 1.0
