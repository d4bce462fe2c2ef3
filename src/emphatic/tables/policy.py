"""The one policy of what the columns of a table become, for the commands, `EmphaticClassifier` and the audit alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import column_or_1d

from emphatic import check
from emphatic.names import unknown
from emphatic.tables.columns import Category, Column, read_columns
from emphatic.tables.decision import KINDS, Decision, read_cells, sort_categories
from emphatic.tables.identifiers import describe_row_numbers, is_free_text
from emphatic.tables.leakage import find_copies
from emphatic.tables.repeated import tally
from emphatic.tables.spelling import DateSpelling, NumberSpelling, are_truth_values
from emphatic.tables.spelling.dates import ORDERS
from emphatic.tables.spelling.missing import is_missing_mark
from emphatic.tables.spelling.numbers import LEAST_NUMBERS, MOST_WORDS

FEWEST_INDICATORS, MOST_INDICATORS, ROWS_PER_INDICATOR = 50, 254, 40
"""Categories of a column that may have an indicator each: one per so many rows, within these limits. With few rows, how
categories are written tells more; with many, each is known by its own labels, and histograms hold so many of them."""

UNIQUE_SHARE, MIN_ROWS = 0.9, 20
"""Text with more distinct values than this share of the rows, in a table of at least so many rows, is no category."""

ASKED_FOR = "as it was asked for"
"""The reason to leave out a column that a user wants to be left out."""


class Habits(NamedTuple):
    """How the author of a table writes, where a column leaves it open: the decimal sign, and the order of dates."""

    decimal: str | None = None
    dates: str | None = None


Wishes = Mapping[str, "str | Decision"]
"""What a user wants of columns, by name: a kind, or a decision that was made before."""


def decide_columns(
    X: Any,
    y: Any = None,
    *,
    columns: Wishes | None = None,
    max_categories: int | None = None,
    decimal: str | None = None,
    dates: str | None = None,
) -> list[Decision]:
    """Decide for each column of a table (data frame, array or list of rows) what it is, and how a model should use it.

    1. Text is read as numbers, truth values or dates if it can be, in whatever way these are written.
    2. Numbers are used as they are. In a table with column names, constants, row numbers and identifiers are ignored.
    3. Categories and booleans become indicators, a missing value being a category of its own; of more than
       `max_categories` only the most frequent do, and all are compared by their spelling.
    4. Dates become elapsed time, parts and cycles; free text becomes the character n-grams that it consists of.
    5. Text that is different in almost every row, and not made of words, identifies rows rather than describing them.

    Parameters
    ----------
    X : table
    y : labels, default=None
        If they are given, columns that give them away are named in their reasons.
    columns : dict, default=None
        What to make of columns by name instead: "number", "category", "boolean", "date", "text" or "ignore".
    max_categories : int, default=None
        None: 50 in a table of up to 2,000 rows, then one more per 40 rows, and 254 at most.
    decimal : {".", ","}, default=None
        The decimal sign, where a column can be read with both; None leaves it to the other columns of the table.
    dates : {"ymd", "dmy", "mdy"}, default=None
        The order of year, month and day, where a column can be read in two.

    Returns
    -------
    list of Decision
        One per column; as text, each is a line for people.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"id": [f"row {i}" for i in range(30)], "size": ["s", "l", "l"] * 10, "age": range(30)})
    >>> table["price"] = [f"{i},50" for i in range(30)]
    >>> print(*decide_columns(table, columns={"age": "category"}), sep="\\n")
    id: ignored: almost every value is unique (30 of 30)
    size: category, 2 values
    age: category, 30 values
    price: number, written with a decimal comma
    """
    check_max_categories(max_categories)
    if columns is not None:
        check.instance("columns", columns, Mapping, '{"zip": "category"}')
    estimator = BaseEstimator()
    read = read_columns(estimator, X, reset=True)
    if decimal is not None:
        check.one_of("decimal", decimal, (".", ","))
    if dates is not None:
        check.one_of("dates", dates, ORDERS)
    habits = Habits(decimal, dates)
    return decide(read, y, columns, max_categories, hasattr(estimator, "feature_names_in_"), habits)


def decide(
    columns: Sequence[Column],
    y: Any = None,
    wishes: Wishes | None = None,
    max_categories: int | None = None,
    named: bool = True,
    habits: Habits | None = None,
) -> list[Decision]:
    """Decide for columns that were read; `named` says whether their names are the user's, and mean something."""
    wishes = wishes or {}
    names = {column.name for column in columns}
    for name, wish in wishes.items():
        if name not in names:
            raise unknown("column", name, [column.name for column in columns])
        if not isinstance(wish, Decision):
            check.one_of(f"the kind of column {name!r}", wish, KINDS)
    habits = habits or Habits()
    n_rows = len(columns[0].cells)
    if max_categories is None:
        max_categories = count_indicators(n_rows)
    decisions = [_decide(column, wishes.get(column.name), max_categories, named, habits) for column in columns]
    if habits.decimal is None:
        decisions = _settle_decimals(columns, decisions, wishes)
    if y is None:
        return decisions
    labels = column_or_1d(y)
    if len(labels) != n_rows:
        raise ValueError(f"X has {n_rows} rows but y has {len(labels)} labels: their numbers must agree.")
    found = find_copies(columns, decisions, labels)
    return [replace(one, warning=found.get(one.name, "")) for one in decisions]


def check_max_categories(value: Any) -> None:
    """Raise an error unless it is None or a number of indicators."""
    if value is not None:
        check.integer("max_categories", value, at_least=1)


def count_indicators(n_rows: int) -> int:
    """How many categories of a column may have an indicator each, in a table of so many rows.

    >>> [count_indicators(n) for n in (100, 2_000, 5_000, 1_000_000)]
    [50, 50, 125, 254]
    """
    return min(MOST_INDICATORS, max(FEWEST_INDICATORS, n_rows // ROWS_PER_INDICATOR))


def _settle_decimals(columns: Sequence[Column], decisions: list[Decision], wishes: Wishes) -> list[Decision]:
    """Where 1,234 may be two numbers, the other columns of the table decide, if they agree on a decimal sign."""
    spellings = [one.spelling for one in decisions if isinstance(one.spelling, NumberSpelling)]
    clear = {one.decimal for one in spellings if one.other is None and one.shows_decimal}
    if len(clear) != 1:
        return decisions
    result = []
    for column, decision in zip(columns, decisions, strict=True):
        if isinstance(decision.spelling, NumberSpelling) and decision.spelling.other and column.name not in wishes:
            spelling = NumberSpelling.learn(read_cells(column), min(clear))
            decision = replace(decision, spelling=spelling)
        result.append(decision)
    return result


def _decide(column: Column, wish: str | Decision | None, max_categories: int, named: bool, habits: Habits) -> Decision:
    if isinstance(wish, Decision):
        return wish
    if wish is not None:
        return _obey(column, wish, max_categories, habits)
    if column.kind in ("numeric", "date"):
        kind = "number" if column.kind == "numeric" else "date"
        return _judge_values(Decision(column.name, kind), column, named)
    if column.kind == "cells" and not any(isinstance(cell, str | bool | np.bool_) for cell in column.cells):
        return _judge_values(Decision(column.name, "number"), column, named)
    cells = read_cells(column)
    counts = tally(cells)
    missing = counts.pop(None, 0)
    if not counts:
        return Decision(column.name, "ignore", "all values are missing")
    if len(counts) == 1 and not missing and len(cells) > 1:
        return Decision(column.name, "ignore", "all values are equal")
    if column.kind != "nominal" or are_truth_values(counts):
        decision = _read_spelling(column.name, cells, counts, habits)
        if decision is not None:
            return _judge_values(decision, column, named)
    decision = _judge_texts(column, cells, counts, max_categories)
    return decision if decision.left_out else replace(decision, hint=_find_numbers(cells, counts))


def _read_spelling(name: str, cells: Sequence[Category], counts: Counter[str], habits: Habits) -> Decision | None:
    """Truth values, dates or numbers that are written as text."""
    if are_truth_values(counts):
        return Decision(name, "boolean")
    for kind in ("date", "number"):  # 20240131 is both, and rather a date
        spelling = _learn_spelling(kind, cells, habits)
        if spelling is not None:
            return Decision(name, kind, spelling=spelling)
    return None


def _learn_spelling(
    kind: str, cells: Sequence[Category], habits: Habits, any_words: bool = False
) -> NumberSpelling | DateSpelling | None:
    if kind == "date":
        return DateSpelling.learn(cells, habits.dates)
    return NumberSpelling.learn(cells, habits.decimal, any_words)


def _find_numbers(cells: Sequence[Category], counts: Counter[str]) -> str:
    """What else text may be that is made of numbers and a few words; nothing for any other."""
    spelling = NumberSpelling.learn(cells, any_words=True)
    words = [] if spelling is None else [mark for mark in spelling.marks if not is_missing_mark(mark)]
    if not words or len(words) > MOST_WORDS or len(counts) - len(words) <= LEAST_NUMBERS:
        return ""
    return f"it holds numbers beside {', '.join(map(repr, words))}; if that means missing values, its kind is number"


def _judge_values(decision: Decision, column: Column, named: bool) -> Decision:
    """Numbers, dates and truth values are used, unless they say nothing about their rows."""
    values = decision.read(column)
    if decision.kind == "boolean":
        return replace(decision, categories=sort_categories(values))
    known = values[~np.isnan(values)]
    if not len(known) and named:
        return Decision(column.name, "ignore", "all values are missing")
    if not named and decision.spelling is None:
        return decision  # an array of numbers is used as it is
    if len(known) == len(values) > 1 and known.min() == known.max():
        return Decision(column.name, "ignore", "all values are equal")
    reason = describe_row_numbers(column.name, values) if decision.kind == "number" else ""
    return Decision(column.name, "ignore", reason) if reason else decision


def _judge_texts(column: Column, cells: Sequence[Category], counts: Counter[str], max_categories: int) -> Decision:
    """Categories, free text or identifiers."""
    categories = sort_categories(cells)
    decision = Decision(column.name, "category", categories=categories)
    if len(categories) <= min(max_categories, UNIQUE_SHARE * MIN_ROWS):
        return decision
    unique = len(cells) >= MIN_ROWS and len(categories) > UNIQUE_SHARE * len(cells)
    if (unique or len(categories) > max_categories) and is_free_text(counts):
        return Decision(column.name, "text", f"{len(counts):,} different texts")
    if unique:
        reason = f"almost every value is unique ({len(categories):,} of {len(cells):,})"
        return Decision(column.name, "ignore", reason)
    return limit_categories(decision, tally(cells), max_categories)


def limit_categories(decision: Decision, counts: Counter[Category], max_categories: int) -> Decision:
    """Of more categories than that, only the most frequent have indicators; `counts` is how often each occurs."""
    categories = decision.categories or []
    if len(categories) <= max_categories:
        return decision
    frequent = set(sorted(categories, key=lambda category: -counts[category])[:max_categories])  # ties: first in order
    kept = [category for category in categories if category in frequent]
    reason = f"{len(categories):,} values: the most frequent have indicators, and all are compared by their spelling"
    return replace(decision, categories=kept, reason=reason, many=True)


def _obey(column: Column, wish: str, max_categories: int, habits: Habits) -> Decision:
    """What the user wants, if the cells allow it."""
    name, typed = column.name, column.kind in ("numeric", "date")
    if wish == "ignore":
        return Decision(name, "ignore", ASKED_FOR)
    if wish in ("number", "date"):
        if column.kind == {"number": "numeric", "date": "date"}[wish]:
            return Decision(name, wish)
        spelling = None if typed else _learn_spelling(wish, read_cells(column), habits, any_words=True)
        if spelling is None:
            raise ValueError(f"column {name!r} cannot be used as a {wish}: not all of its cells are {wish}s")
        return Decision(name, wish, spelling=spelling)
    decision = Decision(name, wish)
    cells = decision.read(column)
    if wish == "text":
        return decision
    categories = sort_categories(cells)
    if wish == "boolean" and len([one for one in categories if one is not None]) > 2:
        raise ValueError(f"column {name!r} cannot be used as a boolean: it holds {len(categories)} different values")
    return limit_categories(replace(decision, categories=categories), tally(cells), max_categories)


def make_wishes(decisions: Sequence[Decision]) -> dict[str, str | Decision]:
    """What was decided about the columns that are used, for a model that is to decide alike on a part of the rows."""
    return {one.name: one.kind if one.spelling is None else one for one in decisions if not one.left_out}
