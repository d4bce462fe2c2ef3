"""A raw table made into bounded numbers, with a word about every column that is not used as it stands."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from emphatic.check import FloatArray
from emphatic.tables import TableTransformer

SOFT_LIMIT = 4.0
"""Where an outlier stops counting by its size, in standard deviations."""

MOST_CATEGORIES = 50
"""Indicators of one column at the most: those of its most frequent categories."""

IDENTIFYING_SHARE, FEWEST_ROWS = 0.9, 20
"""A column of names that are different in this share of at least so many rows names the rows, and tells nothing."""


class TableEncoder:
    r"""Numbers are scaled and softly bounded, names become indicators.

    1. `TableTransformer` learns kinds, categories and scales, and fills holes.
    2. A nominal column keeps the indicators of its 50 most frequent categories; in all others, and in those that are
       new when it predicts, these are 0. A column that names nearly every row differently is left out.
    3. z becomes :math:`z / \sqrt{1 + (z / 4)^2}`: an outlier is far away, but not so far that it rules all distances.

    Attributes
    ----------
    notes : list of str
        What a user should know about single columns.
    """

    def fit(self, X: Any) -> Self:
        """Learn from the rows of X."""
        self.transformer = TableTransformer().fit(X)
        self.notes: list[str] = []
        categories = self.transformer.categories_
        nominal = [j for j, names in enumerate(categories) if names is not None and len(names) > FEWEST_ROWS // 2]
        if nominal:
            coder = TableTransformer(nominal="ordinal", scale="none").fit(X)
            codes = coder.transform(X).astype(np.intp)
            names = getattr(self.transformer, "feature_names_in_", [f"x{j}" for j in range(len(categories))])
            for j in nominal:
                categories[j] = self._kept(str(names[j]), categories[j], codes[:, j])
        return self

    def _kept(self, name: str, categories: list[Any], codes: np.ndarray) -> list[Any]:
        """The categories that get an indicator."""
        n = len(codes)
        if n >= FEWEST_ROWS and len(categories) > IDENTIFYING_SHARE * n:
            self.notes.append(
                f"Column {name!r} has {len(categories)} different names in {n} rows: it is taken for an identifier and "
                "left out."
            )
            return []
        if len(categories) <= MOST_CATEGORIES:
            return categories
        self.notes.append(
            f"Column {name!r} has {len(categories)} categories: the {MOST_CATEGORIES} most frequent are told apart."
        )
        frequent = np.argsort(-np.bincount(codes, minlength=len(categories)), kind="stable")[:MOST_CATEGORIES]
        return [categories[code] for code in np.sort(frequent)]

    def transform(self, X: Any) -> FloatArray:
        """(n, inputs), at least one."""
        z = np.clip(self.transformer.transform(X), -1e6, 1e6)
        if not z.shape[1]:
            return np.zeros((len(z), 1))
        return np.asarray(z / np.sqrt(1.0 + (z / SOFT_LIMIT) ** 2))
