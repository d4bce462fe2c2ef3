"""The contract: a `Learner` learns a `Lesson` and gives soft scores, an `Emphasis` turns a `Stage` into weights.

Everything in the package is a composition of these: read this file first.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from emphatic import check
from emphatic.answers import check_finite, name_errors, predict_labels, predict_probabilities
from emphatic.check import FloatArray, IntArray
from emphatic.fields import IfSet, Labels, Names, Size, saved
from emphatic.fitting import all_or_nothing
from emphatic.inputs import encode_labels, name_odd_column, refuse_unusable_tables, take_rows
from emphatic.margins import labels, margins, output_of_probabilities, probabilities_of_output
from emphatic.randomness import as_generator

LARGEST_INPUT = 1e100
"""Squared distances of larger values, and their products with weights, could overflow."""

LARGEST_EDGE = 1.0 - 1e-10
"""A perfect learner gets the vote artanh(LARGEST_EDGE) = 11.86, not infinity."""


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


@saved(classes_=Labels(), n_features_in_=Size(low=1, name="features"), feature_names_in_=IfSet(Names("features")))
class Learner(ClassifierMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """A classifier that gives soft scores: `output` in [-1, 1], (n,) for two classes, (n, K) for K.

    A subclass writes `learn` and `respond`, which receive checked tables and codes 0 .. K-1. All that users call
    (`fit`, `output`, `predict`, ...) is written here, once. Objects held by parameters (a design, an emphasis) keep no
    state of their own, so `grow` may share them between learners.
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
        self.learn(self.make_lesson(X, y, sample_weight))
        return self

    def make_lesson(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, design_weight: ArrayLike | None = None
    ) -> Lesson:
        """The lesson for `learn`, from what a user passes to `fit`; sets `classes_`."""
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

    def check_saved(self) -> None:
        """Raise ValueError unless the fields that were read from a file fit together (see `emphatic.fields`)."""
        if len(self.classes_) < 2:
            raise ValueError("there must be at least two classes")

    def output(self, X: Any) -> FloatArray:
        """Confidence in [-1, 1]: (n,), positive for `classes_[1]`; or (n, K), one column per class."""
        check_is_fitted(self)
        return self.respond(self._check_table(X, reset=False))

    def decision_function(self, X: Any) -> FloatArray:
        """Score whose sign, or largest column, is the prediction."""
        return self.output(X)

    def predict(self, X: Any) -> np.ndarray:
        """Labels of the rows of `X`."""
        score = self.decision_function(X)
        return np.asarray(self.classes_[labels(score)])

    def predict_proba(self, X: Any) -> FloatArray:
        """Probability of each class, one column per class in the order of `classes_`."""
        return probabilities_of_output(self.output(X))

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
    """A learner whose output is made of probabilities: a subclass writes `respond_probabilities` and no `respond`."""

    @abstractmethod
    def respond_probabilities(self, X: Any) -> FloatArray:
        """(n, K) for a checked table; rows sum to 1."""

    def respond(self, X: Any) -> FloatArray:
        return output_of_probabilities(self.respond_probabilities(X))

    def predict(self, X: Any) -> np.ndarray:
        """Labels of the rows of `X`: the most probable ones, the first of several."""
        winner = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[winner])

    def predict_proba(self, X: Any) -> FloatArray:
        """Probability of each class, one column per class in the order of `classes_`."""
        check_is_fitted(self)
        return self.respond_probabilities(self._check_table(X, reset=False))


class MarginLearner(Learner):
    """A learner with hidden units whose margins tell redundant, borderline and noisy samples apart (paper 002)."""

    @abstractmethod
    def hidden_margins(self, X: Any, y: ArrayLike) -> FloatArray:
        """(n, H): y * activation / learnt margin; above 1 safely right, below -1 safely wrong."""

    def respond_margins(self, X: Any, y: IntArray) -> FloatArray:
        """`hidden_margins` on a checked table, with codes for labels."""
        return self.hidden_margins(X, self.classes_[y])


class Emphasis(BaseEstimator, ABC):  # type: ignore[misc]
    """Which samples the next learner should look at: a distribution over the training samples for every round.

    A subclass writes `update`. It sees margins, never labels coded +-1, so it works for any number of classes; the
    user's `sample_weight` is multiplied in by `Growth`, and no emphasis handles it. What a fit has to remember may be
    set on `self` in `start` and `update`: `Growth` works on a clone.

    `start` and `update` return one distribution, (n,), or several candidates, (c, n): then a learner is trained under
    each and the one with the largest edge is kept. `learner_type` and `vote` are properties, so that a wrapper can pass
    on those of what it wraps; others simply set a class attribute, such as ``vote = "bound"``.
    """

    @property
    def multi_class(self) -> bool:
        """Whether it is defined for more than two classes."""
        return True

    @property
    def learner_type(self) -> type:
        """What the learner must be; checked before training."""
        return object

    @property
    def vote(self) -> str:
        """The vote of an ensemble with `vote="auto"`: "bound", "emphasis" or "equal" (see `grow`)."""
        return "emphasis"

    def check_parameters(self) -> None:
        """Raise ValueError for a parameter that is not allowed; called once before the first round."""

    def check_use(self, role: str, vote: str) -> None:
        """Raise ValueError if it cannot serve as `role` ("emphasis" or "design_emphasis") with this vote."""

    def largest_edge(self, n: int) -> float:
        """Edges above this count as this: the vote of a perfect learner of `n` samples must be finite."""
        return LARGEST_EDGE

    def start(self, X: Any, y: IntArray) -> FloatArray:
        """First distribution; uniform unless an emphasis knows better."""
        return np.full(len(y), 1.0 / len(y))

    def observe(self, stage: Stage) -> dict[str, np.ndarray]:
        """What users can read about a round after the fit: arrays (n,) under names that end in "_".

        Called once per round, the last one included; the result is `Stage.observed`, and the ensemble has it as
        attributes (rounds, n).
        """
        return {}

    @abstractmethod
    def update(self, stage: Stage) -> FloatArray:
        """Next distribution, or candidates for it, after the round that `stage` reveals."""


@dataclass(frozen=True)
class Stage:
    """All that one round of boosting reveals."""

    X: Any
    y: IntArray
    weights: FloatArray
    """The distribution the emphasis chose for this round."""
    training_weights: FloatArray
    """`weights` times the user's sample weights, normalised: what the learner was trained with."""
    learner: Any
    output: FloatArray
    alpha: float
    edge: float
    score: FloatArray
    """Of the partial ensemble, this learner included."""
    total_alpha: float
    """sum |alpha| so far; score / total_alpha lies in [-1, 1]."""
    candidate: int = 0
    """Which of the emphasis' candidates `weights` is; 0 where it offered only one distribution."""
    observed: dict[str, np.ndarray] = field(default_factory=dict)
    """What the emphasis observed in this round."""

    @cached_property
    def margin(self) -> FloatArray:
        """Margins of this learner."""
        return margins(self.output, self.y)

    @cached_property
    def ensemble_margin(self) -> FloatArray:
        """Margins of the partial ensemble."""
        return margins(self.score, self.y)

    def scaled_margin(self, f_scale: str) -> FloatArray:
        """Margins of the partial ensemble as an emphasis reads them: "raw", m / sum|alpha| ("sum"), "tanh" or "clip".

        All of them are odd functions of the score f, and so d g(f) = g(m).
        """
        m = self.ensemble_margin
        if f_scale == "sum":
            return np.asarray(m / self.total_alpha)
        if f_scale == "tanh":
            return np.tanh(m)
        return np.clip(m, -1.0, 1.0) if f_scale == "clip" else m


def n_outputs(classes: np.ndarray) -> int:
    """Outputs of a learner: one for two classes, one per class for more."""
    return 1 if len(classes) == 2 else len(classes)


def check_saved_member(member: Any, classes: np.ndarray, n_features: int) -> None:
    """Raise ValueError unless a member read from a file learnt so many features, and classes among these."""
    if member.n_features_in_ != n_features:
        raise ValueError(f"a member has {member.n_features_in_} features, and {n_features} are expected")
    own = member.classes_
    known = own.dtype.kind == classes.dtype.kind and np.isin(own, classes).all()
    if not known or (isinstance(member, Learner) and len(own) != len(classes)):
        raise ValueError(f"a member has the classes {own.tolist()}, and {classes.tolist()} are expected")


def check_saved_names(member: Any, names: np.ndarray | None) -> None:
    """Raise ValueError if a member read from a file expects other names of columns than those that it is given."""
    own = getattr(member, "feature_names_in_", None)
    if own is not None and names is not None and own.tolist() != names.tolist():
        raise ValueError(f"a member has the columns {own.tolist()}, and {names.tolist()} are expected")


def output_of(learner: Any, X: Any, classes: np.ndarray) -> FloatArray:
    """Confidence of any fitted classifier on a checked table, in [-1, 1].

    A `Learner` gives soft scores, probabilities p become 2p - 1, any other classifier votes +-1. A class that a learner
    never saw gets -1. A classifier that answers NaN, or not for every row, is refused.

    >>> import numpy as np
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> tree = DecisionTreeClassifier().fit([[0.0], [1.0]], ["no", "yes"])
    >>> output_of(tree, np.array([[0.0], [1.0]]), np.array(["no", "yes"]))
    array([-1.,  1.])
    """
    if isinstance(learner, Learner):
        return check_finite(learner, "output", learner.respond(X))
    if hasattr(learner, "predict_proba"):
        probabilities = predict_probabilities(learner, X)
        output = np.full((len(probabilities), len(classes)), -1.0)
        output[:, np.searchsorted(classes, learner.classes_)] = 2.0 * probabilities - 1.0
    else:
        voted = predict_labels(learner, X)
        codes = np.searchsorted(classes, voted).clip(max=len(classes) - 1)
        if (classes[codes] != voted).any():
            name, label = type(learner).__name__, voted[classes[codes] != voted].tolist()[0]
            raise ValueError(f"{name}.predict returned {label!r}, which is none of the classes {classes.tolist()}.")
        output = np.full((len(codes), len(classes)), -1.0)
        output[np.arange(len(codes)), codes] = 1.0
    return output[:, 1] if len(classes) == 2 else output


def outputs_of(members: Sequence[Any], X: Any, classes: np.ndarray) -> Iterator[FloatArray]:
    """`output_of` every member of an ensemble, one after another; an error begins with the number of the member."""
    for number, member in enumerate(members):
        with name_errors(number, member):
            output = output_of(member, X, classes)
        yield output


def choose_classes(learner: Any, output: FloatArray) -> IntArray:
    """Codes of the classes that a learner itself would predict, given its `output_of` some rows.

    Where two classes are equally likely, our learners predict the second (sign(0) = +1), others the first.

    >>> from emphatic import RBFNetworkClassifier
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> tie = np.array([0.0])
    >>> choose_classes(RBFNetworkClassifier(), tie), choose_classes(DecisionTreeClassifier(), tie)
    (array([1]), array([0]))
    """
    if output.ndim == 1 and not isinstance(learner, Learner):
        return (output > 0).astype(np.intp)
    return labels(output)
