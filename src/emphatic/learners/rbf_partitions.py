"""RBF networks on a table in partitions: what every partition adds, and how it is put together.

Per network, what leaves a partition is the arrival times of some rows, the rows that become centres, five numbers per
cell, and a Gram matrix.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from emphatic.check import FloatArray, IntArray
from emphatic.deferred import evaluate
from emphatic.learners.arrivals import Arrivals, draw_first
from emphatic.learners.rbf_units import Table, Units
from emphatic.margins import count_classes
from emphatic.partitions import Partitions, merge_moments
from emphatic.randomness import RowNoise


class PartitionedTable:
    """A training table in partitions with what every network on it needs, whatever the emphasis."""

    def __init__(self, rows: Partitions, y: Any, n_classes: int, indicators: bool = False) -> None:
        self.rows, self.y = rows, y
        self.n_classes, self.indicators = n_classes, indicators
        self.frequencies = tuple(count_classes(y).tolist())
        (box,) = evaluate(rows.total(measure_box, merge=merge_boxes))
        self.spread, self.diameter = box.spread, box.diameter

    def __len__(self) -> int:
        return len(self.rows)

    def draw_first(self, weights: Any, counts: Sequence[int], rng: np.random.Generator) -> Arrivals:
        """`Table.draw_first` with the same noise for a row as in memory."""
        return draw_first(self.rows, self.y, weights, np.array(counts), RowNoise(rng, len(self)))

    def cell_widths(self, weights: Any, centres: Any, owner: Any, least: float) -> Any:
        """`rbf.cell_widths` of the cells of all rows; `owner` holds the classes of the centres, or is None."""
        from dask import delayed

        found = self.rows.total(
            describe_cells, self.y, weights, shared=[centres, owner, (self.spread, self.diameter)], merge=merge_cells
        )
        return delayed(widths_of_cells)(found, least)

    def sum_products(self, weights: Any, centres: FloatArray, widths: FloatArray, root_of: Any) -> Any:
        """Gram matrix and moments of the units, of all rows."""
        shared = [centres, widths, self.n_classes, self.indicators, root_of]
        return self.rows.total(sum_products_of_rows, self.y, weights, shared=shared)


class Box(NamedTuple):
    """How far a table reaches: numbers, means, sums of squared deviations, least and largest values of its columns."""

    n: int
    mean: FloatArray
    squares: FloatArray
    low: FloatArray
    high: FloatArray

    @property
    def spread(self) -> float:
        """Root mean square of the columns' standard deviations."""
        return float(np.sqrt((self.squares / self.n).mean()))

    @property
    def diameter(self) -> float:
        return float(np.sqrt(((self.high - self.low) ** 2).sum()))


def measure_box(X: FloatArray) -> Box:
    """The box of the rows of one partition."""
    mean = X.mean(axis=0)
    return Box(len(X), mean, ((X - mean) ** 2).sum(axis=0), X.min(axis=0), X.max(axis=0))


def merge_boxes(boxes: Sequence[Box]) -> Box:
    """The box of the rows of several partitions."""
    n, mean, squares = merge_moments(
        np.array([[one.n] for one in boxes]),
        np.array([one.mean for one in boxes]),
        np.array([one.squares for one in boxes]),
    )
    low, high = np.min([one.low for one in boxes], axis=0), np.max([one.high for one in boxes], axis=0)
    return Box(int(n[0]), mean, squares, low, high)


class Cells(NamedTuple):
    """Of each cell: members, weight, and mean and sum of squared deviations of weight times distance."""

    members: FloatArray
    mass: FloatArray
    mean: FloatArray
    squares: FloatArray


def describe_cells(
    X: FloatArray,
    y: IntArray,
    weights: FloatArray,
    centres: FloatArray,
    owner: IntArray | None,
    box: tuple[float, float],
) -> Cells:
    """The cells of the rows of one partition; `box` is the spread and diameter of the whole table."""
    codes, size = y.astype(np.intp), len(centres)
    cell, distance = Units(Table(X, codes, n_classes=2, box=box), centres).cells(owner)
    members = np.bincount(cell, minlength=size).astype(np.float64)
    weighted = weights * distance
    mean = np.bincount(cell, weights=weighted, minlength=size) / np.maximum(members, 1.0)
    squares = np.bincount(cell, weights=(weighted - mean[cell]) ** 2, minlength=size)
    mass = np.bincount(cell, weights=weights, minlength=size)
    return Cells(members, np.asarray(mass, np.float64), mean, np.asarray(squares, np.float64))


def merge_cells(found: Sequence[Cells]) -> Cells:
    """The cells of the rows of several partitions."""
    members, mass, mean, squares = (np.array(one) for one in zip(*found, strict=True))
    n, joint, deviations = merge_moments(members, mean, squares)
    return Cells(n, mass.sum(axis=0), joint, deviations)


def widths_of_cells(cells: Cells, least: float) -> FloatArray:
    """`rbf.cell_widths`: the mean of N D d / sum D is N/mass times that of D d, and so is the standard deviation."""
    n, mass, mean, squares = cells
    scale = np.divide(n, mass, out=np.zeros_like(mass), where=mass > 0.0)
    mu, spread = scale * mean, scale * np.sqrt(squares / np.maximum(n, 1.0))
    usable = (n >= 2.0) & (mu >= least) & (spread >= least) & (spread > 0.0)
    return np.divide(mu * mu, spread, out=np.zeros_like(mu), where=usable)


def sum_products_of_rows(
    X: FloatArray,
    y: IntArray,
    weights: FloatArray,
    centres: FloatArray,
    widths: FloatArray,
    n_classes: int,
    indicators: bool,
    root_of: Any,
) -> tuple[FloatArray, FloatArray]:
    """Gram matrix and moments of the rows of one partition."""
    table = Table(X, y.astype(np.intp), n_classes, indicators)
    units = Units(table, centres)
    units.widths = widths
    root = root_of(weights)
    return units.sum_products(root, table.targets)
