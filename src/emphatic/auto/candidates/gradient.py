"""Gradient-boosted trees: slow steps, each on a part of the rows and inputs; the rounds are chosen out of fold."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from emphatic.auto.candidates.binning import MOST_BINS, Binned, Splits
from emphatic.auto.candidates.contract import LEAST_LOG, Candidate, Fitted, is_past_best
from emphatic.auto.candidates.points import Points
from emphatic.auto.candidates.training_data import Size, TrainingData
from emphatic.blending.temperature import fit_factor
from emphatic.check import FloatArray, IntArray
from emphatic.fields import Array, IfSet, Number, Part, TupleOf, Whole, saved
from emphatic.kernels.gradient_trees import Forest, Rules, boost, make_room
from emphatic.kernels.leaves import add_leaves
from emphatic.kernels.random_trees import Trees
from emphatic.learners.random_tree import join_trees, take_trees

RIDGE = 1.0
"""Added to the second derivative of every leaf."""


@saved(
    classes=Array(np.int64, "classes", low=0),
    baselines=Array(np.float64, "outputs"),
    trees=TupleOf(Part("Trees"), "outputs"),
)
class GradientEnsemble(NamedTuple):
    """Sums of the trees of all rounds: one for two classes, otherwise one per class."""

    classes: IntArray
    """Codes of those that were seen in training."""
    baselines: FloatArray
    """(outputs,): where the sums begin."""
    trees: tuple[Trees, ...]
    """One `Trees` per output, with values (nodes, 1), in the order of the rounds."""

    def check_shape(self, n_inputs: int, n_classes: int) -> None:
        """Raise ValueError unless it is for so many inputs, and for some of so many classes."""
        codes = self.classes
        if not len(codes) or (codes[:-1] >= codes[1:]).any() or codes[-1] >= n_classes:
            raise ValueError(f"gradient-boosted trees have the classes {codes.tolist()} of {n_classes}")
        if len(self.trees) != (1 if len(codes) <= 2 else len(codes)):
            raise ValueError(f"gradient-boosted trees have {len(self.trees)} outputs for {len(codes)} classes")
        for one in self.trees:
            one.check_shape(n_inputs, 1)

    def outputs(self, inputs: NDArray[np.float32]) -> FloatArray:
        """(outputs, rows): the logit of the second of two classes, or a logarithm per class."""
        total = np.repeat(self.baselines[:, None], len(inputs), axis=1)
        for trees, score in zip(self.trees, total, strict=True):
            add_leaves(inputs, trees, score[:, None])
        return total

    def cut(self, n_rounds: int) -> GradientEnsemble:
        """Its first rounds."""
        return self._replace(trees=tuple(take_trees(one, n_rounds) for one in self.trees))


def compute_probabilities(outputs: FloatArray, n_classes: int) -> FloatArray:
    """(rows, classes) of outputs (outputs, rows), summed class by class: a row alone gets the same bits."""
    if n_classes == 2:
        second = expit(outputs[0])
        return np.column_stack([1.0 - second, second])
    powers = np.exp(outputs - outputs.max(axis=0))
    total = np.zeros(outputs.shape[1])
    for one in powers:  # `sum` would add the classes of a single row in another order
        total += one
    return np.ascontiguousarray((powers / total).T)


def compute_logarithms(outputs: FloatArray, classes: IntArray, n_classes: int) -> FloatArray:
    """(rows, K): logarithms of the probabilities, the least one for classes that were not seen in training."""
    logarithms = np.full((outputs.shape[1], n_classes), LEAST_LOG)
    logarithms[:, classes] = np.log(np.maximum(compute_probabilities(outputs, len(classes)), np.exp(LEAST_LOG)))
    return logarithms


@saved(ensembles=TupleOf(Part("GradientEnsemble")), n_classes=Whole(2))
class GradientModel(NamedTuple):
    """Ensembles of all folds, and the number of all classes."""

    ensembles: tuple[GradientEnsemble, ...]
    n_classes: int

    def scores(self, points: Points) -> FloatArray:
        """(rows, K): the mean of the logarithms of their probabilities."""
        total = np.zeros((len(points.inputs), self.n_classes))
        for one in self.ensembles:
            total += compute_logarithms(one.outputs(points.inputs), one.classes, self.n_classes)
        return total / len(self.ensembles)

    def check_shape(self, n_inputs: int, n_units: int, n_classes: int) -> None:
        """Raise ValueError unless it is for so many inputs and classes."""
        if self.n_classes != n_classes or not self.ensembles:
            raise ValueError(f"gradient-boosted trees have {self.n_classes} classes, and {n_classes} are expected")
        for one in self.ensembles:
            one.check_shape(n_inputs, n_classes)


@saved(
    checkpoints=IfSet(TupleOf(Whole(1)), (60,)),
    rate=IfSet(Number(0.0, 1.0), 0.1),
    leaves=IfSet(Whole(2), 15),
    row_share=IfSet(Number(0.0, 1.0), 1.0),
    column_share=IfSet(Number(0.0, 1.0), 1.0),
    least=IfSet(Number(0.0), 1.0),
)
@dataclass(frozen=True)
class GradientTrees(Candidate):
    """Histogram gradient boosting (Friedman 2002) of the log loss; a tree is grown on a part of the rows and inputs.

    Attributes
    ----------
    checkpoints : numbers of rounds; the best is chosen out of fold
    rate : step of a round
    leaves : of a tree, at most
    row_share, column_share : of the rows and of the inputs that a tree is grown on; inputs of which at most one is not
        at its lowest value in any row count as one
    least : second derivatives of a leaf, in sum: 1 are about four rows where two classes are equally probable, and many
        where one is nearly certain; less finds the few rows of a rare class
    """

    checkpoints: tuple[int, ...] = (50, 100, 150, 200, 300, 400, 600)
    rate: float = 0.05
    leaves: int = 31
    row_share: float = 0.7
    column_share: float = 1.0
    least: float = 1.0
    family: ClassVar[str] = "gradient-boosted trees"
    ends_early: ClassVar[bool] = True

    def describe(self, variant: int = -1) -> str:
        return f"{self.checkpoints[variant]} rounds of trees with {self.leaves} leaves, rate {self.rate:g}"

    def seconds(self, size: Size) -> float:
        n, columns = size.n, size.n_histograms or size.n_inputs
        n_bins = size.n_bins or columns * min(n, MOST_BINS)
        n_trees = self.checkpoints[-1] * (1 if size.n_classes == 2 else size.n_classes)
        sums = n * self.row_share * (2.0 + np.log2(self.leaves) / 2.0) * (4.0 + columns * self.column_share)
        splits = 2.0 * self.leaves * n_bins * self.column_share
        return float(3e-3 + n_trees * (2e-5 + 7e-10 * sums + 1e-9 * splits + 1e-8 * n))

    def fit(self, data: TrainingData, fold: int, rng: np.random.Generator) -> Fitted:
        rows, held_out = data.split(fold)
        return self.grow(_GrowthInMemory(self, data, rows, rng), data, held_out)

    def grow(self, growth: Growth, data: TrainingData, held_out: IntArray) -> Fitted:
        """Grow up to the last checkpoint, unless held-out rows show that it is of no use, or time is over."""
        inputs = data.singles[held_out]
        outputs = np.repeat(growth.baselines[:, None], len(held_out), axis=1)
        scores, losses = [], []
        for rounds in self.checkpoints:
            outputs += growth.add_rounds(rounds).outputs(inputs)
            scores.append(compute_logarithms(outputs, growth.classes, data.n_classes))
            losses.append(fit_factor(scores[-1], data.codes[held_out], data.weights[held_out], data.smoothing)[1])
            if is_past_best(losses) or data.is_over():
                break
        missing = len(self.checkpoints) - len(scores)
        return np.array(scores + scores[-1:] * missing), (growth.read_ensemble(), data.n_classes)

    def merge(self, learnt: Sequence[Any], variant: int) -> GradientModel:
        rounds = self.checkpoints[variant]
        return GradientModel(tuple(one.cut(rounds) for one, _ in learnt), learnt[0][1])


class Growth(ABC):
    """Trees of one fit, as far as they are grown.

    `classes` are the codes of those that are seen in training, and `shares` their weights, of any sum.
    """

    def __init__(self, how: GradientTrees, binned: Binned, classes: IntArray, shares: FloatArray) -> None:
        self.binned, self.classes = binned, classes
        shares = shares / shares.sum()
        self.baselines = np.log(shares[1:] / shares[:1]) if len(shares) == 2 else np.log(shares)
        self.rules = Rules(how.rate, how.leaves, RIDGE, how.least, how.row_share, how.column_share)
        self.parts: list[GradientEnsemble] = []
        self.n_rounds = 0

    @abstractmethod
    def boost(self, n_rounds: int, forest: Forest) -> None:
        """Fill the forest with the trees of so many rounds more."""

    def add_rounds(self, n_rounds: int) -> GradientEnsemble:
        """Grow until there are so many rounds; return the new ones, without baselines."""
        more, n_outputs = n_rounds - self.n_rounds, len(self.baselines)
        forest = make_room(more * n_outputs, self.rules.leaves)
        # (of a single class there is one output as well; whatever it is, the probability is 1)
        self.boost(more, forest)
        splits = self.binned.find_splits(forest.feature, forest.low)
        trees = tuple(_gather_trees(forest, splits, n_outputs, k) for k in range(n_outputs))
        self.parts.append(GradientEnsemble(self.classes, np.zeros(n_outputs), trees))
        self.n_rounds = n_rounds
        return self.parts[-1]

    def read_ensemble(self) -> GradientEnsemble:
        """All rounds."""
        trees = (join_trees(one, np.ones(len(one))) for one in zip(*(part.trees for part in self.parts), strict=True))
        return GradientEnsemble(self.classes, self.baselines, tuple(trees))


class _GrowthInMemory(Growth):
    """Trees of some rows of a table in memory."""

    def __init__(self, how: GradientTrees, data: TrainingData, rows: IntArray, rng: np.random.Generator) -> None:
        classes, self.codes = np.unique(data.codes[rows], return_inverse=True)
        self.weights = data.weights[rows]
        super().__init__(how, data.binned, classes, np.bincount(self.codes, self.weights).astype(np.float64))
        self.bins = data.binned.codes[rows]
        self.score = np.repeat(self.baselines[:, None], len(rows), axis=1)
        self.state = rng.integers(2**63, size=1, dtype=np.uint64)

    def boost(self, n_rounds: int, forest: Forest) -> None:
        columns = self.bins, self.binned.n_bins, self.binned.exclusive
        boost(*columns, self.codes, self.weights, n_rounds, self.rules, self.score, self.state, forest)


def _gather_trees(forest: Forest, splits: Splits, n_outputs: int, output: int) -> Trees:
    """The trees of one output, without the room that they did not need."""
    features, thresholds = splits
    sizes = forest.sizes[output::n_outputs]
    roots = np.cumsum(sizes) - sizes
    room = len(forest.child) // len(forest.sizes)
    firsts = room * np.arange(output, len(forest.sizes), n_outputs)
    places = np.repeat(firsts - roots, sizes) + np.arange(sizes.sum())
    child = forest.child[places]
    child = np.where(child > 0, child + np.repeat(roots, sizes), 0).astype(np.int32)
    values = forest.value[places][:, None]
    return Trees(features[places], thresholds[places], child, values, roots.astype(np.int32))
