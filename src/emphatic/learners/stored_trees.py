"""Trees of scikit-learn as a model file holds them: they predict, and cannot be trained."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.validation import validate_data

from emphatic.check import FloatArray
from emphatic.fields import Array, IfSet, Labels, Names, Part, Size, saved
from emphatic.kernels.leaves import add_leaves_with_missing
from emphatic.kernels.random_trees import Trees
from emphatic.learners.flat_trees import flatten_nodes, order_nodes
from emphatic.learners.random_tree import join_trees

TREES = (DecisionTreeClassifier,)  # and its subclass ExtraTreeClassifier
FORESTS = (RandomForestClassifier, ExtraTreesClassifier)


@saved(
    classes_=Labels(),
    n_features_in_=Size(low=1, name="features"),
    feature_names_in_=IfSet(Names("features")),
    trees_=Part("Trees"),
    missing_right_=Array(np.bool_, "nodes"),
)
class StoredTrees(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A fitted tree, or forest, of scikit-learn in flat arrays, with the same predictions to the last bit.

    Attributes
    ----------
    trees_ : Trees, whose leaves hold the probabilities of the classes
    missing_right_ : array (nodes,), where a missing value goes to the second child
    classes_, n_features_in_, feature_names_in_ : as usual

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = DecisionTreeClassifier(max_depth=3).fit(X, y)
    >>> bool((StoredTrees.of(tree).predict_proba(X) == tree.predict_proba(X)).all())
    True
    """

    classes_: np.ndarray
    n_features_in_: int
    trees_: Trees
    missing_right_: NDArray[np.bool_]

    @classmethod
    def of(cls, fitted: Any) -> StoredTrees:
        """The stored form of a fitted tree or forest of scikit-learn."""
        if np.ndim(fitted.n_classes_):
            raise ValueError("trees of several outputs cannot be stored: fit one model per output.")
        stored = cls()
        stored.classes_, stored.n_features_in_ = fitted.classes_, fitted.n_features_in_
        if hasattr(fitted, "feature_names_in_"):
            stored.feature_names_in_ = fitted.feature_names_in_
        grown = fitted.estimators_ if hasattr(fitted, "estimators_") else [fitted]
        stored.trees_ = join_trees([_flatten(one.tree_) for one in grown], np.ones(len(grown)))
        stored.missing_right_ = np.concatenate([_sends_missing_right(one.tree_) for one in grown])
        return stored

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> NoReturn:
        """Refuse: how the trees were grown is not stored."""
        raise ValueError("these trees come from a file and cannot be trained: train a new DecisionTreeClassifier.")

    def predict(self, X: Any) -> np.ndarray:
        """Labels of the rows of `X`: the most probable ones, the first of several."""
        return np.asarray(self.classes_[self.predict_proba(X).argmax(axis=1)])

    def predict_proba(self, X: Any) -> FloatArray:
        """Probability of each class, one column per class in the order of `classes_`."""
        X = validate_data(self, X, reset=False, dtype=np.float32, order="C", ensure_all_finite="allow-nan")
        if np.isinf(X).any():
            raise ValueError("X holds infinity or a value too large for single precision.")
        total = np.zeros((len(X), len(self.classes_)))
        add_leaves_with_missing(X, self.trees_, self.missing_right_, total)
        return total / len(self.trees_.roots)

    def check_saved(self) -> None:
        """Raise ValueError if the parts do not fit together."""
        self.trees_.check_shape(self.n_features_in_, len(self.classes_))
        if len(self.missing_right_) != len(self.trees_.child):
            raise ValueError("missing_right_ must have a value for every node")
        if self.trees_.values.min() < 0.0 or self.trees_.values.max() > 1.0:
            raise ValueError("the values of leaves must be probabilities")
        if np.abs(self.trees_.values[self.trees_.child == 0].sum(axis=1) - 1.0).max() > 1e-9:
            raise ValueError("the probabilities of a leaf must sum to 1")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "trees_")


def _flatten(tree: Any) -> Trees:
    return flatten_nodes(tree.children_left, tree.children_right, tree.feature, tree.threshold, tree.value[:, 0])


def _sends_missing_right(tree: Any) -> NDArray[np.bool_]:
    order: Sequence[int] | np.ndarray = order_nodes(tree.children_left, tree.children_right)
    return np.asarray(tree.missing_go_to_left[order] == 0)
