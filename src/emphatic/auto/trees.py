"""Trees with random thresholds: bagged, judged out of bag, and boosted under a mixed emphasis, judged out of fold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from emphatic import base
from emphatic.auto.candidate import Candidate, Part
from emphatic.auto.lesson import ABSENT, Lesson, Query, both
from emphatic.boosting.real_adaboost import RealAdaBoostClassifier
from emphatic.check import FloatArray
from emphatic.emphasis import Mixed
from emphatic.kernels.random_trees import Trees, add_leaves
from emphatic.learners.random_tree import RandomTree, Shape, empty_tree, join_trees

FULL, SHALLOW = Shape(), Shape(6)

PRIOR_TREES = 1e-3
"""What all classes alike are given before any tree is heard: a row may have been in every bootstrap."""


class ForestModel(NamedTuple):
    """Sum of what the leaves say; a bagged forest says the logarithm of it."""

    trees: Trees
    logarithm: bool

    def scores(self, query: Query) -> FloatArray:
        """(rows, K)"""
        score = np.zeros((len(query.inputs), self.trees.values.shape[1]))
        add_leaves(query.inputs, self.trees, score)
        return np.log(np.maximum(score, np.exp(ABSENT))) if self.logarithm else both(score)


@dataclass(frozen=True)
class BaggedTrees(Candidate):
    """Every tree is grown on a bootstrap, and judges the rows that this left out."""

    shape: Shape = FULL
    n_trees: int = 100
    family: ClassVar[str] = "bagged trees"

    @property
    def variants(self) -> Sequence[int]:
        return (self.n_trees,)

    def describe(self, variant: int = -1) -> str:
        return f"{self.n_trees} random-split trees, {self.shape}"

    def seconds(self, lesson: Lesson) -> float:
        return self.n_trees * _seconds_a_tree(lesson, self.shape)

    def n_parts(self, lesson: Lesson) -> int:
        return 1

    def learn(self, lesson: Lesson, part: int, rng: np.random.Generator) -> Part:
        n, columns = len(lesson.codes), np.ascontiguousarray(lesson.singles.T)
        total = np.full((n, lesson.n_classes), PRIOR_TREES / lesson.n_classes)
        forest = []
        for _ in range(self.n_trees):
            drawn = np.sort(rng.integers(n, size=n)).astype(np.int32)
            forest.append(self.shape.grow(columns, lesson.codes, lesson.weights, drawn, lesson.n_classes, rng))
            left_out = np.flatnonzero(np.bincount(drawn, minlength=n) == 0)
            judged = np.zeros((len(left_out), lesson.n_classes))
            add_leaves(lesson.singles[left_out], forest[-1], judged)
            total[left_out] += judged
        shares = total / total.sum(axis=1, keepdims=True)
        trees = join_trees(forest, np.full(self.n_trees, 1.0 / self.n_trees))
        return Part(slice(None), np.log(np.maximum(shares, np.exp(ABSENT)))[None], trees)

    def join(self, learnt: Sequence[Any], variant: int) -> ForestModel:
        return ForestModel(learnt[0], logarithm=True)


@dataclass(frozen=True)
class BoostedTrees(Candidate):
    """Real AdaBoost with the mixed emphasis of paper 000; the number of rounds is chosen out of fold."""

    lam: float = 0.5
    shape: Shape = SHALLOW
    rounds: tuple[int, ...] = (10, 20, 40)
    family: ClassVar[str] = "boosted trees"

    @property
    def variants(self) -> Sequence[int]:
        return self.rounds

    def describe(self, variant: int = -1) -> str:
        return f"emphasis Mixed({self.lam:g}), {self.rounds[variant]} rounds of random-split trees, {self.shape}"

    def seconds(self, lesson: Lesson) -> float:
        return self.rounds[-1] * (5e-4 + _seconds_a_tree(lesson, self.shape))

    def learn(self, lesson: Lesson, part: int, rng: np.random.Generator) -> Part:
        rows, held_out = lesson.all_but(part), lesson.folds[part]
        ensemble = RealAdaBoostClassifier(RandomTree(self.shape), Mixed(self.lam), self.rounds[-1], patience=0)
        ensemble.classes_, ensemble.n_features_in_ = np.arange(lesson.n_classes), lesson.inputs.shape[1]
        weights = lesson.weights[rows]
        ensemble.learn(base.Lesson(lesson.singles[rows], lesson.codes[rows], weights / weights.sum(), rng))
        nothing = empty_tree(1, 1 if lesson.n_classes == 2 else lesson.n_classes)  # where no tree has an edge
        forest = [nothing, *(one.trees_ for one in ensemble.estimators_)]
        votes = np.concatenate([np.zeros(1), ensemble.alphas_])
        models = [ForestModel(join_trees(forest[: k + 1], votes[: k + 1]), logarithm=False) for k in self.rounds]
        query = Query(lesson.singles[held_out], lesson.singles[:0].T)
        return Part(held_out, np.array([one.scores(query) for one in models]), models)

    def join(self, learnt: Sequence[Any], variant: int) -> ForestModel:
        parts = [one[variant].trees for one in learnt]
        return ForestModel(join_trees(parts, np.full(len(parts), 1.0 / len(parts))), logarithm=False)


def _seconds_a_tree(lesson: Lesson, shape: Shape) -> float:
    n, n_inputs = lesson.inputs.shape
    return float(2e-5 + 2e-8 * n * shape.n_tries(n_inputs) * min(shape.max_depth, np.log2(n + 1)))
