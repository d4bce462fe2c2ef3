"""Raw tables prepared for classifiers that take numbers, or that have a way of their own with categories."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from sklearn.base import BaseEstimator, TransformerMixin

from emphatic.fitting import all_or_nothing
from emphatic.tables import TableTransformer
from emphatic.tables.columns import read_columns, read_numbers, read_texts
from emphatic.tables.policy import decide_column

if TYPE_CHECKING:
    import pandas

Numbers = partial(TableTransformer, columns="useful")
"""Standardised numbers and indicators: the usual preparation."""


class CategoryColumns(TransformerMixin, BaseEstimator):
    """Turn a table into a pandas frame: numbers as float64, nominal columns as categories of text.

    For classifiers that find nominal columns by their dtype. Missing values stay missing, and so become categories that
    the training rows did not have, or that are not among the `max_categories` most frequent of a column. Columns are
    named by their numbers, as some libraries refuse some names; those of no use are left out (`decide_columns`).

    >>> import numpy as np
    >>> table = np.array([["red", 1.0], ["blue", None]], dtype=object)
    >>> CategoryColumns().fit(table).transform([["green", 2.0], ["red", 3.0]])
          0    1
    0   NaN  2.0
    1   red  3.0
    """

    def __init__(self, max_categories: int | None = None) -> None:
        self.max_categories = max_categories

    @all_or_nothing
    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the categories; y is ignored."""
        columns = read_columns(self, X, reset=True)
        kept = [decide_column(column, self.max_categories or sys.maxsize).categories for column in columns]
        self.categories_ = [names and [name for name in names if name is not None] for names in kept]
        return self

    def transform(self, X: Any) -> pandas.DataFrame:
        """Return the frame of the rows of X."""
        import pandas

        done: dict[str, Any] = {}
        for j, column in enumerate(read_columns(self, X, reset=False)):
            categories = self.categories_[j]
            if categories is None:
                done[str(j)] = read_numbers(column)
            elif categories:
                known = set(categories)  # pandas warns of others before it makes them missing
                texts = [text if text in known else None for text in read_texts(column)]
                done[str(j)] = pandas.Categorical(texts, categories=categories)
        return pandas.DataFrame(done)
