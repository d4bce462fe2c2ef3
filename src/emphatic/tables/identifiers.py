"""Columns that name rows instead of describing them: row numbers, saved indices, keys; and how free text differs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

import numpy as np

from emphatic.check import FloatArray, IntArray

LEAST_ROWS = 20
"""In fewer rows numbers may be different, or rise one by one, by chance."""

_INDEX_NAME = re.compile(
    r"unnamed.*|index|(row|record|sample)?[ _.-]?(id|no|nr|num|number|names?)|.*[ _.-]id|key|", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]{2,}")
MANY_TEXTS = 3000
"""Texts that are looked at: enough to see whether their words come back."""


def describe_row_numbers(name: str, values: FloatArray, rows: IntArray | None = None) -> str:
    """Why these numbers say nothing about their rows; nothing if they may.

    `rows` are the numbers of the rows, if these are a sample.

    >>> import numpy as np
    >>> describe_row_numbers("a", np.arange(30.0)), describe_row_numbers("a", np.arange(1990.0, 2020.0))
    ('row numbers: each is one more than the last', '')
    >>> describe_row_numbers("customer_id", np.random.default_rng(0).permutation(100) + 0.0)
    'an identifier: by its name, and because all values are different'
    """
    if len(values) < LEAST_ROWS or np.isnan(values).any() or (values % 1 != 0).any():
        return ""
    places = values - (np.arange(len(values)) if rows is None else rows)
    if places[0] in (0.0, 1.0) and (places == places[0]).all():
        return "row numbers: each is one more than the last"
    if _INDEX_NAME.fullmatch(name.strip()) and len(np.unique(values)) == len(values):
        return "an identifier: by its name, and because all values are different"
    return ""


def is_free_text(texts: Iterable[str]) -> bool:
    """Whether distinct texts are made of words that come back in other texts, and not all in the same ones.

    >>> is_free_text(["red wine from France", "white wine from Italy", "red beer from Italy"])
    True
    >>> is_free_text([f"row {i}" for i in range(30)]), is_free_text(["a3f9", "b7c1"])
    (False, False)
    """
    words = [set(_WORD.findall(text.lower())) for text in list(texts)[:MANY_TEXTS]]
    counts = Counter(word for one in words for word in one)
    everywhere = {word for word, count in counts.items() if count > 0.9 * len(words)}
    recurring = [len([word for word in one - everywhere if counts[word] > 1]) for one in words]
    several = [len(one - everywhere) for one in words]
    return float(np.mean(recurring or [0])) >= 1.0 and float(np.mean(several or [0])) >= 2.0
