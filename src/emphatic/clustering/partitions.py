"""Rows in partitions, and their weights, as clusterers ask for them: sums over all of them, and a sample."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from emphatic.check import FloatArray, IntArray
from emphatic.clustering.units import check_largest_weight
from emphatic.deferred import evaluate
from emphatic.partitions import Partitions, RowSample


class PartitionedRows:
    """A table in partitions with weights whose mean is 1; `mean_weight` is that of the weights that were given."""

    def __init__(self, rows: Partitions, sample_weight: Any = None) -> None:
        import dask.array

        self.rows = rows
        self.mean_weight = 1.0
        if sample_weight is None:
            self.weights = dask.array.ones(len(rows), chunks=(rows.sizes,))
            return
        total, largest = evaluate(sample_weight.sum(), sample_weight.max())
        check_largest_weight(float(largest))
        if not 0 < total < np.inf:
            raise ValueError("sample_weight must have a finite sum above 0.")
        self.mean_weight = float(total) / len(rows)
        self.weights = sample_weight / self.mean_weight

    def __len__(self) -> int:
        return len(self.rows)

    def add_up(self, function: Callable[..., tuple[Any, ...]], *shared: Any) -> tuple[Any, ...]:
        """Sums over all partitions of what `function(X, weights, *shared)` of each tells."""
        found: tuple[Any, ...] = evaluate(self.rows.total(function, self.weights, shared=shared))[0]
        return found

    def find_largest(self) -> float:
        """The largest magnitude in the table."""
        return float(evaluate(self.rows.total(_find_largest, merge=max))[0])

    def draw_sample(self, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
        """Rows and weights of a sample in memory, in their order; of a small table, all."""
        sample = RowSample(rng, len(self))
        found = self.rows.total(_pick, self.weights, shared=[sample], merge=_join, numbered=True)
        rows, weights = evaluate(found)[0]
        return np.ascontiguousarray(rows), weights


def _find_largest(X: FloatArray) -> float:
    return float(np.abs(X).max())


def _pick(X: FloatArray, weights: FloatArray, start: IntArray, sample: RowSample) -> tuple[FloatArray, FloatArray]:
    chosen = sample.choose(int(start[0]), int(start[0]) + len(X))
    return X[chosen], weights[chosen]


def _join(parts: Sequence[tuple[FloatArray, FloatArray]]) -> tuple[FloatArray, FloatArray]:
    rows, weights = zip(*parts, strict=True)
    return np.concatenate(rows), np.concatenate(weights)
