"""scikit-learn's trees in flat arrays decide as scikit-learn does."""

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.tree import DecisionTreeClassifier

from emphatic.kernels.leaves import add_leaves
from emphatic.learners.flat_trees import flatten_nodes


def flatten(model):
    tree = model.tree_
    return flatten_nodes(tree.children_left, tree.children_right, tree.feature, tree.threshold, tree.value[:, 0])


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("max_depth", [None, 1, 5])
def test_a_flat_tree_predicts_the_same_bits(n_classes, max_depth):
    X, y = make_classification(300, 8, n_informative=6, n_classes=n_classes, flip_y=0.3, random_state=0)
    model = DecisionTreeClassifier(max_depth=max_depth, random_state=0).fit(X, y)
    probabilities = np.zeros((len(X), n_classes))
    add_leaves(X.astype(np.float32), flatten(model), probabilities)
    np.testing.assert_array_equal(probabilities, model.predict_proba(X))


def test_a_tree_that_is_one_leaf():
    model = DecisionTreeClassifier().fit([[0.0], [0.0]], [0, 1])
    flat = flatten(model)
    assert flat.child.tolist() == [0] and flat.values.tolist() == [[0.5, 0.5]]


@pytest.mark.parametrize("threshold", [0.1, -0.1, 1 / 3, 16777217.0, 1e-46, -1e-46, 1e300, -1e300, 0.5])
def test_a_rounded_threshold_decides_as_the_exact_one(threshold):
    """Also next to it, where a threshold that is rounded up would decide wrongly."""
    with np.errstate(over="ignore"):
        near = np.float32(threshold)
    around = np.array([np.nextafter(near, np.float32(-np.inf)), near, np.nextafter(near, np.float32(np.inf))])
    flat = flatten_nodes([1, -1, -1], [2, -1, -1], [0, 0, 0], [threshold, 0, 0], np.zeros((3, 1)))
    np.testing.assert_array_equal(around <= flat.threshold[0], around.astype(np.float64) <= threshold)


def test_children_follow_their_parent_side_by_side():
    X, y = make_classification(200, 5, flip_y=0.4, random_state=1)
    flat = flatten(DecisionTreeClassifier(random_state=0).fit(X, y))
    inner = np.flatnonzero(flat.child)
    assert (flat.child[inner] > inner).all()
    np.testing.assert_array_equal(
        np.sort(np.concatenate([flat.child[inner], flat.child[inner] + 1])), np.arange(1, len(flat.child))
    )
