"""A raw table made into bounded numbers, with a remark about every column that is not used as it is."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator

from emphatic.auto.sparse import Encoded
from emphatic.check import FloatArray
from emphatic.fields import ListOf, Part, Text, saved
from emphatic.tables import TableTransformer
from emphatic.tables.columns import read_checked
from emphatic.tables.decision import Decision

SOFT_LIMIT = 4.0
"""Where the size of an outlier stops counting, in standard deviations."""

BLOCK = 2**15
"""Cells that are bounded at a time: they stay in the cache."""


@saved(transformer=Part("TableTransformer"), notes=ListOf(Text()))
class TableEncoder(BaseEstimator):  # type: ignore[misc]
    r"""Numbers are scaled and softly bounded, categories become indicators.

    1. `TableTransformer` learns kinds, spellings, categories and scales, and fills in missing values. It uses the
       columns that are useful (`emphatic.tables.decide_columns`), or as `columns` says.
    2. z becomes :math:`z / \sqrt{1 + (z / 4)^2}`: an outlier is far away, but not so far that it dominates all
       distances.

    Attributes
    ----------
    notes : list of str
        What a user should know about single columns.
    """

    def __init__(self, columns: Mapping[str, Any] | None = None, max_categories: int | None = None) -> None:
        self.columns = columns
        self.max_categories = max_categories

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn from the rows of X; `y` are labels, for a warning about columns that give them away."""
        columns = "useful" if self.columns is None else self.columns
        self.transformer = TableTransformer(columns=columns, max_categories=self.max_categories).fit(X)
        if y is not None:
            self.transformer.find_copies(X, y)
        self.notes = [f"{remark[0].upper()}{remark[1:]}." for remark in self.transformer.remarks_]
        return self

    @property
    def n_features_in_(self) -> int:
        """Columns of the table."""
        return int(self.transformer.n_features_in_)

    @property
    def n_outputs(self) -> int:
        """Columns of the inputs."""
        return int(self.transformer.n_outputs)

    @property
    def columns_(self) -> list[Decision]:
        """What became of each column."""
        return self.transformer.columns_

    def encode(self, X: Any) -> Encoded:
        """The prepared rows; a sparse matrix becomes a dense table."""
        return Encoded(self.transform(X.toarray() if issparse(X) else X))

    def transform(self, X: Any) -> FloatArray:
        """Return the inputs (n, columns), at least one column, of a table that the classifier has checked."""
        inputs = self.transformer.transform_columns(read_checked(self.transformer, X))
        n_rows = max(1, BLOCK // inputs.shape[1])
        for start in range(0, len(inputs), n_rows):
            z = inputs[start : start + n_rows]
            np.clip(z, -1e6, 1e6, out=z)
            bound = z / SOFT_LIMIT
            bound *= bound
            bound += 1.0
            z /= np.sqrt(bound, out=bound)
        return inputs
