"""The table from classes to conversions, which `convert` looks up; the families of models add to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from emphatic.base import Learner
from emphatic.export.answer import Answer, find_winner, spread_columns
from emphatic.export.graph import Value
from emphatic.export.table import Table

Conversion = Callable[[Any, Table], Answer]

CONVERSIONS: dict[type, Conversion] = {}
"""By the very class of a model: a subclass may predict otherwise."""

TRANSFORMATIONS: dict[type, Callable[[Any, Table], Table]] = {}
"""Of tables, by the class of a fitted transformer."""


def converts(*kinds: type) -> Callable[[Conversion], Conversion]:
    """Enter a conversion into the table."""

    def enter(conversion: Conversion) -> Conversion:
        CONVERSIONS.update(dict.fromkeys(kinds, conversion))
        return conversion

    return enter


def convert(model: Any, table: Table) -> Answer:
    """The answer of a fitted classifier for the rows of a table."""
    return _look_up(CONVERSIONS, model)(model, table)


def transform(transformer: Any, table: Table) -> Table:
    """What a fitted transformer makes of a table."""
    return _look_up(TRANSFORMATIONS, transformer)(transformer, table)


def convert_member(member: Any, table: Table, classes: np.ndarray) -> Answer:
    """The answer of a member of an ensemble in terms of the `classes` of the ensemble, as `output_of` gives it.

    A `Learner` is asked for its output; any other classifier for probabilities p, which become 2p - 1, and -1 for a
    class that it never saw.
    """
    answer = convert(member, table)
    if isinstance(member, Learner):
        return answer
    n_classes = len(classes)
    probabilities = spread_probabilities(answer, member, classes)
    output = probabilities * 2.0 - 1.0
    if n_classes == 2:
        output = output.columns([1])
        return Answer((output > 0.0).cast(np.int64), probabilities, output)
    return Answer(find_winner(output, n_classes), probabilities, output)


def spread_probabilities(answer: Answer, member: Any, classes: np.ndarray) -> Value:
    """One column per class of the ensemble, 0 for those that the member never saw."""
    return spread_columns(answer.probabilities, np.searchsorted(classes, member.classes_), len(classes), 0.0)


def _look_up(known: dict[type, Any], model: Any) -> Any:
    if type(model) not in known:
        raise TypeError(
            f"{type(model).__module__.partition('.')[0]}'s {type(model).__name__} cannot be exported to ONNX: there is "
            f"no conversion of its predictions to standard operators. There is one for {_list_names(known)}."
        )
    return known[type(model)]


def _list_names(kinds: Iterable[type]) -> str:
    names = sorted({kind.__name__ for kind in kinds})
    return f"{', '.join(names[:-1])} and {names[-1]}"
