"""Trees with random thresholds: bagged (scored out of bag), and boosted with a mixed emphasis (scored out of fold)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emphatic.auto.candidate import LEAST_LOG, Candidate, Fitted, LeftOut, Points, Size, TrainingData, draw_rows
from emphatic.base import Lesson
from emphatic.blending.temperature import score_columns
from emphatic.boosting.real_adaboost import RealAdaBoostClassifier
from emphatic.check import FloatArray, IntArray
from emphatic.emphasis import Mixed
from emphatic.fields import Flag, Number, Part, TupleOf, Whole, saved
from emphatic.kernels.random_trees import Trees, add_leaves
from emphatic.learners.random_tree import RandomTree, Shape, empty_tree, join_trees
from emphatic.margins import normalise_rows

FULL, SHALLOW = Shape(), Shape(6)

MOST_ROWS = 50_000
"""Rows that a tree, or a boosted ensemble, is grown on."""

PRIOR_TREES = 1e-3
"""What all classes together start from before any tree is added: a row may be in every bootstrap."""


@saved(trees=Part("Trees"), logarithm=Flag())
class ForestModel(NamedTuple):
    """Sum of the values of the leaves; of a bagged forest, its logarithm."""

    trees: Trees
    logarithm: bool

    def scores(self, points: Points) -> FloatArray:
        """(rows, K)"""
        score = np.zeros((len(points.inputs), self.trees.values.shape[1]))
        add_leaves(points.inputs, self.trees, score)
        return np.log(np.maximum(score, np.exp(LEAST_LOG))) if self.logarithm else score_columns(score)

    def check_shape(self, n_inputs: int, n_units: int, n_classes: int) -> None:
        """Raise ValueError unless it is for so many inputs and classes."""
        self.trees.check_shape(n_inputs, 1 if n_classes == 2 and not self.logarithm else n_classes)


class BagLeftOut(NamedTuple):
    """Trees, and which of them have each of the examples not in their bootstrap: (trees, examples)."""

    trees: Trees
    left_out: NDArray[np.bool_]

    def scores(self, points: Points, places: IntArray) -> FloatArray:
        """(rows, K)"""
        n_trees, n_classes = len(self.trees.roots), self.trees.values.shape[1]
        inputs = points.inputs.astype(np.float32, copy=False)
        total = np.full((len(places), n_classes), PRIOR_TREES / n_classes / n_trees)
        for number, left_out in enumerate(self.left_out):
            own = np.flatnonzero(left_out[places])
            values = np.zeros((len(own), n_classes))
            add_leaves(inputs[own], self.trees._replace(roots=self.trees.roots[number : number + 1]), values)
            total[own] += values
        return _log_shares(total)


@saved(shape=Part("Shape"), n_trees=Whole(1))
@dataclass(frozen=True)
class BaggedTrees(Candidate):
    """Every tree is grown on a bootstrap of rows, or of groups, and scores the rows that were left out of it."""

    shape: Shape = FULL
    n_trees: int = 100
    family: ClassVar[str] = "bagged trees"
    fits_once: ClassVar[bool] = True

    def describe(self, variant: int = -1) -> str:
        return f"{self.n_trees} random-split trees, {self.shape}"

    def seconds(self, size: Size) -> float:
        return self.n_trees * _seconds_per_tree(size, self.shape)

    def fit(self, data: TrainingData, fold: int, rng: np.random.Generator) -> Fitted:
        n, columns = len(data.codes), np.ascontiguousarray(data.singles.T)
        total = np.full((n, data.n_classes), PRIOR_TREES / data.n_classes)
        forest, absent = [], []
        for _ in range(self.n_trees):
            bootstrap, left_out = data.draw_bootstrap(MOST_ROWS, rng)
            forest.append(self.shape.grow(columns, data.codes, data.weights, bootstrap, data.n_classes, rng))
            absent.append(np.isin(data.examples, left_out))
            values = np.zeros((len(left_out), data.n_classes))
            add_leaves(data.singles[left_out], forest[-1], values)
            total[left_out] += values
        trees = join_trees(forest, np.full(self.n_trees, 1.0 / self.n_trees))
        return _log_shares(total)[None], BagLeftOut(trees, np.array(absent))

    def merge(self, learnt: Sequence[Any], variant: int) -> ForestModel:
        return ForestModel(learnt[0].trees, logarithm=True)

    def leave_out(self, data: TrainingData, learnt: Sequence[Any], variant: int) -> LeftOut:
        left_out: BagLeftOut = learnt[0]
        return left_out


@saved(lam=Number(0.0, 1.0), shape=Part("Shape"), rounds=TupleOf(Whole(1)))
@dataclass(frozen=True)
class BoostedTrees(Candidate):
    """Real AdaBoost with the mixed emphasis of paper 000; the number of rounds is chosen out of fold."""

    lam: float = 0.5
    shape: Shape = SHALLOW
    rounds: tuple[int, ...] = (10, 20, 40)
    family: ClassVar[str] = "boosted trees"

    def describe(self, variant: int = -1) -> str:
        return f"emphasis Mixed({self.lam:g}), {self.rounds[variant]} rounds of random-split trees, {self.shape}"

    def seconds(self, size: Size) -> float:
        return self.rounds[-1] * (5e-4 + _seconds_per_tree(size, self.shape))

    def fit(self, data: TrainingData, fold: int, rng: np.random.Generator) -> Fitted:
        rows, held_out = data.split(fold)
        rows = draw_rows(rows, MOST_ROWS, rng)
        ensemble = RealAdaBoostClassifier(RandomTree(self.shape), Mixed(self.lam), self.rounds[-1], patience=0)
        ensemble.classes_, ensemble.n_features_in_ = np.arange(data.n_classes), data.inputs.shape[1]
        weights = data.weights[rows]
        ensemble.learn(Lesson(data.singles[rows], data.codes[rows], weights / weights.sum(), rng))
        nothing = empty_tree(1, 1 if data.n_classes == 2 else data.n_classes)  # for the case that no tree has an edge
        forest = [nothing, *(one.trees_ for one in ensemble.estimators_)]
        votes = np.concatenate([np.zeros(1), ensemble.alphas_])
        models = [ForestModel(join_trees(forest[: k + 1], votes[: k + 1]), logarithm=False) for k in self.rounds]
        points = Points(data.singles[held_out])
        return np.array([one.scores(points) for one in models]), models

    def merge(self, learnt: Sequence[Any], variant: int) -> ForestModel:
        forests = [one[variant].trees for one in learnt]
        return ForestModel(join_trees(forests, np.full(len(forests), 1.0 / len(forests))), logarithm=False)


def _log_shares(total: FloatArray) -> FloatArray:
    return np.asarray(np.log(np.maximum(normalise_rows(total), np.exp(LEAST_LOG))))


def _seconds_per_tree(size: Size, shape: Shape) -> float:
    n, n_inputs = min(size.n, MOST_ROWS), size.n_inputs
    scored = 2e-9 * size.n * np.log2(n + 1)
    return float(2e-5 + scored + 8e-9 * n * shape.n_tries(n_inputs) * min(shape.max_depth, np.log2(n + 1)))
