"""What class trees and forests of them share: tables with views, and outputs made of probabilities."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from emphatic import check
from emphatic.base import Learner, Lesson
from emphatic.check import FloatArray, IntArray
from emphatic.inputs import check_classifier, refuse_sparse
from emphatic.learners import RBFNetworkClassifier
from emphatic.learners.prototypes import ClassKMeans
from emphatic.margins import output_of_probabilities
from emphatic.multiview.class_tree.growth import knows_ignorance
from emphatic.multiview.class_tree.tables import as_slice, not_finite, positions, side_by_side, tables_of
from emphatic.multiview.class_tree.view import View
from emphatic.randomness import draw_entropy


class MultiViewLearner(Learner):
    """A learner on one table of which groups of columns are views, or on several tables, each of them a view.

    A subclass has the parameters `views`, `estimator`, `evaluation`, `masses`, `inner`, `normalise` and `random_state`,
    and writes `train` and `probabilities`.
    """

    views: Any
    estimator: Any
    evaluation: str
    masses: str
    inner: str
    normalise: bool

    @abstractmethod
    def train(self, views: Mapping[str, View], classes: tuple[int, ...]) -> None:
        """Train on the views of the samples, in which `classes` (codes) occur."""

    @abstractmethod
    def probabilities(self, X: FloatArray) -> FloatArray:
        """(n, K) for a checked table; rows sum to 1."""

    def prepare(self, X: FloatArray, y: IntArray) -> FloatArray:
        check.one_of("evaluation", self.evaluation, ("walk", "evidence"))
        check.one_of("masses", self.masses, ("discount", "plain", "balloon"))
        check.one_of("inner", self.inner, ("samples", "centroids"))
        check.one_of("normalise", self.normalise, (True, False))
        undiscounted = self.evaluation == "evidence" and self.masses == "plain" and len(self.classes_) > 2
        if undiscounted and not knows_ignorance(self._node_classifier()):
            raise ValueError(
                f'masses="plain" is not allowed with {type(self.estimator).__name__}, which is never ignorant: each '
                'node would exclude all classes that it never saw. masses must be "discount" or "balloon".'
            )
        if "columns_" not in self.__dict__:  # within an ensemble, which passes on arrays
            self.columns_ = positions(self.views, X)
        return X

    def learn(self, lesson: Lesson) -> FloatArray:
        self._train(lesson)
        return self.respond(lesson.table)

    def respond(self, X: FloatArray) -> FloatArray:
        return output_of_probabilities(self.probabilities(X))

    def predict(self, X: Any) -> np.ndarray:
        """Labels of the rows of `X`."""
        winner = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[winner])

    def predict_proba(self, X: Any) -> FloatArray:
        """Supports of the classes, scaled to sum 1; equal where there are none."""
        check_is_fitted(self)
        return self.probabilities(self._check_table(X, reset=False))

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit to rows `X` with labels `y`; `sample_weight` counts a row as that many."""
        self._train(self.make_lesson(X, y, sample_weight))  # and not `learn`, whose output is not needed here
        return self

    def _train(self, lesson: Lesson) -> None:
        entropy = draw_entropy(lesson.rng)
        tables = self._parted(lesson.table)
        views = {name: View(name, X, lesson.y, lesson.weights, self.inner, entropy) for name, X in tables.items()}
        self.train(views, tuple(np.unique(lesson.y).tolist()))

    def _parted(self, table: FloatArray) -> dict[str, FloatArray]:
        """The views of a checked table."""
        return {name: np.ascontiguousarray(table[:, as_slice(at)]) for name, at in self.columns_.items()}

    def _node_classifier(self) -> Any:
        if self.estimator is None:
            return RBFNetworkClassifier(ClassKMeans(20), regularisation=1e-8)
        return check_classifier("estimator", self.estimator)

    def _check_table(self, X: Any, *, reset: bool) -> FloatArray:
        """`X`, or the tables that it holds side by side, as one array; an error of NaN names the view."""
        refuse_sparse(self, X)  # first: some sparse tables are mappings too
        tables = tables_of(X)
        if tables is not None:
            if self.views is not None:
                raise ValueError("views must be None where X is several tables: each of them is a view.")
            X, joined = side_by_side(self, tables, None if reset else list(self.columns_))

        def columns() -> dict[str, IntArray]:
            if tables is not None:
                return joined
            return positions(self.views, X) if reset else self.columns_

        try:
            table: FloatArray = super()._check_table(X, reset=reset)
        except ValueError as error:
            if not any(word in str(error) for word in ("contains NaN", "contains infinity")):
                raise
            raise ValueError(f"{not_finite(columns(), X)}{error}") from error
        if reset:
            self.columns_ = columns()
        return table
