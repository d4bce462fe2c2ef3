"""Contenders as methods of a study: with flipped labels, at their defaults or tuned with equal time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.dummy import DummyClassifier

from benchmarks.peers_automl import list_automl
from benchmarks.peers_tuning import SPACES, RandomSearch
from emphatic.comparison.contenders import list_contenders
from emphatic.comparison.measures import measure
from emphatic.recipes import RECIPES, Recipe
from emphatic.study.tasks import Method, Setting

NOISE = (0.0, 0.2)
"""Shares of the training labels that are flipped."""


CORRECTED = replace(
    RECIPES["EmphaticClassifier"],
    name="EmphaticClassifier, noise corrected",
    parameters={**RECIPES["EmphaticClassifier"].parameters, "label_noise": "correct"},
)
"""Ours, told that the labels to be predicted are clean, as they are here; users who compare have labels of one kind."""


class Wrapped(ClassifierMixin, BaseEstimator):
    """What is the same for all that wrap a classifier: it answers, once fitted, as `estimator_`."""

    estimator_: Any

    @property
    def classes_(self) -> np.ndarray:
        return np.asarray(self.estimator_.classes_)

    def predict(self, X: Any) -> np.ndarray:
        return np.asarray(self.estimator_.predict(X))

    def predict_proba(self, X: Any) -> np.ndarray:
        return np.asarray(self.estimator_.predict_proba(X))


class FlippedLabels(Wrapped):
    """Flip a share of the training labels, each to one of the other classes at random, then fit.

    The flips depend on `random_state` and the labels alone: estimators with the same seed see the same ones.
    """

    def __init__(self, estimator: Any, share: float = 0.0, random_state: int = 0) -> None:
        self.estimator = estimator
        self.share = share
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        self.estimator_ = clone(self.estimator).fit(X, flipped(np.asarray(y), self.share, self.random_state))
        return self


def flipped(y: np.ndarray, share: float, random_state: int) -> np.ndarray:
    """Labels with a share, rounded to whole rows, made wrong."""
    classes, codes = np.unique(y, return_inverse=True)
    rng = np.random.default_rng([random_state, round(1e6 * share)])
    wrong = rng.permutation(len(y))[: int(np.floor(share * len(y) + 0.5))]
    codes[wrong] = (codes[wrong] + rng.integers(1, len(classes), len(wrong))) % len(classes)
    return np.asarray(classes[codes])


class OrFrequencies(Wrapped):
    """The estimator, or the class frequencies where it refuses the training rows (`refusal_` says why).

    RUSBoost ends in an error where its first stump is no better than chance. Leaving such fits out would flatter it,
    and leaving out the partition would change what all others are measured on.
    """

    def __init__(self, estimator: Any) -> None:
        self.estimator = estimator

    def fit(self, X: Any, y: Any) -> Self:
        self.refusal_ = ""
        try:
            self.estimator_ = clone(self.estimator).fit(X, y)
        except ValueError as error:
            self.refusal_ = str(error)
            self.estimator_ = DummyClassifier(strategy="prior").fit(X, y)
        return self


def as_it_is() -> None:
    """Contenders prepare their tables themselves."""


def at_defaults(contender: Recipe, noise: Sequence[float] = NOISE) -> Method:
    """Settings: the shares of flipped labels."""
    settings = [{"flipped": share} for share in noise]
    return Method(contender.name, partial(_default, contender.name), settings, as_it_is, measure=measured)


def _default(name: str, setting: Setting, random_state: int) -> FlippedLabels:
    recipe = {**list_contenders(), **list_automl(), CORRECTED.name: CORRECTED}[name]
    return _wrapped(recipe.build({}, random_state), setting["flipped"], random_state)


def tuned(contender: Recipe, budgets: Mapping[float, float]) -> Method:
    """A random search in the time that `budgets` gives for each share of flipped labels."""
    settings = [{"flipped": share, "tuned": True} for share in budgets]
    return Method(contender.name, partial(_tuned, contender.name, budgets), settings, as_it_is, measure=measured)


def _tuned(name: str, budgets: Mapping[float, float], setting: Setting, random_state: int) -> FlippedLabels:
    share = setting["flipped"]
    search = RandomSearch(list_contenders()[name].build, SPACES[name], budgets[share], random_state)
    return _wrapped(search, share, random_state)


def _wrapped(estimator: Any, share: float, random_state: int) -> FlippedLabels:
    return FlippedLabels(OrFrequencies(estimator), share, random_state)


def measured(estimator: FlippedLabels, X: Any, y: Any) -> dict[str, Any]:
    """What `measure` says; a refusal; and how much a search could try."""
    fitted: OrFrequencies = estimator.estimator_
    refusal = {"refusal": fitted.refusal_} if fitted.refusal_ else {}
    search = fitted.estimator_
    tried = {"n_candidates": search.n_candidates_, "budget": search.budget} if isinstance(search, RandomSearch) else {}
    return {**measure(estimator, X, y), **refusal, **tried}
