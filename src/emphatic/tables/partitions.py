"""Columns of a table in partitions: what becomes of them, and what all rows tell about their numbers and categories."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator

from emphatic.check import IntArray
from emphatic.partitions import Parts, RowSample
from emphatic.partitions.sketch import SIZE
from emphatic.tables.columns import Category, Column, holds_text, read_columns
from emphatic.tables.decision import Decision, sort_categories
from emphatic.tables.identifiers import describe_row_numbers
from emphatic.tables.numbers import Numbers
from emphatic.tables.policy import Wishes, count_indicators, decide, limit_categories

MOST_CATEGORIES = 100_000
"""Categories of a column that are sent around, at most."""

SEED = 0
"""Of the sample of rows: a transformer has no random state."""


class Summary(NamedTuple):
    """What all rows tell about one column, as it was decided to be read."""

    numbers: Numbers | None = None
    counts: Counter[Category] | None = None
    """How often each category occurs, missing values included."""


class Learnt(NamedTuple):
    """What was learnt about the columns of a table in partitions."""

    decisions: list[Decision]
    cells: list[Any]
    """Of each column, as it was decided to be read: those from which its encoding is to be learnt."""
    summaries: list[Summary]


def list_names(X: Any) -> list[str]:
    """Of the columns of a collection, as `read_columns` names them."""
    return [str(name) for name in X.columns] if hasattr(X, "columns") else [f"x{j}" for j in range(X.shape[1])]


def learn_by_types(parts: Parts, names: Sequence[str], sketched: bool) -> Learnt:
    """Use all columns as their types have them; with quantiles of numbers, if `sketched`."""
    decisions = _decide_by_types(parts, names)
    summaries = _summarise(parts, decisions, sketched)
    completed = [_complete(*pair) for pair in zip(decisions, summaries, strict=True)]
    return Learnt(completed, [None] * len(completed), summaries)


def learn_by_sample(parts: Parts, wishes: Wishes, max_categories: int | None, sketched: bool, named: bool) -> Learnt:
    """Use columns as a sample of rows is judged, or as the user wishes, with the categories and numbers of all rows.

    `named` says whether the names of the columns are the user's, and mean something.
    """
    sample, rows = _gather_sample(parts)
    columns = read_part(sample)
    decisions = decide(columns, None, wishes, max_categories, named)
    if rows is not None and named:
        decisions = [
            one if one.name in wishes else _ignore_row_numbers(one, column, rows)
            for one, column in zip(decisions, columns, strict=True)
        ]
    summaries = _summarise(parts, decisions, sketched)
    completed = [
        one if isinstance(wishes.get(one.name), Decision) else _limit_indicators(one, summary, max_categories)
        for one, summary in zip(decisions, summaries, strict=True)
    ]
    cells = [None if one.left_out else one.read(column) for one, column in zip(completed, columns, strict=True)]
    return Learnt(completed, cells, summaries)


def _decide_by_types(parts: Parts, names: Sequence[str]) -> list[Decision]:
    """Every column as its type has it, numbers or categories, which must be the same in all partitions."""
    found = parts.total(_find_kinds, _merge_kinds, parts.numbers)
    if found is None:
        raise ValueError("X has 0 rows, and a fit needs some.")
    return [Decision(name, _agree(name, kinds)) for name, kinds in zip(names, found, strict=True)]


class _Kind(NamedTuple):
    kind: str
    known: bool
    """Whether there is a cell that is not missing."""


_Kinds = dict[_Kind, int]
"""What a column is, and in which partition that was seen first."""


def _find_kinds(part: Any, number: int) -> list[_Kinds]:
    columns = read_part(part)
    return [{_Kind("category" if holds_text(one) else "number", _holds_cells(one)): number} for one in columns]


def _merge_kinds(found: Sequence[list[_Kinds]]) -> list[_Kinds]:
    columns = zip(*found, strict=True)
    return [{kind: place for one in reversed(column) for kind, place in one.items()} for column in columns]


def _agree(name: str, kinds: _Kinds) -> str:
    """The kind of a column; that of partitions in which all cells are missing counts only if there are no others."""
    decisive = {one.kind: place for one, place in kinds.items() if one.known}
    if len(decisive) > 1:
        raise ValueError(
            f"column {name!r} holds text in partition {decisive['category']} and numbers in partition "
            f"{decisive['number']}: convert it to one type."
        )
    return min(decisive or [one.kind for one in kinds], key=["number", "category"].index)


def _holds_cells(column: Column) -> bool:
    if column.kind in ("numeric", "date"):
        return not np.isnan(column.cells).all()
    return any(cell is not None for cell in column.cells)


def _gather_sample(parts: Parts) -> tuple[Any, IntArray | None]:
    """Rows in memory on which columns are judged, and their numbers, or None if these are all rows."""
    n = len(parts)
    if not n:
        raise ValueError("X has 0 rows, and a fit needs some.")
    rows, numbers = parts.gather(RowSample(np.random.default_rng(SEED), n))
    return rows, numbers if len(numbers) < n else None


def _ignore_row_numbers(decision: Decision, column: Column, numbers: IntArray) -> Decision:
    """A column of a sample that holds the numbers of its rows says nothing about them."""
    if decision.kind != "number":
        return decision
    reason = describe_row_numbers(column.name, decision.read(column), numbers)
    return Decision(column.name, "ignore", reason) if reason else decision


def _summarise(parts: Parts, decisions: Sequence[Decision], sketched: bool) -> list[Summary]:
    """What all rows tell about each column; `sketched` also for quantiles of numbers."""
    summariser = _Summariser(decisions, SIZE if sketched else 0)
    summaries: list[Summary] = parts.total(summariser, summariser.merge)
    return summaries


class _Summariser:
    """The summaries of one partition; a class of its own so that the decisions travel with it."""

    def __init__(self, decisions: Sequence[Decision], sketch: int) -> None:
        self.decisions, self.sketch = decisions, sketch

    def __call__(self, part: Any) -> list[Summary]:
        return [self._summarise(*pair) for pair in zip(self.decisions, read_part(part), strict=True)]

    def _summarise(self, decision: Decision, column: Column) -> Summary:
        if decision.kind == "number":
            values = decision.read(column)
            return Summary(numbers=Numbers.describe(values[~np.isnan(values)], self.sketch))
        if _is_counted(decision):
            return Summary(counts=_limit(decision.name, Counter(decision.read(column))))
        if not decision.left_out:
            decision.read(column)  # an error is due before a model is fitted
        return Summary()

    def merge(self, found: Sequence[list[Summary]]) -> list[Summary]:
        """The summaries of several partitions."""
        pairs = zip(self.decisions, zip(*found, strict=True), strict=True)
        return [self._merge(decision, parts) for decision, parts in pairs]

    def _merge(self, decision: Decision, parts: Sequence[Summary]) -> Summary:
        if not _is_counted(decision):
            return Summary(Numbers.merge([part.numbers for part in parts]))
        return Summary(counts=_limit(decision.name, sum((part.counts or Counter() for part in parts), Counter())))


def _limit(name: str, counts: Counter[Category]) -> Counter[Category]:
    if len(counts) > MOST_CATEGORIES:
        raise ValueError(
            f"column {name!r} holds more than {MOST_CATEGORIES:,} categories, which would all have indicators: use "
            'TableTransformer(columns="useful"), or leave it out.'
        )
    return counts


def _is_counted(decision: Decision) -> bool:
    """Whether each category of the column has an indicator or a code, so that all rows must be looked at."""
    return decision.kind in ("category", "boolean") and not decision.many


def _complete(decision: Decision, summary: Summary) -> Decision:
    """The decision with the categories of all rows."""
    return decision if summary.counts is None else replace(decision, categories=sort_categories(summary.counts))


def _limit_indicators(decision: Decision, summary: Summary, max_categories: int | None) -> Decision:
    """The same with the most frequent of many categories."""
    counts: Counter[Category] = summary.counts or Counter()
    return limit_categories(_complete(decision, summary), counts, max_categories or count_indicators(counts.total()))


def read_part(part: Any) -> list[Column]:
    """The columns of one partition."""
    return read_columns(BaseEstimator(), part, reset=True)
