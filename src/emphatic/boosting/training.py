"""Training learners: a `Trainer` trains clones of one classifier on one table, a `Training` is one clone to be trained.

`train_all` trains what one or many growing ensembles ask for: equal trainings once, our own learners side by side.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from sklearn import get_config
from sklearn.base import clone
from sklearn.utils.metadata_routing import get_routing_for_object
from sklearn.utils.validation import has_fit_parameter

from emphatic import check
from emphatic.base import DrawnRows, Learner, Lesson, output_of
from emphatic.check import FloatArray, IntArray
from emphatic.deferred import settle
from emphatic.inputs import name_odd_column, take_rows
from emphatic.margins import distribution_or_uniform
from emphatic.partitions import Partitions, refuse_to_add_up
from emphatic.randomness import as_generator, child_generator, seed_clone, unset_seeds


class Trained(NamedTuple):
    """A fitted learner, and its output on all samples of its trainer."""

    learner: Any
    output: FloatArray


@dataclass(frozen=True)
class Training:
    """One learner to be trained: by whom, under which distributions, and from which random draws."""

    trainer: Trainer
    weights: FloatArray
    design_weights: FloatArray | None
    entropy: int
    key: tuple[int, ...]
    """With `entropy` it makes the generator: round and attempt."""
    drawn: DrawnRows | None = None
    """The rows to train on, where the emphasis draws them; None: all rows, under `weights`."""

    @property
    def rng(self) -> np.random.Generator:
        return child_generator(self.entropy, *self.key)

    @property
    def identity(self) -> Hashable:
        """Equal for trainings that would train equal learners."""
        if self.drawn is not None or self.trainer.in_partitions:
            return id(self)  # whether drawn tables, or weights on other machines, are equal is not looked at
        design = None if self.design_weights is None else self.design_weights.tobytes()
        return self.trainer.identity, self.weights.tobytes(), design, self.entropy, self.key

    def run(self) -> Trained:
        """Train the learner."""
        if self.drawn is not None:
            return self.trainer.train_on(self.drawn, self.rng)
        return self.trainer.train(self.weights, self.design_weights, self.rng)


def train_all(trainings: Sequence[Training]) -> list[Trained]:
    """Run trainings: equal ones once, and our own learners of one class in a single call of `learn_many`."""
    if len(trainings) == 1:  # nothing to share
        return [trainings[0].run()]
    distinct = {training.identity: training for training in trainings}
    trained: dict[Hashable, Trained] = {}
    side_by_side: dict[type[Learner], dict[Hashable, Training]] = {}
    for identity, training in distinct.items():
        if training.trainer.learns_by_weights and training.drawn is None:
            side_by_side.setdefault(type(training.trainer.template), {})[identity] = training
        else:
            trained[identity] = training.run()
    for kind, alike in side_by_side.items():
        learners = [training.trainer.copy_template() for training in alike.values()]
        lessons = [one.trainer.make_lesson(one.weights, one.design_weights, one.rng) for one in alike.values()]
        outputs = kind.learn_many(learners, lessons)
        trained.update(zip(alike, map(Trained, learners, outputs), strict=True))
    return [trained[training.identity] for training in trainings]


class Trainer:
    """Trains clones of `learner` on one table: with weights in a `Lesson`, with `sample_weight`, or on bootstraps.

    Parameters
    ----------
    learner : classifier
        Any scikit-learn classifier; it is cloned, never fitted itself.
    X, y, classes
        Checked table, codes 0 .. K-1, and the labels that the codes stand for.
    resample : {"auto", True, False}
        Whether a learner sees a bootstrap drawn from the distribution instead of weights. "auto" does so for
        learners that cannot take `sample_weight` (nearest neighbours, discriminant analysis, most pipelines).
    feature_names : array of str or None
        Names of the columns, for our own learners, which get arrays; others read them off the table itself.
    """

    def __init__(
        self,
        learner: Any,
        X: Any,
        y: IntArray,
        classes: np.ndarray,
        resample: str | bool = "auto",
        feature_names: np.ndarray | None = None,
    ) -> None:
        check.one_of("resample", resample, ("auto", True, False))
        weighable = takes_sample_weight(learner)
        if resample is False and not weighable:
            raise ValueError(
                f"resample=False needs a learner that takes sample_weight, and {type(learner).__name__} does not: "
                'use resample="auto".'
            )
        self.bootstraps = resample is True or not weighable
        self.template = clone(learner)
        self.is_ours = isinstance(learner, Learner)
        self.in_partitions = isinstance(X, Partitions)
        if self.in_partitions:
            self._refuse_without_rows()
        if self.is_ours:
            self.template.classes_ = classes
            self.template.n_features_in_ = X.shape[1]
            if feature_names is not None:
                self.template.feature_names_in_ = feature_names
            if self.in_partitions:
                self.table = self.template.prepare_partitions(X, y)
            elif not self.bootstraps:
                self.table = self.template.prepare(X, y)
        self.X, self.y, self.classes = X, y, classes
        self.is_random = self.bootstraps or bool(unset_seeds(learner))
        """Whether a second training under the same distribution could give another learner."""

    @property
    def learns_by_weights(self) -> bool:
        """Whether its learners are ours and take the distribution as it is: only those can learn side by side."""
        return self.is_ours and not self.bootstraps and not self.in_partitions

    @cached_property
    def identity(self) -> Hashable:
        """Equal for trainers that train equal learners, given equal weights and draws."""
        parameters = self.template.get_params()
        if not all(isinstance(value, int | float | str | None) for value in parameters.values()):
            return id(self)  # whether other objects are equal cannot be known
        learner = type(self.template), tuple(sorted(parameters.items()))
        return learner, self.bootstraps, id(self.X), self.y.tobytes(), tuple(self.classes)

    def train(self, weights: FloatArray, design_weights: FloatArray | None, rng: np.random.Generator) -> Trained:
        """A fitted clone and its output on all training samples."""
        if self.bootstraps:
            rows = weighted_bootstrap(self.y, weights, rng)
            # the bootstrap already follows the emphasis; the design's own is spread over the rows that were drawn
            design_rows = None if design_weights is None else distribution_or_uniform(design_weights[rows])
            learner = self._fit_clone(take_rows(self.X, rows), self.y[rows], None, design_rows, rng)
        elif self.is_ours:
            learner = self.copy_template()
            return Trained(learner, settle(learner.take_lesson(self.make_lesson(weights, design_weights, rng))))
        else:
            learner = self._fit_clone(self.X, self.y, weights, None, rng)
        return self.recall(learner)

    def recall(self, learner: Any) -> Trained:
        """A learner that was trained before, and its output on all training samples."""
        if self.in_partitions:
            return Trained(learner, settle(learner.respond_in_partitions(self.X)))
        return Trained(learner, output_of(learner, self.X, self.classes))

    def train_on(self, drawn: DrawnRows, rng: np.random.Generator) -> Trained:
        """A clone that was fitted to other rows, and its output on all training samples."""
        X, y, weights = drawn.X, drawn.y, drawn.weights
        if self.bootstraps:
            rows = weighted_bootstrap(y, weights, rng)
            learner = self._fit_clone(take_rows(X, rows), y[rows], None, None, rng)
        else:
            learner = self._fit_clone(X, y, weights, None, rng)
        return self.recall(learner)

    def make_lesson(self, weights: FloatArray, design_weights: FloatArray | None, rng: np.random.Generator) -> Lesson:
        """What one of our own learners learns from."""
        return Lesson(self.table, self.y, weights, self._learner_rng(rng), design_weights)

    def _refuse_without_rows(self) -> None:
        check_for_partitions(self.template)
        if self.bootstraps:
            raise ValueError("resample=True is not allowed with a Dask collection: rows stay where they are.")

    def _learner_rng(self, rng: np.random.Generator) -> np.random.Generator:
        """The generator of the round; where the user has set a seed for our learner, all rounds draw from that."""
        seed = getattr(self.template, "random_state", None)
        return rng if seed is None else as_generator(seed)

    def copy_template(self) -> Learner:
        """A shallow copy of our unfitted learner is a clone: objects held by its parameters keep no state.

        By hand, as `copy.copy` takes the long way of pickling.
        """
        ours = object.__new__(type(self.template))
        ours.__dict__.update(self.template.__dict__)
        return ours

    def _fit_clone(
        self,
        X: Any,
        y: IntArray,
        weights: FloatArray | None,
        design_weights: FloatArray | None,
        rng: np.random.Generator,
    ) -> Any:
        """A clone fitted to these rows; without weights all of them count alike, and none are passed on."""
        if self.is_ours:
            ours = self.copy_template()
            weights = np.full(len(y), 1.0 / len(y)) if weights is None else weights
            ours.learn(Lesson(ours.prepare(X, y), y, weights, self._learner_rng(rng), design_weights))
            return ours
        learner = seed_clone(clone(self.template), rng)
        # weights of mean 1: many learners compare regularisation or leaf sizes with the total weight
        weighing = {} if weights is None else {"sample_weight": weights * len(y)}
        with name_odd_column(X):
            return learner.fit(X, self.classes[y], **weighing)


def check_for_partitions(learner: Any) -> None:
    """Raise TypeError or ValueError if a learner cannot be trained on a table in partitions."""
    if not isinstance(learner, Learner):
        raise refuse_to_add_up(type(learner).__name__)
    learner.check_for_partitions()


def takes_sample_weight(learner: Any) -> bool:
    """Whether `fit` takes `sample_weight`, by its signature or, for a router such as a Pipeline, by its requests."""
    if has_fit_parameter(learner, "sample_weight"):
        return True
    if not get_config()["enable_metadata_routing"] or not hasattr(learner, "get_metadata_routing"):
        return False
    try:
        return bool(get_routing_for_object(learner).consumes("fit", ["sample_weight"]))
    except (ValueError, TypeError, NotImplementedError):  # a router that cannot say is taken to say no
        return False


def takes_design_weight(learner: Any) -> bool:
    """Whether the learner places units by a distribution of its own, as RBF networks do."""
    return isinstance(learner, Learner) and has_fit_parameter(learner, "design_weight")


def weighted_bootstrap(y: IntArray, weights: FloatArray, rng: np.random.Generator) -> IntArray:
    """Row numbers of as many draws with replacement as there are samples, with every class among them.

    A draw that lacks a class is repeated, at most ten times; then one sample of each missing class replaces the first
    draw that can be spared.
    """
    n, classes = len(y), np.unique(y)
    cumulative = np.cumsum(weights)
    for _ in range(10):
        rows = np.searchsorted(cumulative, rng.random(n) * cumulative[-1], side="right").clip(max=n - 1)
        missing = np.setdiff1d(classes, y[rows])
        if not len(missing):
            return rows
    for code in missing:
        spare = np.bincount(y[rows])[y[rows]] > 1  # not the only draw of another class
        place = int(spare.argmax())
        members = np.flatnonzero(y == code)
        share = weights[members].sum()
        chances = weights[members] / share if share > 0 else None
        rows[place] = rng.choice(members, p=chances)
    return rows
