"""Raw tables prepared for classifiers that take numbers, or that have a way of their own with categories."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin

from emphatic.tables import TableTransformer, decide_columns

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

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the categories; y is ignored."""
        kept = [one.categories for one in decide_columns(X, self.max_categories or sys.maxsize)]
        self.n_features_in_ = len(kept)
        self.categories_ = [names and [name for name in names if name is not None] for names in kept]
        return self

    def transform(self, X: Any) -> pandas.DataFrame:
        """Return the frame of the rows of X."""
        import pandas

        if hasattr(X, "columns"):
            columns = [np.asarray(X[name], dtype=object) for name in X.columns]
        else:
            columns = list(np.asarray(X, dtype=object).T)
        if len(columns) != len(self.categories_):
            raise ValueError(f"X has {len(columns)} columns, but fit saw {len(self.categories_)}.")
        done: dict[str, Any] = {}
        for j, (cells, categories) in enumerate(zip(columns, self.categories_, strict=True)):
            missing = pandas.isna(cells)
            if categories is None:
                done[str(j)] = np.where(missing, np.nan, cells).astype(np.float64)
            elif categories:
                known = set(categories)  # pandas warns of others before it makes them missing
                texts = [None if empty else str(cell) for cell, empty in zip(cells, missing, strict=True)]
                kept = [text if text in known else None for text in texts]
                done[str(j)] = pandas.Categorical(kept, categories=categories)
        return pandas.DataFrame(done)
