"""Raw tables prepared for classifiers that take numbers, or that have a way of their own with categories."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from sklearn.base import BaseEstimator, TransformerMixin

from emphatic.fitting import all_or_nothing
from emphatic.tables import TableTransformer
from emphatic.tables.columns import read_columns
from emphatic.tables.encodings.choice import learn_encoding
from emphatic.tables.policy import decide

if TYPE_CHECKING:
    import pandas

Numbers = partial(TableTransformer, columns="useful")
"""Standardised numbers and indicators: the usual preparation."""


class CategoryColumns(TransformerMixin, BaseEstimator):
    """Turn a table into a pandas frame: numbers as float64, nominal columns as categories of text.

    For classifiers that find nominal columns by their dtype. Missing values stay missing, and so become categories that
    the training rows did not have, or that are not among the `max_categories` most frequent of a column. Dates and free
    text become numbers, as they do for all others. Columns are named by their numbers, as some libraries refuse some
    names; those of no use are left out (`decide_columns`, which `columns` overrules).

    >>> import numpy as np
    >>> table = np.array([["red", 1.0], ["blue", None]], dtype=object)
    >>> CategoryColumns().fit(table).transform([["green", 2.0], ["red", 3.0]])
          0    1
    0   NaN  2.0
    1   red  3.0
    """

    def __init__(self, max_categories: int | None = None, columns: Any = None) -> None:
        self.max_categories = max_categories
        self.columns = columns

    @all_or_nothing
    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn kinds and categories; y is ignored."""
        read = read_columns(self, X, reset=True)
        named = hasattr(self, "feature_names_in_")
        self.columns_ = decide(read, None, self.columns, self.max_categories or sys.maxsize, named)
        self._encodings = [
            None if one.left_out or one.kind == "category" else learn_encoding(one, one.read(column))
            for one, column in zip(self.columns_, read, strict=True)
        ]
        return self

    def transform(self, X: Any) -> pandas.DataFrame:
        """Return the frame of the rows of X."""
        import pandas

        done: dict[str, Any] = {}
        read = read_columns(self, X, reset=False)
        for j, (decision, encoding, column) in enumerate(zip(self.columns_, self._encodings, read, strict=True)):
            if decision.left_out:
                continue
            cells = decision.read(column)
            if encoding is not None:
                done |= {f"{j}_{k}": values for k, values in enumerate(encoding.encode(cells).T)}
            elif decision.categories is not None:
                categories = [name for name in decision.categories if name is not None]
                known = set(categories)  # pandas warns of others before it makes them missing
                done[str(j)] = pandas.Categorical([one if one in known else None for one in cells], categories)
            else:
                done[str(j)] = cells
        return pandas.DataFrame(done, index=range(len(read[0].cells)))
