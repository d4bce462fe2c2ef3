"""What a search found, and the table that scikit-learn's users know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emphatic.check import FloatArray


@dataclass(frozen=True)
class Scores:
    """`values` (candidates, folds) where `tried`; NaN for a fit that failed."""

    candidates: list[dict[str, Any]]
    values: FloatArray
    tried: NDArray[np.bool_]

    @property
    def n_folds(self) -> NDArray[np.intp]:
        return self.tried.sum(axis=1)

    @property
    def means(self) -> FloatArray:
        """Mean over the folds that were tried; NaN if one of them failed."""
        return np.where(self.tried, self.values, 0.0).sum(axis=1) / self.n_folds

    def ranks(self) -> NDArray[np.int32]:
        """1 for the best: first those tried on most folds, among them by the mean; equal ones share the best rank."""
        means = np.where(np.isnan(self.means), -np.inf, self.means)
        keys = list(zip(-self.n_folds, -np.round(means, 12), strict=True))
        return np.array([1 + sum(other < key for other in keys) for key in keys], dtype=np.int32)


def results_table(scores: Scores) -> dict[str, Any]:
    """Columns as in `GridSearchCV.cv_results_`, and `n_folds`."""
    names = sorted({name for candidate in scores.candidates for name in candidate})
    table: dict[str, Any] = {}
    for name in names:
        column = np.ma.MaskedArray(np.empty(len(scores.candidates), dtype=object), mask=True)
        for row, candidate in enumerate(scores.candidates):
            if name in candidate:
                column[row] = candidate[name]
        table[f"param_{name}"] = column
    table["params"] = scores.candidates
    for fold in range(scores.values.shape[1]):
        table[f"split{fold}_test_score"] = np.where(scores.tried[:, fold], scores.values[:, fold], np.nan)
    spread = np.where(scores.tried, scores.values - scores.means[:, None], 0.0)
    table["mean_test_score"] = scores.means
    table["std_test_score"] = np.sqrt((spread**2).sum(axis=1) / scores.n_folds)
    table["rank_test_score"] = scores.ranks()
    table["n_folds"] = scores.n_folds
    return table
