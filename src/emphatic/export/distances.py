"""Distances of rows and units, as far as operators can compute them in the way of our kernels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from emphatic.export.graph import Value, add_up

BLOCK = 2**18
"""Differences of all inputs of a block at most, 1 MB."""

MOST_ROWS = 64
"""Of a block: a single row is computed as a whole block."""


class SquaredDistances:
    """|x|^2 + |c|^2 - 2 x.c as one product of (x, |x|^2, 1) with a column per unit, times any factor.

    In double precision: in single precision nothing would be left of it where a row is near a unit. Where it is 0,
    rounding may leave a little less.

    Parameters
    ----------
    rows : (rows, inputs)
    centres : (inputs, units)
    """

    def __init__(self, rows: Value, centres: NDArray[np.float32]) -> None:
        x, c = rows.cast(np.float64), centres.astype(np.float64)
        squares = (x * x).sum()
        self.rows = x.graph.concatenate([x, squares, squares * 0.0 + 1.0])
        self.units = np.vstack([-2.0 * c, np.ones(c.shape[1]), np.einsum("ij,ij->j", c, c)])

    def measure(self, factor: float) -> Value:
        """(rows, units)"""
        return self.rows @ (factor * self.units)


class Cityblock:
    """Sums of absolute differences of rows and units, which no operator computes.

    Rows are taken block by block, so that the differences of a block stay in the cache. An indicator x is 0 or v, and
    so is the coordinate c of a unit: its |x - c| is x or v - x, and all indicators together are one product.

    Parameters
    ----------
    centres : (inputs, units)
    indicators : (inputs,), which of the inputs are indicators
    """

    def __init__(self, centres: NDArray[np.float32], indicators: NDArray[np.bool_]) -> None:
        self.centres = centres
        self.numbers, self.indicators = np.flatnonzero(~indicators), np.flatnonzero(indicators)
        self.n_rows = int(np.clip(BLOCK // max(1, len(self.numbers) * centres.shape[1]), 1, MOST_ROWS))

    def measure(self, rows: Value) -> Value:
        """(rows, units), in single precision, for rows that `fill_blocks` made."""
        n_inputs, n_units = self.centres.shape
        blocks = rows.apply("Reshape", np.array([-1, self.n_rows, n_inputs]))
        return rows.graph.scan(blocks, self._measure_block).apply("Reshape", np.array([-1, n_units]))

    def fill_blocks(self, rows: Value) -> Value:
        """The rows, and as many rows of zeros as the last block lacks."""
        zero = rows.graph.constant(np.array([0]))
        lacking = (-count_rows(rows)).apply("Mod", np.array([self.n_rows]))
        return rows.apply("Pad", rows.graph.node("Concat", zero, zero, lacking, zero, axis=0))

    def _measure_block(self, block: Value) -> Value:
        parts = []
        if len(self.numbers):
            # inputs first: a sum over that axis adds whole matrices, one after another, as our kernel does
            columns = block.columns(self.numbers).apply("Transpose", perm=[1, 0]).apply("Unsqueeze", np.array([2]))
            gaps = (columns - self.centres[self.numbers, None, :]).apply("Abs")
            parts.append(gaps.apply("ReduceSum", np.array([0]), keepdims=0))
        if len(self.indicators):
            units = self.centres[self.indicators]
            parts.append(block.columns(self.indicators) @ np.where(units > 0, -1.0, 1.0) + units.sum(axis=0))
        return add_up(parts)


def count_rows(value: Value) -> Value:
    """Their number, as a vector of one."""
    return value.shape().apply("Gather", np.array([0]), axis=0)
