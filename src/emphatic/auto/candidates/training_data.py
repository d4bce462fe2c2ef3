"""What the candidates of a search learn from: a prepared table with its labels, folds and units."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from emphatic.auto.candidates.binning import Binned
from emphatic.auto.candidates.points import Points
from emphatic.blending.folds import draw_folds
from emphatic.blending.ridge import draw_units
from emphatic.check import FloatArray, IntArray

FOLDS_OF_FEW, FOLDS_OF_MANY, MANY_ROWS = 5, 3, 3000
"""From so many rows on, three models of two thirds of the rows are as good as five of four fifths, in half the time."""

LEAST_QUICK_FOLDS, MOST_QUICK_FOLDS, ROWS_OF_QUICK_FOLD = 8, 40, 1500
"""One of them is held out where there is time for a single fit: so many rows are enough to judge it, and the others are
better learnt from."""

MOST_ACTIVATIONS = 30_000_000
"""Of all kernels' units, 8 bytes each."""

MOST_KERNEL_ROWS = 20_000
"""Rows that kernels are trained on; a thousand units gain little from more."""

MOST_EXAMPLES, MOST_CELLS, FEWEST_EXAMPLES = 500, 2_000_000, 50
"""Training rows that stay after the fit, to measure which columns matter; fewer of a wide table."""


class Size(NamedTuple):
    """What the time of a fit depends on."""

    n: int
    n_inputs: int
    n_classes: int
    n_folds: int
    """That are held out: fits of a candidate."""
    has_groups: bool
    n_columns: int = 0
    """Of a sparse matrix."""
    cells_per_row: float = 0.0
    """Stored in a sparse matrix."""
    n_histograms: int = 0
    """Columns of bins; 0 if they are not known yet."""
    n_bins: int = 0
    """Of all these columns."""


def count_quick_folds(n: int) -> int:
    """For a table of n rows, where one of them is held out.

    >>> [count_quick_folds(n) for n in (1_000, 10_000, 50_000, 1_000_000)]
    [8, 8, 33, 40]
    """
    return min(MOST_QUICK_FOLDS, max(LEAST_QUICK_FOLDS, n // ROWS_OF_QUICK_FOLD))


def count_folds(n: int) -> int:
    """For a table of n rows."""
    return min(n, FOLDS_OF_FEW if n < MANY_ROWS else FOLDS_OF_MANY)


def never() -> bool:
    """Time without end."""
    return False


@dataclass(frozen=True)
class TrainingData:
    """What all candidates of one search share: a prepared table with its labels, folds and units.

    Attributes
    ----------
    inputs : (n, inputs), bounded numbers
    codes : labels 0 .. n_classes - 1
    weights : of the samples, with mean 1
    folds : rows of each fold; together, all rows
    kernel_rows : rows that kernels are trained on, in their order
    units : those of them on which kernels have their units
    groups : codes 0 .. G-1 of rows that belong together, which no model is both trained and judged on; None: no groups
    columns : of a sparse matrix, all its columns, of which `inputs` are a reduction; None for a dense table
    is_quick : whether candidates are fitted once, without the first fold, on which alone they are judged; otherwise
        once per fold
    is_over : says whether time is over: a training with checkpoints then ends at the next one
    """

    inputs: FloatArray
    codes: IntArray
    n_classes: int
    weights: FloatArray
    folds: tuple[IntArray, ...]
    kernel_rows: IntArray
    units: IntArray
    groups: IntArray | None = None
    columns: sparse.csr_array | None = None
    is_quick: bool = False
    is_over: Callable[[], bool] = never

    @classmethod
    def draw(
        cls,
        inputs: FloatArray,
        codes: IntArray,
        n_classes: int,
        weights: FloatArray,
        rng: np.random.Generator,
        groups: IntArray | None = None,
        columns: sparse.csr_array | None = None,
        *,
        is_quick: bool = False,
        n_folds: int | None = None,
        held_out: IntArray | None = None,
        is_over: Callable[[], bool] = never,
    ) -> TrainingData:
        """Draw folds and units, and scale weights of any sum. `held_out` rows that are given are the first of two."""
        n = len(codes)
        if held_out is None:
            usual = count_quick_folds(n) if is_quick else count_folds(n)
            folds = tuple(draw_folds(codes, n_folds or usual, rng, groups))
        else:
            folds = held_out, np.setdiff1d(np.arange(n), held_out)
        kernel_rows = draw_rows(np.arange(n), MOST_KERNEL_ROWS, rng)
        units = kernel_rows[draw_units(len(kernel_rows), MOST_ACTIVATIONS, rng)]
        weights = weights / weights.mean()
        return cls(inputs, codes, n_classes, weights, folds, kernel_rows, units, groups, columns, is_quick, is_over)

    def draw_again(self, weights: FloatArray, rng: np.random.Generator) -> TrainingData:
        """The same rows and units, for another pass: with other folds and weights."""
        folds = tuple(draw_folds(self.codes, len(self.folds), rng, self.groups))
        again = replace(self, folds=folds, weights=weights / weights.mean())
        # what is derived from the inputs alone, and takes time, is derived once
        derived = ("size", "points", "singles", "binned", "examples")
        vars(again).update({name: value for name, value in vars(self).items() if name in derived})
        return again

    @cached_property
    def size(self) -> Size:
        """What the time of a fit depends on."""
        n, n_inputs = self.inputs.shape
        size = Size(n, n_inputs, self.n_classes, len(self.held_out), self.groups is not None)
        if self.columns is None:
            return size._replace(n_histograms=len(self.binned.bundles), n_bins=int(self.binned.n_bins.sum()))
        return size._replace(n_columns=self.columns.shape[1], cells_per_row=self.columns.nnz / n)

    @property
    def held_out(self) -> tuple[IntArray, ...]:
        """The folds that candidates are fitted without."""
        return self.folds[:1] if self.is_quick else self.folds

    @cached_property
    def judged(self) -> IntArray:
        """The rows of these folds, in their order."""
        return np.sort(np.concatenate(self.held_out))

    @property
    def smoothing(self) -> float:
        """The share of two labels more: however few the samples, they do not make a model certain."""
        return 2.0 / (len(self.judged) + 2.0)

    @cached_property
    def points(self) -> Points:
        """The rows that kernels are trained on, in double precision."""
        return Points(self.inputs[self.kernel_rows], np.ascontiguousarray(self.inputs[self.units].T))

    @cached_property
    def singles(self) -> NDArray[np.float32]:
        """Inputs in single precision, which is enough for networks and trees."""
        return self.inputs.astype(np.float32)

    @cached_property
    def binned(self) -> Binned:
        """Inputs in bins, for gradient-boosted trees. Edges know no labels: all folds share them."""
        return Binned.of(self.singles)

    @cached_property
    def examples(self) -> IntArray:
        """Rows by which a model is explained, in their order: all of few, otherwise a sample, whatever the seed."""
        most = max(FEWEST_EXAMPLES, min(MOST_EXAMPLES, MOST_CELLS // self.inputs.shape[1]))
        rows = self.kernel_rows[np.isin(self.kernel_rows, self.judged)]
        return np.sort(np.random.default_rng(0).permutation(rows)[:most])

    @property
    def fold_of(self) -> IntArray:
        """The number of the fold that each row is in."""
        folds = np.empty(len(self.codes), dtype=np.intp)
        for fold, rows in enumerate(self.folds):
            folds[rows] = fold
        return folds

    def __getstate__(self) -> dict[str, Any]:
        """For pickle, without the distances to units, which are larger than all the rest and computed in no time.

        Nor does the clock of one process tell the time of another.
        """
        return {name: value for name, value in vars(self).items() if name != "points"} | {"is_over": never}

    def draw_bootstrap(self, most_rows: int, rng: np.random.Generator) -> tuple[NDArray[np.int32], IntArray]:
        """Rows, or rows of groups, drawn with replacement; and the rows that were left out, by whole groups.

        Of many rows only `most_rows` are drawn (on average, if there are groups).
        """
        groups = np.arange(len(self.codes)) if self.groups is None else self.groups
        n_groups = int(groups.max()) + 1
        size = max(1, round(n_groups * min(1.0, most_rows / len(groups))))
        times = np.bincount(rng.integers(n_groups, size=size), minlength=n_groups)[groups]
        return np.repeat(np.arange(len(groups), dtype=np.int32), times), np.flatnonzero(times == 0)

    def split(self, fold: int) -> tuple[IntArray, IntArray]:
        """Rows of all other folds, and those of this one."""
        held_out = self.folds[fold]
        others = np.ones(len(self.codes), dtype=bool)
        others[held_out] = False
        return np.flatnonzero(others), held_out


def draw_rows(rows: IntArray, most: int, rng: np.random.Generator) -> IntArray:
    """All of few rows, otherwise as many as allowed, drawn without replacement; in their order."""
    return rows if len(rows) <= most else np.sort(rng.permutation(rows)[:most])
