"""Linear candidates for all columns of a sparse matrix: logistic regression, and naive Bayes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from emphatic.auto.candidates.contract import LEAST_LOG, Candidate, Fitted
from emphatic.auto.candidates.kernels import KernelRidge
from emphatic.auto.candidates.networks import Network
from emphatic.auto.candidates.points import Points
from emphatic.auto.candidates.training_data import Size, TrainingData
from emphatic.auto.candidates.trees import BaggedTrees
from emphatic.check import FloatArray, IntArray
from emphatic.fields import Array, Number, TupleOf, saved

MOST_STEPS = 100
"""Of the solver of logistic regression: what is not learnt by then hardly matters out of fold."""

MOST_VISITS = 10.0
"""Visits to samples in the training of a network, in units of those of a small table."""


@saved(weights=Array(np.float32, "columns", "classes"), biases=Array(np.float64, "classes"))
class SparseLinearModel(NamedTuple):
    """X W + b, where X has all columns of a sparse matrix."""

    weights: NDArray[np.float32]
    biases: FloatArray

    def scores(self, points: Points) -> FloatArray:
        """(rows, K); each row is summed on its own, in the order of its columns."""
        assert points.columns is not None
        return np.asarray(points.columns @ self.weights + self.biases, dtype=np.float64)

    def check_shape(self, n_inputs: int, n_units: int, n_classes: int) -> None:
        """Raise ValueError unless it is for so many classes; its columns are those of the matrix (`check_columns`)."""
        if self.weights.shape[1] != n_classes:
            raise ValueError(f"a linear model has weights of the shape {self.weights.shape}")

    def check_columns(self, n_columns: int) -> None:
        """Raise ValueError unless it is for so many columns of a sparse matrix."""
        if len(self.weights) != n_columns:
            raise ValueError(f"a linear model has weights of {len(self.weights)} columns of {n_columns}")


@dataclass(frozen=True)
class SparseLinear(Candidate):
    """A linear model of all columns of a sparse matrix, in several variants."""

    def fit(self, data: TrainingData, fold: int, rng: np.random.Generator) -> Fitted:
        assert data.columns is not None
        rows, held_out = data.split(fold)
        present = np.unique(data.codes[rows])
        models = []
        for learnt in self.learn(data.columns[rows], np.searchsorted(present, data.codes[rows]), data.weights[rows]):
            weights = np.zeros((data.columns.shape[1], data.n_classes), dtype=np.float32)
            biases = np.full(data.n_classes, LEAST_LOG)
            weights[:, present], biases[present] = learnt
            models.append(SparseLinearModel(weights, biases))
        points = Points(data.inputs[held_out], columns=data.columns[held_out])
        return np.array([one.scores(points) for one in models]), models

    @abstractmethod
    def learn(
        self, X: sparse.csr_array, codes: IntArray, weights: FloatArray
    ) -> list[tuple[NDArray[np.floating], FloatArray]]:
        """Weights (columns, K) and biases (K,) of each variant, for the classes 0 .. K-1 that are all there."""

    def merge(self, learnt: Sequence[Any], variant: int) -> SparseLinearModel:
        models = [one[variant] for one in learnt]
        weights = np.asarray(np.mean([one.weights for one in models], axis=0, dtype=np.float32))
        return SparseLinearModel(weights, np.mean([one.biases for one in models], axis=0))


@saved(strengths=TupleOf(Number(0.0)))
@dataclass(frozen=True)
class SparseLogistic(SparseLinear):
    """Multinomial logistic regression with a ridge, whose strength is chosen out of fold."""

    strengths: tuple[float, ...] = (1.0, 5.0, 30.0)
    family: ClassVar[str] = "logistic regression"

    def describe(self, variant: int = -1) -> str:
        return f"all columns, C = {self.strengths[variant]:g}"

    def seconds(self, size: Size) -> float:
        numbers = size.n * size.cells_per_row + 3 * size.n_columns
        return len(self.strengths) * (0.01 + 1e-7 * numbers * (1 if size.n_classes == 2 else size.n_classes))

    def learn(
        self, X: sparse.csr_array, codes: IntArray, weights: FloatArray
    ) -> list[tuple[NDArray[np.floating], FloatArray]]:
        n_classes = int(codes.max()) + 1
        if n_classes == 1:
            return [(np.zeros((X.shape[1], 1)), np.zeros(1)) for _ in self.strengths]
        found: list[tuple[NDArray[np.floating], FloatArray]] = []
        model = LogisticRegression(max_iter=MOST_STEPS, tol=1e-3, warm_start=True)
        for strength in self.strengths:  # each begins where the one before ended
            model.set_params(C=strength).fit(X, codes, sample_weight=weights)
            coefficients, biases = model.coef_.T, model.intercept_
            if n_classes == 2:
                coefficients = np.hstack([np.zeros_like(coefficients), coefficients])
                biases = np.array([0.0, *biases])
            found.append((coefficients.astype(np.float32), biases.copy()))
        return found


@saved(smoothings=TupleOf(Number(0.0)))
@dataclass(frozen=True)
class NaiveBayes(SparseLinear):
    """Multinomial naive Bayes, for matrices without negative values; the smoothing is chosen out of fold."""

    smoothings: tuple[float, ...] = (0.01, 0.1, 1.0)
    family: ClassVar[str] = "naive Bayes"

    def describe(self, variant: int = -1) -> str:
        return f"all columns, smoothing {self.smoothings[variant]:g}"

    def seconds(self, size: Size) -> float:
        return 0.002 + 2e-8 * (size.n * size.cells_per_row + size.n_columns * size.n_classes)

    def learn(
        self, X: sparse.csr_array, codes: IntArray, weights: FloatArray
    ) -> list[tuple[NDArray[np.floating], FloatArray]]:
        """Logarithms of the shares of the columns in each class, centred, and of the shares of the classes."""
        n_classes = int(codes.max()) + 1
        members = sparse.csr_array((weights, (codes, np.arange(len(codes)))), shape=(n_classes, len(codes)))
        totals = (members @ X).toarray().T
        classes = np.bincount(codes, weights)
        found = []
        for smoothing in self.smoothings:
            shares = np.log(totals + smoothing) - np.log(totals.sum(axis=0) + smoothing * len(totals))
            found.append(((shares - shares.mean(axis=1, keepdims=True)), np.log(classes / classes.sum())))
        return found


def list_sparse_candidates(columns: sparse.csr_array) -> tuple[Candidate, ...]:
    """Those that see all columns of a sparse matrix first, then smooth ones that see its strongest directions.

    Trees that are boosted took most of the time there, and had no weight in the blends.
    """
    linear = (NaiveBayes(), SparseLogistic()) if not columns.nnz or columns.data.min() >= 0.0 else (SparseLogistic(),)
    visits = float(np.clip(columns.shape[0] / 1000, 1.0, MOST_VISITS))
    return (
        *linear,
        KernelRidge("euclidean", 0.5),
        KernelRidge("sqeuclidean", 1.0),
        Network(dropout=0.3, step=0.01).scale_training(visits),
        BaggedTrees(),
    )
