"""Trees on partitions: grown level by level, from the draws of the tree in memory, they are that tree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from emphatic import RealAdaBoostClassifier
from emphatic.emphasis import Mixed
from emphatic.learners.random_tree import RandomTree, Shape
from tests.partitions.conftest import assert_same_model, make_table, split


def assert_same_tree(found: Any, expected: Any) -> None:
    """The same splits, to the last bit, and leaves that differ by rounding."""
    for name in ("feature", "threshold", "child", "roots"):
        ours, theirs = getattr(found.trees_, name), getattr(expected.trees_, name)
        assert ours.dtype == theirs.dtype
        np.testing.assert_array_equal(ours, theirs)
    np.testing.assert_allclose(found.trees_.values, expected.trees_.values, rtol=0, atol=1e-12)


# leaves of more than one row: of two rows every split is as good as any other, and rounding chooses
@pytest.mark.parametrize("shape", [Shape(1), Shape(5, 5), Shape(12, 2), Shape(7, 10, "all"), Shape(3, 200)], ids=str)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_tree_is_the_one_in_memory(shape: Shape, n_classes: int, sizes: tuple[int, ...]) -> None:
    X, y = make_table(n_classes)
    X[:, 3] = X[0, 3]  # a column that divides nothing
    tree = RandomTree(shape, random_state=3)
    expected, found = clone(tree).fit(X, y), clone(tree).fit(*split(X, y, sizes))
    assert_same_tree(found, expected)
    assert len(expected.trees_.child) > 1


def test_a_leaf_per_class_ends_the_growth() -> None:
    X, y = np.repeat([[0.0], [1.0]], 50, axis=0), np.repeat([0, 1], 50)
    tree = RandomTree(Shape(9), random_state=0)
    expected, found = clone(tree).fit(X, y), clone(tree).fit(*split(X, y, (30, 70)))
    assert_same_tree(found, expected)
    assert found.trees_.child.tolist() == [1, 0, 0]


def test_a_table_that_nothing_divides_is_a_leaf() -> None:
    X, y = np.zeros((20, 2)), np.arange(20) % 2
    expected, found = (RandomTree(random_state=0).fit(*data) for data in ((X, y), split(X, y, (15, 5))))
    assert_same_tree(found, expected)
    assert found.trees_.child.tolist() == [0]


def test_boosted_trees_are_those_in_memory(sizes: tuple[int, ...]) -> None:
    X, y = make_table(3)
    model = RealAdaBoostClassifier(RandomTree(Shape(4, 5)), Mixed(0.3), 4, random_state=0)
    expected, found = clone(model).fit(X, y), clone(model).fit(*split(X, y, sizes))
    assert_same_model(found, expected, X, 1e-10 if len(sizes) == 1 else 1e-8)


def test_rows_of_weight_0_count_as_absent() -> None:
    X, y = make_table()
    weights = np.random.default_rng(1).random(len(y))
    weights[::7] = 0.0
    tree = RandomTree(Shape(6, 5), random_state=0)
    expected = clone(tree).fit(X, y, weights)
    assert_same_tree(clone(tree).fit(*split(X, y, (300, 150, 430, 20)), weights), expected)


def test_parameters_are_checked() -> None:
    X, y = make_table()
    with pytest.raises(TypeError, match=r"shape=6 is not allowed"):
        RandomTree(6).fit(*split(X, y, (450, 450)))
