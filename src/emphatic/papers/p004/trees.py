"""The trees of paper 004: CART as in scikit-learn and, where it is installed, Weka's J48, which is C4.5.

J48 has what CART lacks: gain ratio and pruning by a pessimistic error. It needs the package python-weka-wrapper3 and
Java; neither is a dependency of this library, and without them only one table is missing.
"""

import logging
import shutil
from importlib.util import find_spec
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.validation import check_is_fitted, validate_data

from emphatic.check import FloatArray

MIN_LEAF = 2
"""Samples per leaf: the default of Weka, kept for CART in place of C4.5."""


class CrispTree(DecisionTreeClassifier):
    """A tree whose probabilities are its votes, so that scikit-learn's bagging counts votes."""

    def predict_proba(self, X: Any, check_input: bool = True) -> FloatArray:
        shares = super().predict_proba(X, check_input)
        return np.eye(shares.shape[1])[shares.argmax(axis=1)]


def make_cart(tree: type[DecisionTreeClassifier] = DecisionTreeClassifier) -> DecisionTreeClassifier:
    """The tree of all tables but one: binary splits by entropy, not pruned."""
    return tree(criterion="entropy", min_samples_leaf=MIN_LEAF)


def has_j48() -> bool:
    """Whether Weka and Java are installed."""
    return find_spec("weka") is not None and shutil.which("java") is not None


class J48Classifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """C4.5 as in Weka, with its defaults: gain ratio, at least 2 samples per leaf, pruned with confidence 0.25.

    Inputs are numeric: a nominal column comes as indicators, with one split for each of them.
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Build the tree on weighted rows; the weights are scaled to a mean of 1, as Weka expects."""
        _start_java()
        from weka.classifiers import Classifier

        X, y = validate_data(self, X, y, dtype=np.float64)
        self.classes_, codes = np.unique(y, return_inverse=True)
        weights = np.ones(len(codes)) if sample_weight is None else np.asarray(sample_weight, dtype=float)
        kept = weights > 0
        weights = weights[kept] * kept.sum() / weights[kept].sum()
        self._weka = Classifier(classname="weka.classifiers.trees.J48", options=["-M", str(MIN_LEAF)])
        self._weka.build_classifier(self._instances(X[kept], codes[kept], weights))
        return self

    def predict_proba(self, X: Any) -> FloatArray:
        """Shares of the classes in the leaf of each row."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        rows = self._instances(X, np.full(len(X), np.nan), np.ones(len(X)))
        shares: FloatArray = np.asarray(self._weka.distributions_for_instances(rows))
        return shares

    def predict(self, X: Any) -> np.ndarray:
        """The largest class of each leaf."""
        labels: np.ndarray = self.classes_[self.predict_proba(X).argmax(axis=1)]
        return labels

    def _instances(self, X: FloatArray, codes: np.ndarray, weights: FloatArray) -> Any:
        """A table in Weka; the class comes last, NaN where it is unknown."""
        import jpype
        from weka.core.dataset import Attribute, Instances

        inputs = [Attribute.create_numeric(f"x{j}") for j in range(X.shape[1])]
        target = Attribute.create_nominal("y", [str(code) for code in range(len(self.classes_))])
        table = Instances.create_instances("table", [*inputs, target], len(X))
        table.class_is_last()
        # All rows are passed to Java at once: one by one they would take longer than the tree.
        row_of = jpype.JClass("weka.core.DenseInstance")
        for row, weight in zip(jpype.JArray.of(np.column_stack([X, codes])), weights.tolist(), strict=True):
            table.jobject.add(row_of(weight, row))
        return table


def _start_java() -> None:
    """Once per process; it ends with the process."""
    import weka.core.jvm as java

    if not java.started:
        java.start(packages=False, max_heap_size="512m", logging_level=logging.WARNING)
