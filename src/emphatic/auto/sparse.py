"""A sparse matrix with many columns, as linear members see it, and its dense reduction for all others."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils.extmath import randomized_svd
from sklearn.utils.validation import check_array, validate_data

from emphatic.check import FloatArray
from emphatic.fields import Array, Flag, ListOf, Number, Size, Text, saved
from emphatic.inputs import LARGEST_INPUT
from emphatic.tables.decision import Decision

FEW_COLUMNS = 300
"""A sparse matrix with no more columns than this becomes a dense table, with a decision about every column."""

N_COMPONENTS = 100
"""Columns of the dense reduction."""

LIKE_SIZES = 100.0
"""Columns whose values differ in size by at most this factor are taken to be measured in one unit."""

LARGEST_WEIGHT = 1e150
"""In a model file: products with inputs stay finite."""


class Encoded(NamedTuple):
    """Prepared rows: a dense table for most candidates; of a sparse matrix also all its columns, weighted."""

    inputs: FloatArray
    columns: sparse.csr_array | None = None


def has_sparse_columns(X: Any) -> bool:
    """Whether it is a sparse matrix, or a pandas DataFrame all columns of which are sparse."""
    return sparse.issparse(X) or (hasattr(X, "iloc") and hasattr(X, "sparse"))


def check_sparse(estimator: Any, X: Any, *, reset: bool) -> sparse.csr_array:
    """A sparse matrix or frame, checked as any table is, by rows; NaN is refused."""
    validate_data(estimator, X, reset=reset, skip_check_array=True)
    matrix = X if sparse.issparse(X) else X.sparse.to_coo()
    if matrix.shape[0] == 0:
        raise ValueError(f"X has 0 rows: {type(estimator).__name__} needs at least 1.")
    matrix = check_array(
        matrix, accept_sparse="csr", dtype=np.float64, ensure_all_finite=False, estimator=estimator, input_name="X"
    )
    if not np.isfinite(matrix.data).all():
        raise ValueError(
            "X is sparse and contains NaN or infinity: fill in missing values first, or pass a dense table, in which "
            "NaN is a missing value."
        )
    if len(matrix.data) and np.abs(matrix.data).max() > LARGEST_INPUT:
        raise ValueError(f"X holds values beyond +-{LARGEST_INPUT:g}, whose squares can overflow: scale the columns.")
    return as_csr(matrix)


def as_csr(X: Any) -> sparse.csr_array:
    """Any sparse or dense matrix in rows of rising columns, without stored zeros: equal rows have equal bits."""
    result = sparse.csr_array(X, dtype=np.float64, copy=True)
    result.sum_duplicates()
    result.eliminate_zeros()
    result.sort_indices()
    return result


@saved(
    n_features_in_=Size(low=1, name="columns"),
    counts=Flag(),
    normalises=Flag(),
    weights=Array(np.float64, "columns", low=0.0, high=LARGEST_WEIGHT),
    components=Array(np.float32, "columns", "components", low=-1e6, high=1e6),
    scale=Number(0.0, LARGEST_WEIGHT),
    notes=ListOf(Text()),
)
class SparseEncoder(BaseEstimator):  # type: ignore[misc]
    r"""Columns weighted by how rare they are, and the strongest directions of the result.

    1. Counts (whole numbers, none negative) become :math:`\log_2(1 + x)`: a word that is there ten times says little
       more than one that is there five times.
    2. A column is multiplied by :math:`1 + \log(n / n_j)`, where :math:`n_j` of n rows have a value other than 0: a
       rare value says more than a common one. If columns differ in size by more than a factor of 100, each is first
       divided by the root mean square of its values. A column without any value in training counts for nothing.
    3. Without negative values, rows are scaled to length 1, so that long and short texts are alike; otherwise all rows
       by the same factor.
    4. The dense inputs are the projections of the rows onto the first 100 singular vectors, in units of the
       root mean square of all of them.

    Nothing here knows the labels. The result of a row does not depend on other rows.
    """

    def fit(self, X: sparse.csr_array, rng: np.random.Generator) -> Self:
        """Learn weights and components from a matrix of `as_csr`."""
        n, self.n_features_in_ = X.shape
        positive = not len(X.data) or bool(X.data.min() > 0)
        self.counts = positive and bool((X.data % 1 == 0).all())
        self.normalises = positive
        values = self._values(X)
        present = np.bincount(X.indices, minlength=X.shape[1])
        squares = np.bincount(X.indices, values**2, minlength=X.shape[1])
        seen = squares > 0
        sizes = np.sqrt(squares[seen] / present[seen])
        if len(sizes) and sizes.max() <= LIKE_SIZES * sizes.min():
            sizes = np.full(len(sizes), sizes.max())
        self.weights = np.zeros(X.shape[1])
        self.weights[seen] = (1.0 + np.log(n / present[seen])) / sizes
        self.scale = 1.0
        if not self.normalises:
            self.scale = 1.0 / (float(np.sqrt((self._weigh(X).data ** 2).sum() / n)) or 1.0)
        weighted = self._weigh(X)
        n_components = max(1, min(N_COMPONENTS, n - 1, X.shape[1] - 1))
        seed = int(rng.integers(2**31))
        _, _, directions = randomized_svd(weighted, n_components, n_iter=3, random_state=seed)
        projections = weighted @ directions.T
        spread = float(np.sqrt((projections**2).mean())) or 1.0
        self.components = np.ascontiguousarray(directions.T / spread, dtype=np.float32)
        few = f"the {n_components} strongest directions of them"
        self.notes = [
            f"The matrix is sparse: linear members see its {X.shape[1]:,} columns, weighted by how rare they are; "
            f"the others see {few}."
        ]
        return self

    def encode(self, X: Any) -> Encoded:
        """The prepared rows of a sparse or dense matrix."""
        columns = self._weigh(as_csr(X))
        return Encoded(np.asarray(columns @ self.components, dtype=np.float64), columns)

    @property
    def n_outputs(self) -> int:
        """Columns of the dense inputs."""
        return int(self.components.shape[1])

    @property
    def columns_(self) -> list[Decision]:
        """Nothing is decided about single columns of a sparse matrix."""
        return []

    def _values(self, X: sparse.csr_array) -> NDArray[np.float64]:
        return np.log2(1.0 + np.maximum(X.data, 0.0)) if self.counts else X.data

    def _weigh(self, X: sparse.csr_array) -> sparse.csr_array:
        values = self._values(X) * self.weights[X.indices] * self.scale
        if self.normalises:
            # row by row in a fixed order, as the lengths of its neighbours may not change the bits of a row
            squares = np.bincount(np.repeat(np.arange(X.shape[0]), np.diff(X.indptr)), values**2, minlength=X.shape[0])
            lengths = np.sqrt(squares)
            lengths[lengths == 0] = 1.0
            values = values / np.repeat(lengths, np.diff(X.indptr))
        return sparse.csr_array((values, X.indices, X.indptr), shape=X.shape)
