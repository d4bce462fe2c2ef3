"""The kernels of `EmphaticClassifier` against their slow twins, and distances against SciPy."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from emphatic.auto.candidates.points import Points
from emphatic.kernels.draws import uniform
from emphatic.kernels.leaves import add_leaves, add_leaves_left_out
from emphatic.kernels.random_trees import Trees, grow
from emphatic.kernels.softmax_mlp import Layers, Pace, Progress, lay_out, train
from emphatic.learners.random_tree import Shape, empty_tree, join_trees
from tests.reference import draws as slow_draws
from tests.reference import random_trees as slow_trees
from tests.reference import softmax_mlp as slow_mlp


def table(n=60, inputs=4, n_classes=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, inputs)).astype(np.float32)
    X[:, 0] = np.round(X[:, 0])  # ties
    return X, rng.integers(n_classes, size=n), rng.random(n) + 0.1, rng


# trees


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize(("max_depth", "least", "n_tries"), [(0, 1, 2), (3, 1, 2), (8, 1, 1), (8, 5, 4)])
def test_a_tree_is_that_of_the_slow_twin(n_classes, max_depth, least, n_tries):
    X, codes, weights, rng = table(n_classes=n_classes)
    columns, rows = np.ascontiguousarray(X.T), np.arange(len(X), dtype=np.int32)
    seed = rng.integers(2**64, dtype=np.uint64)
    draws = slow_draws.uniform(seed, 8 * len(X) * n_tries).reshape(2 * len(X), 2 * n_tries, 2)
    tree = empty_tree(len(draws), n_classes)
    size = grow(columns, codes, weights, rows.copy(), seed, n_tries, max_depth, least, tree)
    root = slow_trees.grow(columns, codes, weights, rows, draws, n_tries, max_depth, least, n_classes)
    score = np.zeros((len(X), n_classes))
    add_leaves(X, tree, score)
    np.testing.assert_allclose(score, [slow_trees.values_at(root, x) for x in X])
    np.testing.assert_allclose(tree.values[:size].sum(axis=1), 1)


def test_a_draw_is_that_of_the_slow_twin_at_any_place():
    for seed in (0, 1, 2**64 - 1):
        expected = slow_draws.uniform(seed, 50)
        assert [uniform(np.uint64(seed), place) for place in range(50)] == expected.tolist()
    many = slow_draws.uniform(3, 20_000)
    assert 0 <= many.min() < 0.001
    assert 0.999 < many.max() < 1
    np.testing.assert_allclose(np.histogram(many, 10, (0, 1))[0], 2000, atol=5 * np.sqrt(2000 * 0.9))


def test_a_tree_says_nothing_about_the_rows_it_was_grown_on():
    X, codes, weights, rng = table()
    columns = np.ascontiguousarray(X.T)
    bags = [np.arange(0, 60, 2, dtype=np.int32), np.arange(0, 60, 3, dtype=np.int32)]
    trees = [Shape(4).grow(columns, codes, weights, rows, 3, rng) for rows in bags]
    used = np.array([np.isin(np.arange(60), rows) for rows in bags])
    expected = np.zeros((60, 3))
    for tree, rows in zip(trees, used, strict=True):
        alone = np.zeros((60, 3))
        add_leaves(X, tree, alone)
        expected[~rows] += alone[~rows]
    score = np.zeros((60, 3))
    add_leaves_left_out(X, join_trees(trees, np.ones(2)), used, score)
    np.testing.assert_allclose(score, expected)
    assert not score[used.all(axis=0)].any()


def test_joined_trees_say_the_sum_of_what_they_say_alone():
    X, codes, weights, rng = table()
    columns, rows = np.ascontiguousarray(X.T), np.arange(len(X), dtype=np.int32)
    trees = [Shape(depth).grow(columns, codes, weights, rows, 3, rng) for depth in (0, 2, 5)]
    votes = np.array([0.5, -1.0, 2.0])
    expected = np.zeros((len(X), 3))
    for tree, vote in zip(trees, votes, strict=True):
        alone = np.zeros((len(X), 3))
        add_leaves(X, tree, alone)
        expected += vote * alone
    score = np.zeros((len(X), 3))
    add_leaves(X, join_trees(trees, votes), score)
    np.testing.assert_allclose(score, expected)
    again = np.zeros((len(X), 3))
    add_leaves(X, join_trees([join_trees(trees[:2], votes[:2]), trees[2]], np.array([1.0, 2.0])), again)
    np.testing.assert_allclose(again, expected)


def test_a_tree_without_limits_separates_what_can_be_separated():
    X, codes, weights, rng = table(n=40)
    X[:, 1] = np.arange(40)
    tree = Shape(40, tries="all").grow(np.ascontiguousarray(X.T), codes, weights, np.arange(40, dtype=np.int32), 3, rng)
    score = np.zeros((40, 3))
    add_leaves(X, tree, score)
    np.testing.assert_array_equal(score.argmax(axis=1), codes)
    assert isinstance(tree, Trees)


# networks


def network(inputs, units, n_classes, rng):
    shapes = (inputs, units), (units,), (units, n_classes), (n_classes,)
    return Layers(*(rng.normal(size=shape).astype(np.float32) for shape in shapes))


@pytest.mark.parametrize(("dropout", "decay"), [(0.0, 0.0), (0.0, 0.5), (0.4, 0.0)])
def test_training_is_that_of_the_slow_twin_and_may_be_cut_in_two(dropout, decay):
    X, codes, weights, rng = table()
    targets = np.eye(3, dtype=np.float32)[codes]
    batches = rng.integers(len(X), size=(12, 8)).astype(np.int32)
    kept = rng.random((11, 5)) >= dropout
    first = network(4, 5, 3, rng)
    progress = Progress.begin(first)
    layers, gradients, averages = (lay_out(one, 4, 5, 3) for one in (progress.values, progress.gradient, progress[-1]))
    single, pace, scale = weights.astype(np.float32), Pace(0.01, decay, 0.1), np.float32(kept.size / kept.sum())
    for done, part in ((0, batches[:5]), (5, batches[5:])):
        train(X, targets, single, part, kept, scale, pace, layers, gradients, progress, done)
    expected = slow_mlp.train(X.astype(float), targets, weights, batches, kept, 0.01, decay, 0.1, first)
    for got, wanted in zip((layers, averages), expected, strict=True):
        for one, other in zip(got, wanted, strict=True):
            np.testing.assert_allclose(one, other, atol=2e-4)


def test_the_gradients_of_the_slow_twin_are_finite_differences():
    X, codes, weights, rng = table()
    targets, masks = np.eye(3)[codes], np.ones((len(X), 5))
    layers = [one.astype(np.float64) for one in network(4, 5, 3, rng)]
    _, found = slow_mlp.gradients(X, targets, weights, masks, layers)
    for k, gradient in enumerate(found):
        place = tuple(rng.integers(size) for size in gradient.shape)
        losses = []
        for change in (1e-6, -1e-6):
            moved = [one.copy() for one in layers]
            moved[k][place] += change
            losses.append(slow_mlp.gradients(X, targets, weights, masks, moved)[0])
        assert (losses[0] - losses[1]) / 2e-6 == pytest.approx(gradient[place], abs=1e-6)


# distances


@pytest.mark.parametrize("metric", ["cityblock", "euclidean", "sqeuclidean"])
@pytest.mark.parametrize(("kind", "tolerance"), [(np.float64, 1e-7), (np.float32, 2e-3)])
def test_distances_are_scipys(metric, kind, tolerance):
    X, centres = np.random.default_rng(0).normal(size=(2, 20, 3)).astype(kind)
    found = Points(X, np.ascontiguousarray(centres.T)).distances(metric)
    np.testing.assert_allclose(found, cdist(X, centres, metric), atol=tolerance)
    assert found.dtype == kind
