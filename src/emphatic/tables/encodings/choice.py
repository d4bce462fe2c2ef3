"""Which encoding a column gets, by what was decided about it."""

from __future__ import annotations

from typing import Any

from emphatic.tables.decision import Decision
from emphatic.tables.encodings.dates import DateEncoding
from emphatic.tables.encodings.encoding import Encoding
from emphatic.tables.encodings.many_categories import ManyCategories
from emphatic.tables.encodings.texts import TextEncoding

_BY_KIND: dict[str, Any] = {"date": DateEncoding, "text": TextEncoding}


def _find_class(decision: Decision) -> Any:
    return ManyCategories if decision.kind == "category" and decision.many else _BY_KIND.get(decision.kind)


def name_encoding(decision: Decision) -> str | None:
    """The class of the encoding by name; None for a number, and for categories that have an indicator each."""
    found = _find_class(decision)
    return None if found is None else found.__name__


def learn_encoding(decision: Decision, cells: Any) -> Encoding | None:
    """Learn the encoding of a column from its cells, as the decision reads them."""
    found = _find_class(decision)
    return None if found is None else found.learn(cells)
