"""Random search within a budget of CPU time, and the spaces it draws from."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple, Self

import numpy as np
from scipy.stats import loguniform, randint, uniform
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import KFold, ParameterSampler, StratifiedKFold

from emphatic.comparison.measures import log_loss
from emphatic.inputs import take_rows

N_FOLDS = 5
ENOUGH = 1000
"""Draws after which a search ends even if there is time left."""

_TREES = {"n_estimators": [100, 200, 400], "max_features": ["sqrt", 0.3, 0.6, 1.0], "min_samples_leaf": randint(1, 11)}
_BALANCED = {"sampling_strategy": ["auto", "all"], "replacement": [True, False]}
SPACES: Mapping[str, Mapping[str, Any]] = {
    "AdaBoost": {"n_estimators": randint(20, 301), "learning_rate": loguniform(0.05, 2)},
    "HistGradientBoosting": {
        "learning_rate": loguniform(0.01, 0.3), "max_iter": randint(50, 401), "max_leaf_nodes": randint(4, 64),
        "min_samples_leaf": randint(2, 50), "l2_regularization": loguniform(1e-4, 10),
    },
    "RandomForest": _TREES,
    "ExtraTrees": _TREES,
    "SVC": {"C": loguniform(1e-2, 1e3), "gamma": loguniform(1e-4, 1)},
    "MLP": {
        "hidden_layer_sizes": [(50,), (100,), (200,), (100, 100)], "alpha": loguniform(1e-5, 10),
        "learning_rate_init": loguniform(1e-4, 1e-2),
    },
    "LogisticRegression": {"C": loguniform(1e-3, 1e3)},
    "LightGBM": {
        "learning_rate": loguniform(0.01, 0.3), "n_estimators": randint(50, 401), "num_leaves": randint(4, 64),
        "min_child_samples": randint(2, 50), "reg_lambda": loguniform(1e-4, 10), "subsample": uniform(0.5, 0.5),
        "subsample_freq": [1], "colsample_bytree": uniform(0.5, 0.5),
    },
    "XGBoost": {
        "learning_rate": loguniform(0.01, 0.3), "n_estimators": randint(50, 401), "max_depth": randint(2, 11),
        "min_child_weight": loguniform(0.5, 20), "reg_lambda": loguniform(1e-2, 10), "subsample": uniform(0.5, 0.5),
        "colsample_bytree": uniform(0.5, 0.5),
    },
    "CatBoost": {
        "learning_rate": loguniform(0.01, 0.3), "iterations": randint(50, 1001), "depth": randint(3, 9),
        "l2_leaf_reg": loguniform(1, 10),
    },
    "RUSBoost": {"n_estimators": randint(20, 301), "learning_rate": loguniform(0.05, 2), "replacement": [True, False]},
    "BalancedRandomForest": {**_TREES, **_BALANCED},
    "EasyEnsemble": {"n_estimators": randint(5, 31), "replacement": [True, False]},
    "RealAdaBoost of RBF networks": {
        "emphasis__lam": uniform(0, 1), "estimator__design__fraction": [0.05, 0.1, 0.2],
        "estimator__regularisation": loguniform(1e-6, 1e-1), "n_estimators": randint(10, 101),
    },
    "RealAdaBoost of trees": {
        "emphasis__lam": uniform(0, 1), "estimator__max_depth": randint(1, 9),
        "estimator__min_samples_leaf": randint(1, 21), "n_estimators": randint(20, 301),
    },
    "RealAdaBoost of MLPs": {
        "emphasis__lam": uniform(0, 1), "estimator__n_hidden": randint(2, 21), "n_estimators": randint(5, 51),
    },
    "Parallel perceptrons": {
        "estimator__n_perceptrons": [3, 5, 7], "estimator__learning_rate": loguniform(1e-3, 1e-1),
        "n_estimators": randint(5, 51),
    },
}  # fmt: skip
"""What is customarily tuned; the defaults are always the first candidate, and may be kept."""


class Candidate(NamedTuple):
    """Parameters, and their mean log loss over the folds."""

    log_loss: float
    parameters: Mapping[str, Any]


class RandomSearch(ClassifierMixin, BaseEstimator):
    """The contender with the parameters of the smallest cross-validated log loss found in `budget` CPU seconds.

    The defaults are fitted first. What is left of the budget goes into five folds of the training rows, the defaults
    again the first candidate, and into a last fit of the best; no fold is begun when the longest fit so far says that
    it would come too late. With too small a budget the result is the contender at its defaults.
    """

    def __init__(self, build: Callable[..., Any], space: Mapping[str, Any], budget: float, random_state: int) -> None:
        self.build = build
        self.space = space
        self.budget = budget
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        started = time.process_time()
        self.estimator_ = self.build({}, self.random_state).fit(X, y)
        longest = time.process_time() - started
        candidates = list(self._candidates(X, np.asarray(y), longest, started + self.budget))
        best = min(candidates, default=Candidate(np.inf, {}), key=lambda one: one.log_loss)
        if best.parameters:
            self.estimator_ = self.build(best.parameters, self.random_state).fit(X, y)
        self.classes_ = self.estimator_.classes_
        self.n_candidates_ = len(candidates)
        return self

    def _candidates(self, X: Any, y: np.ndarray, longest: float, until: float) -> Iterator[Candidate]:
        folds = list(make_splitter(y, self.random_state).split(np.zeros(len(y)), y))
        for parameters in chain([{}], ParameterSampler(self.space, ENOUGH, random_state=self.random_state)):
            losses = []
            for train, test in folds:
                started = time.process_time()
                if started + 2 * longest > until:  # this fit, and the last one
                    return
                model = self.build(parameters, self.random_state).fit(take_rows(X, train), y[train])
                losses.append(log_loss(model, take_rows(X, test), y[test]))
                longest = max(longest, time.process_time() - started)
            yield Candidate(float(np.mean(losses)), parameters)

    def predict(self, X: Any) -> np.ndarray:
        return np.asarray(self.estimator_.predict(X))

    def predict_proba(self, X: Any) -> np.ndarray:
        return np.asarray(self.estimator_.predict_proba(X))


def make_splitter(y: np.ndarray, random_state: int) -> Any:
    """Stratified where every class has a member for each fold, as scikit-learn warns elsewhere."""
    smallest = np.unique(y, return_counts=True)[1].min()
    kind = StratifiedKFold if smallest >= N_FOLDS else KFold
    return kind(N_FOLDS, shuffle=True, random_state=random_state)
