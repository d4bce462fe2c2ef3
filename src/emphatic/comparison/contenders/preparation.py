"""Tables prepared for contenders that cannot take them raw, or that have a way of their own with nominal columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.pipeline import Pipeline

from emphatic.tables import TableTransformer

if TYPE_CHECKING:
    import pandas

    from emphatic.study.tasks import Setting


def prepared(estimator: Any, setting: Setting, table: Any = None) -> Pipeline:
    """The estimator, with what the setting names, behind indicators and standardised numbers, or behind `table`.

    >>> from sklearn.svm import SVC
    >>> prepared(SVC(), {"C": 10.0})
    Pipeline(steps=[('table', TableTransformer()), ('model', SVC(C=10.0))])
    """
    return Pipeline([("table", table or TableTransformer()), ("model", estimator.set_params(**setting))])


class CategoryColumns(TransformerMixin, BaseEstimator):
    """Give a pandas frame: numbers as float64, nominal columns as categories of text, holes left as holes.

    For contenders that find nominal columns by their dtype. The categories are those of the training rows; others are
    holes. Which columns are nominal is decided as in `TableTransformer`. Columns are called by their numbers, as some
    libraries refuse some names.

    >>> import numpy as np
    >>> table = np.array([["red", 1.0], ["blue", None]], dtype=object)
    >>> CategoryColumns().fit(table).transform([["green", 2.0], ["red", 3.0]])
          0    1
    0   NaN  2.0
    1   red  3.0
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the categories; y is ignored."""
        kinds = TableTransformer(nominal="ordinal").fit(X)
        self.n_features_in_ = kinds.n_features_in_
        self.categories_ = [
            None if found is None else [category for category in found if category is not None]
            for found in kinds.categories_
        ]
        return self

    def transform(self, X: Any) -> pandas.DataFrame:
        """Give the frame of the rows of X."""
        import pandas

        columns = _columns(X)
        if len(columns) != len(self.categories_):
            raise ValueError(f"X has {len(columns)} columns, but fit saw {len(self.categories_)}.")
        done: dict[str, Any] = {}
        for j, (cells, categories) in enumerate(zip(columns, self.categories_, strict=True)):
            holes = pandas.isna(cells)
            if categories is None:
                done[str(j)] = np.where(holes, np.nan, cells).astype(np.float64)
            else:
                known = set(categories)  # pandas warns of others before it makes them holes
                texts = [None if hole else str(cell) for cell, hole in zip(cells, holes, strict=True)]
                kept = [text if text in known else None for text in texts]
                done[str(j)] = pandas.Categorical(kept, categories=categories)
        return pandas.DataFrame(done)


def _columns(X: Any) -> list[np.ndarray]:
    """Cells of every column of a pandas or polars frame, an array or rows."""
    if hasattr(X, "columns"):
        return [np.asarray(X[name], dtype=object) for name in X.columns]
    return list(np.asarray(X, dtype=object).T)
