"""One tree with random thresholds: how it is grown, joined with others, and boosted as a learner."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emphatic import check
from emphatic.base import LARGEST_EDGE, Learner, Lesson, n_outputs
from emphatic.check import FloatArray, IntArray
from emphatic.fields import IfSet, Part, Text, Whole, saved
from emphatic.kernels.boosted_trees import boost as boost_trees
from emphatic.kernels.leaves import add_leaves
from emphatic.kernels.random_trees import Trees
from emphatic.kernels.random_trees import grow as grow_tree
from emphatic.learners.tree_partitions import PartitionedTable, grow_in_partitions
from emphatic.partitions import Partitions

MOST_TRIES = 60
"""Among which the best split is chosen, if a shape does not say otherwise."""


@saved(max_depth=Whole(1), least=Whole(1), tries=Text("root", "all"), most_tries=IfSet(Whole(1), MOST_TRIES))
@dataclass(frozen=True)
class Shape:
    """How large a tree may become, and how its splits are found.

    Attributes
    ----------
    max_depth : of the tree
    least : rows in a leaf
    tries : "root" or "all"; random splits that a node chooses from: the square root of the number of inputs, or as many
        as there are inputs
    most_tries : of "all", at the most
    """

    max_depth: int = 12
    least: int = 1
    tries: str = "root"
    most_tries: int = MOST_TRIES

    def __str__(self) -> str:
        return f"depth {self.max_depth}, {self.least} or more rows per leaf, best of {self.tries} splits"

    def n_tries(self, n_inputs: int) -> int:
        """Splits that a node chooses from."""
        return round(n_inputs**0.5) if self.tries == "root" else min(n_inputs, self.most_tries)

    def grow(
        self,
        columns: NDArray[np.float32],
        codes: IntArray,
        weights: FloatArray,
        rows: NDArray[np.int32],
        n_classes: int,
        rng: np.random.Generator,
    ) -> Trees:
        """A tree of `rows`, whose leaves hold the shares of the classes; `columns` are (inputs, n)."""
        tree = empty_tree(self._most_nodes(len(rows)), n_classes)
        n_tries = self.n_tries(len(columns))
        seed = rng.integers(2**64, dtype=np.uint64)
        size = grow_tree(columns, codes, weights, rows.copy(), seed, n_tries, self.max_depth, self.least, tree)
        return Trees(tree.feature[:size], tree.threshold[:size], tree.child[:size], tree.values[:size], tree.roots)

    def grow_in_partitions(self, table: PartitionedTable, weights: Any, rng: np.random.Generator) -> Trees:
        """`grow` of all rows of a table in partitions."""
        n_tries = self.n_tries(table.rows.shape[1])
        seed = rng.integers(2**64, dtype=np.uint64)
        return grow_in_partitions(table, weights, seed, n_tries, self.max_depth, self.least)

    def boost(
        self,
        columns: NDArray[np.float32],
        codes: IntArray,
        prior: FloatArray,
        n_classes: int,
        lam: float,
        seeds: NDArray[np.uint64],
    ) -> Trees:
        """The trees of Real AdaBoost with the emphasis `Mixed(lam)`, one per seed while they have an edge.

        `prior` are the weights of the samples, sum 1. Leaves hold what a tree says, times its vote. Without any edge
        there is one tree, which says 0.
        """
        size = self._most_nodes(len(codes))
        scratch = empty_tree(size, n_classes)
        forest = empty_tree(size * len(seeds), 1 if n_classes == 2 else n_classes)
        forest = forest._replace(roots=np.zeros(len(seeds), np.int32))
        shape = self.n_tries(len(columns)), self.max_depth, self.least
        n_trees, n_nodes = boost_trees(columns, codes, prior, seeds, lam, LARGEST_EDGE, *shape, scratch, forest)
        return take_trees(forest, max(1, n_trees), max(1, n_nodes))

    def _most_nodes(self, n: int) -> int:
        """Of a tree that is grown on n rows."""
        return max(1, min(2 * n - 1, 2 ** (self.max_depth + 1) - 1))


def empty_tree(size: int, n_columns: int) -> Trees:
    """A tree with room for `size` nodes; it is one leaf of value 0."""
    whole, single = np.zeros(size, np.int32), np.zeros(size, np.float32)
    return Trees(whole, single, whole.copy(), np.zeros((size, n_columns)), np.zeros(1, np.int32))


def join_trees(trees: Sequence[Trees], votes: FloatArray) -> Trees:
    """All trees one after another in the same arrays, the values of their leaves times their votes."""
    starts = np.cumsum([0, *(len(one.child) for one in trees)], dtype=np.int32)
    return Trees(
        np.concatenate([one.feature for one in trees]),
        np.concatenate([one.threshold for one in trees]),
        np.concatenate([np.where(one.child > 0, one.child + start, 0) for one, start in zip(trees, starts)]),
        np.concatenate([vote * one.values for one, vote in zip(trees, votes)]),
        np.concatenate([one.roots + start for one, start in zip(trees, starts)]),
    )


def take_trees(trees: Trees, n_trees: int, n_nodes: int | None = None) -> Trees:
    """The first trees, or all if they are fewer; `n_nodes` is how many nodes they have, if there are empty ones."""
    if n_nodes is None:
        n_nodes = int(trees.roots[n_trees]) if n_trees < len(trees.roots) else len(trees.child)
    feature, threshold, child, values, roots = trees
    return Trees(feature[:n_nodes], threshold[:n_nodes], child[:n_nodes], values[:n_nodes], roots[:n_trees])


@saved(trees_=Part("Trees"))
class RandomTree(Learner):
    """A tree whose every split is the best of a few random ones.

    On Dask collections it grows by a level with every two sums over partitions, which hold their columns in float32 for
    the fit, and is the tree of the fit in memory: every node has draws of its own. Per pass a partition sends, for each
    node of the level, the ranges of twice as many columns as a node tries, or the weights of the classes on one side of
    each split. Where two splits of a node are equally good, as they often are where it has but two or three rows, sums
    in another order may choose the other one.

    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> bool(RandomTree(Shape(6), random_state=0).fit(X, y).score(X, y) > 0.9)
    True
    """

    def __init__(self, shape: Shape = Shape(), random_state: Any = None) -> None:
        self.shape = shape
        self.random_state = random_state

    def prepare(self, X: Any, y: IntArray) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        rows = np.ascontiguousarray(X, dtype=np.float32)
        return rows, np.ascontiguousarray(rows.T)

    def learn(self, lesson: Lesson) -> FloatArray:
        rows, columns = lesson.table
        every = np.arange(len(lesson.y), dtype=np.int32)
        tree = self.shape.grow(columns, lesson.y, lesson.weights, every, len(self.classes_), lesson.rng)
        self._keep(tree)
        return self.respond(rows)

    def check_for_partitions(self) -> None:
        self.check_parameters()

    def prepare_partitions(self, X: Partitions, y: Any) -> PartitionedTable:
        self.check_for_partitions()
        return PartitionedTable(X, y, len(self.classes_))

    def learn_partitions(self, lesson: Lesson) -> Any:
        self._keep(self.shape.grow_in_partitions(lesson.table, lesson.weights, lesson.rng))
        return self.respond_in_partitions(lesson.table.rows)

    def _keep(self, tree: Trees) -> None:
        """Keep what the leaves say instead of the shares of the classes in them."""
        output = 2.0 * tree.values - 1.0
        self.trees_ = tree._replace(values=output[:, 1:].copy() if len(self.classes_) == 2 else output)

    def check_parameters(self) -> None:
        check.instance("shape", self.shape, Shape, "Shape(6)")

    def check_saved(self) -> None:
        super().check_saved()
        self.trees_.check_shape(self.n_features_in_, n_outputs(self.classes_))

    def respond(self, X: Any) -> FloatArray:
        score = np.zeros((len(X), self.trees_.values.shape[1]))
        add_leaves(np.ascontiguousarray(X, dtype=np.float32), self.trees_, score)
        return score[:, 0] if score.shape[1] == 1 else score
