"""Boosted trees of one kernel call are those of the boosting loop."""

import numpy as np
import pytest

from emphatic import RealAdaBoostClassifier
from emphatic.base import Lesson
from emphatic.emphasis import Mixed
from emphatic.kernels.leaves import add_leaves
from emphatic.learners.random_tree import RandomTree, Shape, join_trees, take_trees
from emphatic.randomness import child_generator, draw_entropy


def table(n_classes, n=80):
    rng = np.random.default_rng(n_classes)
    X = rng.normal(size=(n, 3)).astype(np.float32)
    return X, np.where(rng.random(n) < 0.7, (X[:, 0] > 0) + (n_classes > 2) * (X[:, 1] > 0), 0).astype(np.intp), rng


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("lam", [0.2, 0.5, 0.8])
@pytest.mark.parametrize("shape", [Shape(3), Shape(4, least=3, tries="all")])
def test_the_kernel_boosts_like_the_boosting_loop(n_classes, lam, shape):
    X, codes, rng = table(n_classes)
    prior = rng.random(len(X)) + 0.1
    prior /= prior.sum()
    ensemble = RealAdaBoostClassifier(RandomTree(shape), Mixed(lam), 8, patience=0)
    ensemble.classes_, ensemble.n_features_in_ = np.arange(n_classes), X.shape[1]
    ensemble.learn(Lesson(X, codes, prior, np.random.default_rng(5)))
    expected = join_trees([one.trees_ for one in ensemble.estimators_], ensemble.alphas_)
    entropy = draw_entropy(np.random.default_rng(5))
    seeds = np.array([child_generator(entropy, turn, 0).integers(2**64, dtype=np.uint64) for turn in range(8)])
    found = shape.boost(np.ascontiguousarray(X.T), codes, prior, n_classes, lam, seeds)
    np.testing.assert_array_equal(found.roots, expected.roots)
    np.testing.assert_array_equal(found.feature[found.child > 0], expected.feature[expected.child > 0])
    np.testing.assert_allclose(found.threshold, expected.threshold)
    np.testing.assert_allclose(found.values, expected.values, atol=1e-9)


def test_without_an_edge_there_is_one_tree_that_says_nothing():
    X, codes = np.zeros((4, 1), np.float32), np.array([0, 1, 0, 1])
    found = Shape(3).boost(X.T.copy(), codes, np.full(4, 0.25), 2, 0.5, np.arange(5, dtype=np.uint64))
    assert (found.roots.tolist(), found.child.tolist(), found.values.tolist()) == ([0], [0], [[0.0]])


def test_the_first_trees_say_what_they_say_among_all():
    X, codes, _ = table(3)
    prior = np.full(len(X), 1 / len(X))
    shape, columns, seeds = Shape(3), np.ascontiguousarray(X.T), np.arange(6, dtype=np.uint64)
    many = shape.boost(columns, codes, prior, 3, 0.5, seeds)
    few = shape.boost(columns, codes, prior, 3, 0.5, seeds[:4])
    for one, other in zip(take_trees(many, 4), few, strict=True):
        np.testing.assert_array_equal(one, other)
    assert all(one is not None and len(one) for one in take_trees(many, 100))
    score = np.zeros((len(X), 3))
    add_leaves(X, take_trees(many, 100), score)
    assert np.mean(score.argmax(axis=1) == codes) > 0.7
