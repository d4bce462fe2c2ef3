"""Gradient-boosted trees of partitions are those of the same rows in memory, to the last bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from emphatic.auto.candidates.gradient import GradientEnsemble, GradientTrees
from emphatic.auto.candidates.training_data import TrainingData
from emphatic.auto.partitioned.growing_tree import GrowingTree
from emphatic.auto.partitioned.trees import AllRowsTrees, SpreadGrowth, SpreadRows
from emphatic.partitions import Partitions
from tests.partitions.conftest import make_table

da = pytest.importorskip("dask.array")

TREES = AllRowsTrees((2, 4), leaves=12)


def make_data(n_classes: int) -> TrainingData:
    """Numbers, and indicators of which one is set, which become one column of bins; weights that differ."""
    X, y = make_table(n_classes)
    rng = np.random.default_rng(1)
    inputs = np.column_stack([X, np.eye(3)[rng.integers(3, size=len(y))]])
    return TrainingData.draw(inputs, y.astype(np.intp), n_classes, rng.random(len(y)) + 0.5, rng)


def grow(data: TrainingData, sizes: tuple[int, ...], how: GradientTrees = TREES, rows: Any = None) -> GradientEnsemble:
    """Trees of all rows but those that the first fold holds out, in partitions."""
    weights = data.weights.copy()
    weights[data.folds[0]] = 0.0
    bins = da.from_array(data.binned.cut(data.singles), chunks=(sizes, -1))
    beside = [da.from_array(values, chunks=(sizes,)) for values in (data.codes, weights)]
    shares = np.bincount(data.codes, weights)
    growth = SpreadGrowth(
        how, data.binned, SpreadRows(Partitions(bins), *beside, shares, 1), np.random.default_rng(0), lambda: None
    )
    growth.add_rounds(how.checkpoints[-1])
    return growth.read_ensemble()


@pytest.mark.parametrize("n_classes", [2, 3])
def test_trees_are_those_of_the_same_rows_in_memory(n_classes: int, sizes: tuple[int, ...]) -> None:
    data = make_data(n_classes)
    assert data.binned.exclusive.any()
    _, (expected, _) = TREES.fit(data, 0, np.random.default_rng(0))
    found = grow(data, sizes)
    np.testing.assert_array_equal(found.baselines, expected.baselines)
    for trees, others in zip(found.trees, expected.trees, strict=True):
        for mine, theirs in zip(trees, others, strict=True):
            np.testing.assert_array_equal(mine, theirs)


def test_rows_of_one_class_that_need_no_split() -> None:
    data = make_data(2)
    stumps = grow(data, (900,), AllRowsTrees((1,), leaves=2, least=1e9))
    assert len(stumps.trees[0].child) == 1


def test_a_tree_asks_about_as_often_as_it_is_deep(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    original = GrowingTree.receive
    monkeypatch.setattr(GrowingTree, "receive", lambda tree, sums: (asked.append(len(sums)), original(tree, sums)))
    (trees,) = grow(make_data(2), (900,), AllRowsTrees((1,), leaves=24)).trees
    n_leaves = int((trees.child == 0).sum())
    depth, level = 0, [0]
    while level := [k for node in level if trees.child[node] for k in (trees.child[node], trees.child[node] + 1)]:
        depth += 1
    assert n_leaves == 24
    assert len(asked) <= depth + 1 < n_leaves // 2


def test_other_rows_are_cut_into_the_bins_of_the_sample() -> None:
    data = make_data(2)
    np.testing.assert_array_equal(data.binned.cut(data.singles), data.binned.codes)
    both = data.singles[:1].copy()
    both[0, 4:] = [1.0, 1.0, 0.0]  # set together for the first time: the last one counts
    assert data.binned.cut(both)[0, 4] == 2
