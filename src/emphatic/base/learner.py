"""A `Learner` learns a `Lesson` and gives soft scores."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from emphatic import check
from emphatic.check import FloatArray, IntArray
from emphatic.deferred import is_deferred
from emphatic.fields import IfSet, Labels, Names, Size, saved
from emphatic.fitting import all_or_nothing
from emphatic.inputs import LARGEST_INPUT, encode_labels, name_odd_column, refuse_unusable_tables, take_rows
from emphatic.margins import labels, output_of_probabilities, probabilities_of_output
from emphatic.partitions import Partitions, keep_features, lazily, open_partitions, refuse_to_add_up, score_lazily
from emphatic.randomness import as_generator


@dataclass(frozen=True)
class Lesson:
    """All that a learner learns from."""

    table: Any
    """What the learner's `prepare` made of the checked table."""
    y: IntArray
    """Codes 0 .. K-1 of the labels."""
    weights: FloatArray
    """How much each sample counts; the sum is 1."""
    rng: np.random.Generator
    design_weights: FloatArray | None = None
    """By which an RBF network places its units; None: by `weights`."""
    present: NDArray[np.bool_] | None = None
    """Which of the user's rows are in the lesson; None: all. A sample of weight 0 counts as absent."""
    groups: IntArray | None = None
    """Codes 0 .. G-1 of groups of rows, for a learner that judges models on rows of other groups; None: no groups."""

    @property
    def in_partitions(self) -> bool:
        """Whether the rows lie in partitions: then `y` and `weights` are Dask arrays."""
        return is_deferred(self.y)


@saved(classes_=Labels(), n_features_in_=Size(low=1, name="features"), feature_names_in_=IfSet(Names("features")))
class Learner(ClassifierMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """A classifier that gives soft scores: `output` in [-1, 1], (n,) for two classes, (n, K) for K.

    A subclass writes `learn` and `respond`, which receive checked tables and codes 0 .. K-1. All that users call
    (`fit`, `output`, `predict`, ...) is written here, once. Objects held by parameters (a design, an emphasis) keep no
    state of their own, so `grow` may share them between learners.

    Examples
    --------
    >>> import numpy as np
    >>> from emphatic import RealAdaBoostClassifier
    >>> class FirstColumn(Learner):
    ...     def learn(self, lesson):
    ...         self.middle_ = np.average(lesson.table[:, 0], weights=lesson.weights)
    ...         return self.respond(lesson.table)
    ...
    ...     def respond(self, X):
    ...         return np.tanh(X[:, 0] - self.middle_)
    >>> RealAdaBoostClassifier(FirstColumn()).fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]).predict([[0.0], [3.0]])
    array([0, 1])
    """

    def check_parameters(self) -> None:
        """Raise ValueError or TypeError for a parameter that is not allowed; `prepare` and model files call it."""

    def prepare(self, X: Any, y: IntArray) -> Any:
        """Check the parameters, and turn a checked table into the table of a `Lesson`: by default it stays as it is.

        Called once per table. A learner that is trained on a table many times, under different weights, computes here
        what does not depend on the weights.
        """
        return X

    @abstractmethod
    def learn(self, lesson: Lesson) -> FloatArray:
        """Train; return the output on the training table. `classes_` is already set."""

    def check_for_partitions(self) -> None:
        """Raise TypeError or ValueError if it cannot be fitted to a table in partitions; called before that is read."""
        if type(self).learn_partitions is Learner.learn_partitions:
            raise refuse_to_add_up(type(self).__name__, self.needs_all_rows)

    @property
    def needs_all_rows(self) -> str:
        """Why it cannot be fitted to a table in partitions, where it cannot."""
        return "it needs all rows at once"

    def prepare_partitions(self, X: Partitions, y: Any) -> Any:
        """`prepare` for a table in partitions, with codes in a Dask array; by default it stays as it is."""
        self.check_for_partitions()
        return X

    def learn_partitions(self, lesson: Lesson) -> Any:
        """`learn` from a table in partitions: ask it for sums, and return the output as a Dask array.

        Trained alike, whatever the partitions: a learner draws by the numbers of rows (`emphatic.randomness.RowNoise`).
        """
        raise NotImplementedError

    def respond_in_partitions(self, X: Partitions) -> Any:
        """`respond` for a table in partitions: a Dask array."""
        return X.each(self.respond, columns=None if len(self.classes_) == 2 else len(self.classes_))

    @classmethod
    def learn_many(cls, learners: Sequence[Self], lessons: Sequence[Lesson]) -> list[FloatArray]:
        """`learn` for many learners of this class, each with a lesson of its own: their outputs.

        One after another, unless a subclass can train them faster side by side. Its learners may then differ by
        rounding from those that learn alone, and by nothing else.
        """
        return [learner.learn(lesson) for learner, lesson in zip(learners, lessons, strict=True)]

    @abstractmethod
    def respond(self, X: Any) -> FloatArray:
        """Output on a checked table."""

    @all_or_nothing
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit to rows `X` with labels `y`; `sample_weight` counts a row as that many."""
        self.take_lesson(self.make_lesson(X, y, sample_weight))
        return self

    def take_lesson(self, lesson: Lesson) -> FloatArray:
        """Learn from rows in memory or in partitions; the output on them."""
        output: FloatArray = self.learn_partitions(lesson) if lesson.in_partitions else self.learn(lesson)
        return output

    def make_lesson(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, design_weight: ArrayLike | None = None
    ) -> Lesson:
        """The lesson for `learn`, from what a user passes to `fit`; sets `classes_`."""
        if is_deferred(X):
            return self._make_partitioned_lesson(X, y, sample_weight, design_weight)
        for name, values in (("y", y), ("sample_weight", sample_weight), ("design_weight", design_weight)):
            if is_deferred(values):
                raise TypeError(
                    f"{name} is a Dask collection and X is not: pass both as collections, or use {name}.compute()."
                )
        X = self._check_table(X, reset=True)
        self.classes_, codes = encode_labels(y)
        n = len(codes)
        if X.shape[0] != n:
            raise ValueError(f"X has {X.shape[0]} rows but y has {n} labels: their numbers must agree.")
        weights = check.distribution("sample_weight", sample_weight, n)
        design_weights = None if design_weight is None else check.distribution("design_weight", design_weight, n)
        present = None
        if not weights.all():  # a sample of weight 0 counts as absent
            present = weights > 0
            rows = np.flatnonzero(present)
            X, codes, weights = take_rows(X, rows), codes[rows], weights[rows]
            if design_weights is not None:
                design_weights = check.distribution("design_weight", design_weights[rows], len(rows))
            if len(np.unique(codes)) < 2:
                raise ValueError("sample_weight leaves samples of only one class: at least 2 classes need weight.")
        rng = as_generator(getattr(self, "random_state", None))
        return Lesson(self.prepare(X, codes), codes, weights, rng, design_weights, present)

    def _make_partitioned_lesson(self, X: Any, y: Any, sample_weight: Any, design_weight: Any) -> Lesson:
        if design_weight is not None:
            raise ValueError("design_weight is not allowed with a Dask collection.")
        self.check_for_partitions()
        opened = open_partitions(X, y, sample_weight)
        self.classes_ = opened.classes
        keep_features(self, X)
        rng = as_generator(getattr(self, "random_state", None))
        return Lesson(self.prepare_partitions(opened.table, opened.y), opened.y, opened.weights, rng)

    def check_saved(self) -> None:
        """Raise ValueError unless the fields that were read from a file fit together (see `emphatic.fields`)."""
        if len(self.classes_) < 2:
            raise ValueError("there must be at least two classes")

    @lazily("scores")
    def output(self, X: Any) -> FloatArray:
        """Confidence in [-1, 1]: (n,), positive for `classes_[1]`; or (n, K), one column per class."""
        check_is_fitted(self)
        return self.respond(self._check_table(X, reset=False))

    @lazily("scores")
    def decision_function(self, X: Any) -> FloatArray:
        """Score whose sign, or largest column, is the prediction."""
        return self.output(X)

    @lazily("labels")
    def predict(self, X: Any) -> np.ndarray:
        """Labels of the rows of `X`."""
        score = self.decision_function(X)
        return np.asarray(self.classes_[labels(score)])

    @lazily("probabilities")
    def predict_proba(self, X: Any) -> FloatArray:
        """Probability of each class, one column per class in the order of `classes_`."""
        return probabilities_of_output(self.output(X))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Share of the rows of `X` whose label in `y` is predicted; of Dask collections only this is gathered."""
        if is_deferred(X):
            return score_lazily(self.predict(X), y, sample_weight)
        return float(super().score(X, y, sample_weight))

    def _check_table(self, X: Any, *, reset: bool) -> Any:
        """`X` as a C-ordered float64 array, finite and dense; also sets or checks the feature names."""
        refuse_unusable_tables(self, X)
        try:
            with name_odd_column(X):
                X = validate_data(self, X, reset=reset, dtype=np.float64, order="C")
        except ValueError as error:
            if "could not convert string" not in str(error):
                raise
            remedy = "put emphatic.tables.TableTransformer before this estimator"
            raise ValueError(f"X holds text, and numbers are needed: {remedy}. ({error})") from error
        if X.size and max(X.max(), -X.min()) > LARGEST_INPUT:
            raise ValueError(
                f"X holds values beyond +-{LARGEST_INPUT:g}, whose squares can overflow: scale the columns first."
            )
        return X

    def _accepts_any_table(self) -> bool:
        """Whether tables are passed on as they are (ensembles of other classifiers) instead of converted to floats."""
        return False


class ProbabilityLearner(Learner):
    """A learner whose output is made of probabilities: a subclass writes `respond_probabilities` and no `respond`.

    Examples
    --------
    >>> from emphatic import ClassTreeClassifier
    >>> issubclass(ClassTreeClassifier, ProbabilityLearner)
    True
    """

    @abstractmethod
    def respond_probabilities(self, X: Any) -> FloatArray:
        """(n, K) for a checked table; rows sum to 1."""

    def respond(self, X: Any) -> FloatArray:
        return output_of_probabilities(self.respond_probabilities(X))

    @lazily("labels")
    def predict(self, X: Any) -> np.ndarray:
        """Labels of the rows of `X`: the most probable ones, the first of several."""
        winner = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[winner])

    @lazily("probabilities")
    def predict_proba(self, X: Any) -> FloatArray:
        """Probability of each class, one column per class in the order of `classes_`."""
        check_is_fitted(self)
        return self.respond_probabilities(self._check_table(X, reset=False))


class MarginLearner(Learner):
    """A learner with hidden units whose margins tell redundant, borderline and noisy samples apart (paper 002).

    Examples
    --------
    >>> from emphatic import ParallelPerceptronClassifier
    >>> model = ParallelPerceptronClassifier(3, random_state=0).fit([[-2.0], [-1.0], [1.0], [2.0]], [0, 0, 1, 1])
    >>> isinstance(model, MarginLearner), model.hidden_margins([[-2.0], [2.0]], [0, 1]).shape
    (True, (2, 3))
    """

    @abstractmethod
    def hidden_margins(self, X: Any, y: ArrayLike) -> FloatArray:
        """(n, H): y * activation / learnt margin; above 1 safely right, below -1 safely wrong."""

    def respond_margins(self, X: Any, y: IntArray) -> FloatArray:
        """`hidden_margins` on a checked table, with codes for labels."""
        return self.hidden_margins(X, self.classes_[y])
