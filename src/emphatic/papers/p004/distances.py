"""The inputs of all ensembles of paper 004: one numeric table with the distances of the slides."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin

from emphatic.check import FloatArray
from emphatic.tables import TableTransformer


class PaperDistances(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """One numeric table for all ensembles, in which FuzzyBoost finds the paper's distances.

    Categories become indicators, and missing values are imputed. FuzzyBoost scales every column to [0, 1]; two
    categories then differ in two indicators, so their squared distance is 2. To keep the paper's proportion between
    categories and numbers, a table with both kinds holds its numeric columns twice. Trees are not affected: a repeated
    column offers the same splits.
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        self.coding_ = TableTransformer(nominal="one_hot", scale="minmax").fit(X)
        widths = [1 if categories is None else len(categories) for categories in self.coding_.categories_]
        numeric = np.repeat([categories is None for categories in self.coding_.categories_], widths)
        self.twice_ = np.flatnonzero(numeric & ~numeric.all())
        return self

    def transform(self, X: Any) -> FloatArray:
        table = self.coding_.transform(X)
        return np.hstack([table, table[:, self.twice_]])
