"""Train one clone of any classifier under a distribution: softly, with `sample_weight`, or on a weighted bootstrap."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property
from typing import Any

import numpy as np
from sklearn import get_config
from sklearn.base import clone
from sklearn.utils.metadata_routing import get_routing_for_object
from sklearn.utils.validation import has_fit_parameter

from emphatic import check
from emphatic.base import Job, Learner, output_of
from emphatic.check import FloatArray, IntArray
from emphatic.inputs import take_rows
from emphatic.margins import distribution_or_uniform


class Trainer:
    """Trains clones of `learner` on one table, each under its own distribution.

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
        if self.is_ours:
            self.template.classes_ = classes
            self.template.n_features_in_ = X.shape[1]
            if feature_names is not None:
                self.template.feature_names_in_ = feature_names
            if not self.bootstraps:
                self.table = self.template.prepare(X, y)
        self.seed_names = [name for name in learner.get_params() if name.split("__")[-1] == "random_state"]
        self.X, self.y, self.classes = X, y, classes

    @property
    def is_random(self) -> bool:
        """Whether a second training under the same distribution could give another learner."""
        return self.bootstraps or bool(self.seed_names)

    @property
    def learns_by_weights(self) -> bool:
        """Whether its learners are ours and take the distribution as it is: only those can learn side by side."""
        return self.is_ours and not self.bootstraps

    @cached_property
    def signature(self) -> Hashable:
        """Equal for trainers that train equal learners, given equal weights and draws."""
        parameters = self.template.get_params()
        if not all(isinstance(value, int | float | str | None) for value in parameters.values()):
            return id(self)  # whether objects are equal cannot be told
        learner = type(self.template), tuple(sorted(parameters.items()))
        return learner, self.bootstraps, id(self.X), self.y.tobytes(), tuple(self.classes)

    def job(self, weights: FloatArray, design_weights: FloatArray | None, rng: np.random.Generator) -> Job:
        """An untrained clone with what its `learn` takes."""
        return Job(self._copy(), self.table, self.y, weights, rng, design_weights)

    def train(
        self, weights: FloatArray, design_weights: FloatArray | None, rng: np.random.Generator
    ) -> tuple[Any, FloatArray]:
        """A fitted clone and its output on all training samples."""
        if self.bootstraps:
            rows = weighted_bootstrap(self.y, weights, rng)
            learner = self._train_on(rows, design_weights, rng)
            return learner, output_of(learner, self.X, self.classes)
        if self.is_ours:
            job = self.job(weights, design_weights, rng)
            return job.learner, job.learner.learn(*job[1:])
        # weights of mean 1: many learners hold regularisation or leaf sizes against the total weight
        learner = self._clone(rng).fit(self.X, self.classes[self.y], sample_weight=weights * len(self.y))
        return learner, output_of(learner, self.X, self.classes)

    def _train_on(self, rows: IntArray, design_weights: FloatArray | None, rng: np.random.Generator) -> Any:
        """A clone trained on the rows of a bootstrap, which all count alike."""
        X, y = take_rows(self.X, rows), self.y[rows]
        if not self.is_ours:
            return self._clone(rng).fit(X, self.classes[y])
        # the bootstrap already follows the emphasis; the design's own emphasis is spread over the rows that were drawn
        design_rows = None if design_weights is None else distribution_or_uniform(design_weights[rows])
        ours = self._copy()
        ours.learn(ours.prepare(X, y), y, np.full(len(y), 1.0 / len(y)), rng, design_rows)
        return ours

    def _copy(self) -> Learner:
        """A shallow copy of our unfitted learner is a clone: what its parameters hold keeps no state.

        By hand, as copy.copy takes the long way of pickling.
        """
        ours = object.__new__(type(self.template))
        ours.__dict__.update(self.template.__dict__)
        return ours

    def _clone(self, rng: np.random.Generator) -> Any:
        learner = clone(self.template)
        if self.seed_names:
            learner.set_params(**{name: int(rng.integers(2**31)) for name in self.seed_names})
        return learner


def takes_sample_weight(learner: Any) -> bool:
    """Whether `fit` takes `sample_weight`, by its signature or, for a router such as a Pipeline, by its requests."""
    if has_fit_parameter(learner, "sample_weight"):
        return True
    if not get_config()["enable_metadata_routing"] or not hasattr(learner, "get_metadata_routing"):
        return False
    try:
        return bool(get_routing_for_object(learner).consumes("fit", ["sample_weight"]))
    except (ValueError, TypeError, NotImplementedError):  # a router that cannot tell is taken to say no
        return False


def takes_design_weight(learner: Any) -> bool:
    """Whether the learner places units by a distribution of its own, as RBF networks do."""
    return isinstance(learner, Learner) and has_fit_parameter(learner, "design_weight")


def weighted_bootstrap(y: IntArray, weights: FloatArray, rng: np.random.Generator) -> IntArray:
    """Row numbers of as many draws with replacement as there are samples, with every class among them.

    A draw that lacks a class is redrawn, ten times at the most; then one sample of each missing class
    replaces the first draw that can be spared.
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
