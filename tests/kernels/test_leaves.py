"""Rows that go down trees side by side reach the leaves that they reach alone, and add the same bits."""

import numpy as np
import pytest

from emphatic.kernels.leaves import LANES, MANY, PART, add_leaves, add_one_by_one
from emphatic.kernels.random_trees import Trees
from emphatic.learners.random_tree import Shape, join_trees

N_TREES = 5


def grow_trees(shape, n=60, n_features=3, n_classes=3):
    rng = np.random.default_rng(0)
    inputs, codes = rng.normal(size=(n, n_features)).astype(np.float32), rng.integers(n_classes, size=n)
    rows, columns = np.arange(n, dtype=np.int32), np.ascontiguousarray(inputs.T)
    grown = [shape.grow(columns, codes, np.ones(n), rows, n_classes, rng) for _ in range(N_TREES)]
    return join_trees(grown, np.ones(N_TREES))


def make_chain(depth):
    """A tree whose second children alone go on: row i leaves at the first level whose number is at least its input."""
    inner = 2 * np.arange(depth)  # the other nodes are leaves
    feature, child = np.zeros(2 * depth + 1, np.int32), np.zeros(2 * depth + 1, np.int32)
    threshold, places = np.zeros(2 * depth + 1, np.float32), np.arange(2 * depth + 1.0)[:, None]
    child[inner], threshold[inner] = inner + 1, np.arange(depth)
    return Trees(feature, threshold, child, places, np.zeros(1, np.int32))


def evaluate(kernel, X, trees):
    score = np.full((len(X), trees.values.shape[1]), 0.25)
    kernel(X, trees, score)
    return score


@pytest.mark.parametrize("n", [0, 1, LANES, MANY // N_TREES, MANY // N_TREES + 1, MANY // N_TREES + LANES])
@pytest.mark.parametrize("shape", [Shape(1), Shape(3), Shape(40, tries="all")])
def test_many_rows_reach_the_leaves_that_each_reaches_alone(n, shape):
    trees = grow_trees(shape)
    X = np.random.default_rng(1).normal(size=(n, 3)).astype(np.float32)
    np.testing.assert_array_equal(evaluate(add_leaves, X, trees), evaluate(add_one_by_one, X, trees))


def test_a_long_branch_is_followed_to_its_end():
    trees = make_chain(depth=50)
    X = np.arange(-1, MANY - 1, dtype=np.float32)[:, None]
    expected = np.where(X < 50, 2.0 * np.ceil(np.maximum(X, 0)) + 1.0, 100.0)
    np.testing.assert_array_equal(evaluate(add_leaves, X, trees), 0.25 + expected)


def make_stump(threshold):
    """Which says 1 for an input of at most the threshold, and 2 for a larger one."""
    whole, single = np.zeros(3, np.int32), np.array([threshold, 0.0, 0.0], np.float32)
    return Trees(whole, single, np.array([1, 0, 0], np.int32), np.array([[0.0], [1.0], [2.0]]), whole[:1])


def test_numbers_are_compared_as_they_are():
    """Of both signs, equal to a threshold, infinite, tiny; and 0.0 equals -0.0."""
    special = np.array([-np.inf, -1.5, -1e-45, -0.0, 0.0, 1e-45, 1.5, np.inf], np.float32)
    X = np.resize(special, (MANY // len(special), 1))
    trees = join_trees([make_stump(threshold) for threshold in special], 3.0 ** np.arange(len(special)))
    expected = sum(3.0**k * (1.0 + (X > threshold)) for k, threshold in enumerate(special))
    np.testing.assert_array_equal(evaluate(add_leaves, X, trees), 0.25 + expected)


def test_inputs_too_many_for_a_word_are_told_apart():
    trees = make_chain(depth=2)._replace(feature=np.full(5, PART, np.int32))
    X = np.zeros((LANES, PART + 1), np.float32)
    X[:, PART] = np.arange(LANES)
    many = join_trees([trees] * (MANY // LANES), np.ones(MANY // LANES))
    np.testing.assert_array_equal(evaluate(add_leaves, X, many), evaluate(add_one_by_one, X, many))


def test_few_rows_and_trees_need_no_second_kernel(monkeypatch):
    """Compiling it takes longer than a thousand predictions of a small model."""
    monkeypatch.setattr("emphatic.kernels.leaves.add_in_lanes", None)
    trees, n = grow_trees(Shape(6)), MANY // N_TREES - 1
    assert evaluate(add_leaves, np.zeros((n, 3), np.float32), trees).shape == (n, 3)
    with pytest.raises(TypeError, match="NoneType"):
        evaluate(add_leaves, np.zeros((n + LANES, 3), np.float32), trees)
