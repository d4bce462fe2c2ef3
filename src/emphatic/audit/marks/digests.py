"""Digests by which a table, and each of its rows, is known again."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from contextlib import suppress

from emphatic.audit.cells import Feature, as_plain
from emphatic.tables.spelling.missing import is_missing_mark

LENGTH = 12
"""Hexadecimal digits: among a million rows, two different ones have equal digests with a probability of 0.2%."""


def write_rows(features: Sequence[Feature]) -> list[str]:
    """The features of each row as JSON.

    A file may be read as text or as numbers, with missing values as words or not: all of it is written alike, so that
    marks of a page that Python wrote can be applied from the shell.

    >>> write_rows([Feature("a", [1, "2.50"]), Feature("b", [None, "x"]), Feature("c", ["n/a", "1_0"])])
    ['[1, null, null]', '[2.5, "x", "1_0"]']
    """
    cells = ([_read_text(cell) if isinstance(cell, str) else cell for cell in one.cells] for one in features)
    return [json.dumps(row) for row in zip(*cells, strict=True)]


def _read_text(text: str) -> int | float | str | None:
    """As a number if Python reads it as one (without underscores), None for a mark of a missing value, or as it is."""
    if "_" not in text:
        for read in (int, float):
            with suppress(ValueError):
                return as_plain(read(text))
    return None if is_missing_mark(text) else text


def digest_rows(written: Iterable[str]) -> list[str]:
    """Of the features of each row, without its label: a row whose label was corrected is known again.

    >>> digest_rows(["[1, null]", "[2]", "[1, null]"])
    ['a83388536563', '038966de9f6b', 'a83388536563']
    """
    return [_digest(row) for row in written]


def digest_table(features: Sequence[Feature], rows: Iterable[str], labels: Iterable[str]) -> str:
    """Of the names of the columns, the digests of the rows and the labels, in this order."""
    return _digest(json.dumps([[one.name for one in features], list(rows), list(labels)]))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:LENGTH]
