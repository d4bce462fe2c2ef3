"""Inputs cut into bins: all that histograms of gradient-boosted trees need to know of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from emphatic.check import IntArray

MOST_BINS = 255
"""Per input. With 64 trees are grown in two thirds of the time, but tables with sharp edges need more: the error on
diamonds (5,000 rows) was 26.6% instead of 24.4%."""

ROWS_FOR_EDGES = 50_000
"""Rows from which the edges are learnt: more would move them by less than a bin."""


Splits = tuple[NDArray[np.int32], NDArray[np.float32]]
"""Inputs, and thresholds: a value of the first child is at most this."""


class Binned(NamedTuple):
    """Inputs as bytes, in columns of bins: one input each, or indicators of which at most one is set in a row.

    The bin of an input counts its edges that are below its value. The bin of several indicators is the number of the
    one that is set, from 1 on, or 0. See `emphatic.kernels.gradient_trees`.
    """

    codes: NDArray[np.uint8]
    """(n, columns)"""
    edges: tuple[NDArray[np.float32], ...]
    """Of each input, ascending."""
    bundles: tuple[IntArray, ...]
    """Inputs of each column."""

    @classmethod
    def of(cls, inputs: NDArray[np.float32]) -> Binned:
        """Cut so that bins of an input have about equally many rows, or one bin per value where values are few."""
        sample = inputs[:: -(-len(inputs) // ROWS_FOR_EDGES)]
        edges = tuple(_find_edges(np.sort(column)) for column in sample.T)
        columns, bundles = _bundle(_cut(column, edges[j]) for j, column in enumerate(inputs.T))
        return cls(np.stack(columns, axis=1), edges, bundles)

    def cut(self, inputs: NDArray[np.float32]) -> NDArray[np.uint8]:
        """(rows, columns): bins of other rows. Of indicators that were never set together, the last one counts."""
        codes = np.empty((len(inputs), len(self.bundles)), np.uint8)
        for column, bundle in zip(codes.T, self.bundles, strict=True):
            column[:] = _cut(inputs[:, bundle[0]], self.edges[bundle[0]])
            for number, j in enumerate(bundle[1:], start=2):
                column[_cut(inputs[:, j], self.edges[j]) > 0] = number
        return codes

    @property
    def n_bins(self) -> IntArray:
        """Of each column, (columns,)."""
        counts = (len(one) if len(one) > 1 else len(self.edges[one[0]]) for one in self.bundles)
        return np.fromiter(counts, dtype=np.intp) + 1

    @property
    def exclusive(self) -> NDArray[np.bool_]:
        """Whether each column holds several indicators."""
        return np.array([len(one) > 1 for one in self.bundles])

    def find_splits(self, columns: NDArray[np.int32], low: NDArray[np.uint8]) -> Splits:
        """What splits of columns after these bins ask of which input."""
        firsts = np.cumsum([0, *(len(one) for one in self.bundles)])[:-1]
        exclusive = self.exclusive[columns]
        inputs = np.concatenate(self.bundles)[firsts[columns] + np.where(exclusive, low, 0)]
        starts = np.cumsum([0, *(len(one) for one in self.edges)])[:-1]
        every = np.concatenate([*self.edges, np.zeros(1, np.float32)])  # a leaf may name an input without edges
        places = starts[inputs] + np.where(exclusive, 0, low)
        return inputs.astype(np.int32), every[np.minimum(places, len(every) - 1)]


def _cut(values: NDArray[np.float32], edges: NDArray[np.float32]) -> NDArray[np.uint8]:
    """How many edges are below each value."""
    return np.searchsorted(edges, values, side="left").astype(np.uint8)


def _bundle(codes: Iterable[NDArray[np.uint8]]) -> tuple[list[NDArray[np.uint8]], tuple[IntArray, ...]]:
    """Columns of bins, and the inputs of each: an indicator joins the one before if they are never set in one row."""
    columns: list[NDArray[np.uint8]] = []
    bundles: list[list[int]] = []
    after_indicator = False
    for j, code in enumerate(codes):
        is_indicator = bool(code.max() == 1)
        joins = is_indicator and after_indicator and len(bundles[-1]) < MOST_BINS and not (columns[-1] * code).any()
        if joins:
            bundles[-1].append(j)
            columns[-1] = columns[-1] + np.uint8(len(bundles[-1])) * code
        else:
            columns.append(code)
            bundles.append([j])
        after_indicator = is_indicator
    return columns, tuple(np.array(one, dtype=np.intp) for one in bundles)


def _find_edges(ordered: NDArray[np.float32]) -> NDArray[np.float32]:
    """Values after which a bin ends; none for an input that does not vary."""
    values = ordered[np.flatnonzero(np.diff(ordered, append=np.inf))]  # each once
    lower = np.arange(len(values) - 1)
    if len(values) > MOST_BINS:
        places = np.arange(1, MOST_BINS) * len(ordered) // MOST_BINS
        lower = np.unique(np.searchsorted(values, ordered[places - 1]))
        lower = lower[lower < len(values) - 1]
    low, high = values[lower], values[lower + 1]
    middles = low + (high - low) / np.float32(2)  # half-way, so that a new value goes to the nearer side
    return np.where(middles < high, middles, low)  # rounding may reach the next value, which belongs to the next bin
