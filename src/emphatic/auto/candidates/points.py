"""Rows at which models are evaluated."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from emphatic.kernels.cityblock import cityblock
from emphatic.kernels.rows import product, squared_distances


class Points:
    """Rows at which models are evaluated; their distances to the kernels' units are computed once for all members.

    These are rows of the training, scored all at once: products are those of the BLAS.
    """

    def __init__(
        self,
        inputs: NDArray[np.floating],
        centres: NDArray[np.floating] | None = None,
        columns: sparse.csr_array | None = None,
    ) -> None:
        self.inputs, self.columns = inputs, columns
        self.centres = inputs[:0].T if centres is None else centres
        self._distances: dict[str, NDArray[np.floating]] = {}

    def distances(self, metric: str) -> NDArray[np.floating]:
        """(rows, units), in the precision of the inputs."""
        if metric not in self._distances:
            self._distances[metric] = self._compute(metric)
        return self._distances[metric]

    def _compute(self, metric: str) -> NDArray[np.floating]:
        if metric == "cityblock":
            result = np.empty((len(self.inputs), self.centres.shape[1]), self.inputs.dtype)
            cityblock(self.inputs, self.centres, result)
            return result
        if metric == "euclidean":
            return np.sqrt(self.distances("sqeuclidean"))
        return self._squared_distances()

    def _squared_distances(self) -> NDArray[np.floating]:
        squares = -2.0 * (self.inputs @ self.centres)
        squares += np.einsum("ij,ij->i", self.inputs, self.inputs)[:, None]
        squares += np.einsum("ij,ij->j", self.centres, self.centres)
        return np.maximum(squares, 0.0, out=squares)  # rounding may leave less than 0

    def multiply(self, rows: NDArray[np.floating], weights: NDArray[np.floating]) -> NDArray[np.floating]:
        """Product of what a model makes of these points, one row each, and its weights."""
        return rows @ weights


class IndependentPoints(Points):
    """Rows to be predicted: whatever other rows come with it, a row gets the same bits (`emphatic.kernels.rows`)."""

    def _squared_distances(self) -> NDArray[np.floating]:
        squares = np.empty((len(self.inputs), self.centres.shape[1]), self.inputs.dtype)
        squared_distances(self.inputs, self.centres, squares)
        return squares

    def multiply(self, rows: NDArray[np.floating], weights: NDArray[np.floating]) -> NDArray[np.floating]:
        return product(rows, weights)
