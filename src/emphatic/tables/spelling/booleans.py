"""Truth values: TRUE and FALSE as Excel, R and SQL write them, and the True and False of Python and Parquet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from emphatic.tables.repeated import Repeated

_WORDS = {"true": "True", "false": "False"}


def are_truth_values(texts: Iterable[str]) -> bool:
    """Whether all of these texts are true or false, in any case.

    >>> are_truth_values(["TRUE", "false"]), are_truth_values(["yes", "no"])
    (True, False)
    """
    return all(text.strip().lower() in _WORDS for text in texts)


def read_truth_values(texts: Sequence[str | None]) -> Sequence[str | None]:
    """The texts with truth values as Python writes them; other words stay as they are.

    >>> read_truth_values(["TRUE", "false", None, "maybe"])
    ['True', 'False', None, 'maybe']
    """
    if isinstance(texts, Repeated):
        return texts.change(_read)
    return _read(texts)


def _read(texts: Sequence[str | None]) -> list[str | None]:
    return [None if text is None else _WORDS.get(text.strip().lower(), text) for text in texts]
