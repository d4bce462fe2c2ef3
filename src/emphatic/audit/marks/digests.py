"""Digests by which a table, and each of its rows, is known again."""

import hashlib
import json
from collections.abc import Iterable, Sequence

from emphatic.audit.cells import Feature

LENGTH = 12
"""Hexadecimal digits: among a million rows, two different ones have equal digests with a probability of 0.2%."""


def write_rows(features: Sequence[Feature]) -> list[str]:
    """The features of each row as JSON.

    >>> write_rows([Feature("a", [1, 2]), Feature("b", [None, "x"])])
    ['[1, null]', '[2, "x"]']
    """
    return [json.dumps(row) for row in zip(*(one.cells for one in features), strict=True)]


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
