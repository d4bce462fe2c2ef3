"""The contract of a candidate: what it learns from, what it returns, and how it becomes one model."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from emphatic.auto.binning import Binned
from emphatic.blending.folds import draw_folds
from emphatic.blending.ridge import draw_units
from emphatic.check import FloatArray, IntArray
from emphatic.kernels.cityblock import cityblock
from emphatic.kernels.rows import product, squared_distances

LEAST_LOG = -7.0
"""Log probability of a class that the training rows lack, or that a model rules out: about one in a thousand."""

FOLDS_OF_FEW, FOLDS_OF_MANY, MANY_ROWS = 5, 3, 3000
"""From so many rows on, three models of two thirds of the rows are as good as five of four fifths, in half the time."""

FOLDS_IF_QUICK = 8
"""One of them is held out where there is time for a single fit."""

MOST_ACTIVATIONS = 30_000_000
"""Of all kernels' units, 8 bytes each."""

MOST_KERNEL_ROWS = 20_000
"""Rows that kernels are trained on; a thousand units gain little from more."""

MOST_EXAMPLES, MOST_CELLS, FEWEST_EXAMPLES = 500, 2_000_000, 50
"""Training rows that stay after the fit, to measure which columns matter; fewer of a wide table."""


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
            return np.asarray(cityblock(self.inputs, self.centres))
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


def count_folds(n: int) -> int:
    """For a table of n rows."""
    return min(n, FOLDS_OF_FEW if n < MANY_ROWS else FOLDS_OF_MANY)


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
    ) -> TrainingData:
        """Draw folds and units, and scale weights of any sum."""
        n = len(codes)
        folds = tuple(draw_folds(codes, FOLDS_IF_QUICK if is_quick else count_folds(n), rng, groups))
        kernel_rows = draw_rows(np.arange(n), MOST_KERNEL_ROWS, rng)
        units = kernel_rows[draw_units(len(kernel_rows), MOST_ACTIVATIONS, rng)]
        weights = weights / weights.mean()
        return cls(inputs, codes, n_classes, weights, folds, kernel_rows, units, groups, columns, is_quick)

    @property
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


class Model(Protocol):
    """What is left of a candidate when it predicts."""

    def scores(self, points: Points) -> FloatArray:
        """(rows, K), on a scale of its own."""

    def check_shape(self, n_inputs: int, n_units: int, n_classes: int) -> None:
        """Raise ValueError unless it is for so many inputs, kernels' units and classes."""


class LeftOut(Protocol):
    """What is left of a candidate to score the examples of its training data, and rows made of them by changing inputs.

    Each is scored by models that were not trained on the example. Unchanged examples have the scores of the search.
    """

    def scores(self, points: Points, places: IntArray) -> FloatArray:
        """(rows, K); row i of the points is a version of the example number `places[i]`."""


@dataclass(frozen=True)
class FoldsLeftOut:
    """One model per fold; `folds` says which of them was not trained on each example."""

    models: tuple[Model, ...]
    folds: IntArray
    n_classes: int

    def scores(self, points: Points, places: IntArray) -> FloatArray:
        """(rows, K)"""
        result = np.empty((len(places), self.n_classes))
        for fold, model in enumerate(self.models):
            own = np.flatnonzero(self.folds[places] == fold)
            if len(own):
                result[own] = model.scores(Points(points.inputs[own].astype(np.float32), points.centres))
        return result


Fitted = tuple[FloatArray, Any]
"""Scores (variants, rows, K) on rows that a candidate was not trained on, and what it learnt."""


class Candidate(ABC):
    """One way to learn a table. Candidates are values: equal ones learn the same from equal data and random draws.

    A candidate may have several variants that cost next to nothing beside each other: the checkpoints of a network's
    training, the rounds of an ensemble. All of them are scored, and the best one is taken.
    """

    family: ClassVar[str]
    fits_once: ClassVar[bool] = False
    """Whether one fit scores every row without having been trained on it; otherwise there is one fit per fold."""

    @abstractmethod
    def describe(self, variant: int = -1) -> str:
        """In words, without the family."""

    def name(self, variant: int) -> str:
        """In words, with the family."""
        return f"{self.family} ({self.describe(variant)})"

    @abstractmethod
    def seconds(self, size: Size) -> float:
        """A rough estimate for one fit, on one core: how candidates and tables compare is what counts."""

    def make_pilot(self, size: Size) -> Candidate | None:
        """A far cheaper version, which shows whether this one is hopeless; None if its first fold does, or nothing."""
        return None

    def work(self, size: Size) -> float:
        """A rough estimate for all fits."""
        return self.seconds(size) * (1 if self.fits_once else size.n_folds)

    @abstractmethod
    def fit(self, data: TrainingData, fold: int, rng: np.random.Generator) -> Fitted:
        """Learn from all folds but this one, and score it; with `fits_once`, learn from all rows and score them all.

        A row is scored by what has not learnt from it.
        """

    @abstractmethod
    def merge(self, learnt: Sequence[Any], variant: int) -> Model:
        """One model of all fits: the mean of their scores."""

    def leave_out(self, data: TrainingData, learnt: Sequence[Any], variant: int) -> LeftOut:
        """What scores changed versions of the examples of the data by fits that did not see these examples."""
        models = tuple(self.merge([one], variant) for one in learnt)
        return FoldsLeftOut(models, data.fold_of[data.examples], data.n_classes)
