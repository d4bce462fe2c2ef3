"""One trial: spoil the labels of the training part, choose among the candidates on its folds, learn, and measure."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from emphatic.boosting.real_adaboost import RealAdaBoostClassifier
from emphatic.inputs import take_rows
from emphatic.learners import MLPNetworkClassifier, RBFNetworkClassifier, SampledCentres
from emphatic.margins import labels, margins
from emphatic.papers.emphases.conditions import CONDITIONS, IMBALANCE
from emphatic.papers.emphases.rules import FOR_IMBALANCE, ROUNDS, RULES
from emphatic.study.fit import choose_rounds
from emphatic.study.tasks import Setting

LEARNERS: dict[str, Any] = {
    "stump": DecisionTreeClassifier(max_depth=1),
    "depth-3 tree": DecisionTreeClassifier(max_depth=3),
    "RBF network": RBFNetworkClassifier(SampledCentres(0.1)),
    "MLP": MLPNetworkClassifier(4, max_epochs=50),
}
FOLDS = 3


class Trial(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """An ensemble of one rule, under one condition; the rule's candidates are compared on folds of what it is given.

    Candidates are judged by the error on the spoilt labels, as the user of noisy data would have to (with imbalance, by
    the mean of both classes' errors).
    """

    def __init__(self, learner: str, rule: str, condition: str, random_state: int) -> None:
        self.learner = learner
        self.rule = rule
        self.condition = condition
        self.random_state = random_state

    @config_context(skip_parameter_validation=True, assume_finite=True)  # a fifth of the time of small trees
    def fit(self, X: Any, y: np.ndarray) -> Self:
        """Spoil, choose, learn."""
        self.classes_, codes = np.unique(y, return_inverse=True)
        # one stream for all rules: they see the same flips
        rows, codes = CONDITIONS[self.condition](codes, np.random.default_rng(self.random_state))
        X, self.n_train_, rule = take_rows(X, rows), len(rows), {**RULES, **FOR_IMBALANCE}[self.rule]
        ensemble = RealAdaBoostClassifier(LEARNERS[self.learner], n_estimators=ROUNDS, random_state=self.random_state)
        folds = StratifiedKFold(FOLDS, shuffle=True, random_state=self.random_state)
        if len(rule.candidates) == 1:
            self.candidate_, self.model_ = 0, ensemble.set_params(**rule.candidates[0])
        else:
            scoring = "balanced_accuracy" if self.condition == IMBALANCE else "accuracy"
            grid = [{name: [value] for name, value in one.items()} for one in rule.candidates]
            search = GridSearchCV(ensemble, grid, scoring=scoring, cv=folds, error_score="raise", refit=False)
            self.candidate_ = int(search.fit(X, codes).best_index_)
            self.model_ = ensemble.set_params(**rule.candidates[self.candidate_])
        if rule.shifted:
            self.model_ = CalibratedClassifierCV(self.model_, method="sigmoid", cv=folds)
        self.threshold_ = float(np.mean(codes)) if rule.shifted else None
        self.model_.fit(X, codes)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Labels of the rows of `X`."""
        if self.threshold_ is None:
            return np.asarray(self.classes_[self.model_.predict(X)])
        return np.asarray(self.classes_[(self.model_.predict_proba(X)[:, 1] >= self.threshold_).astype(int)])


def build(setting: Setting, random_state: int) -> Trial:
    """The trial of a setting."""
    return Trial(setting["learner"], setting["rule"], setting["condition"], random_state)


def measure(trial: Trial, X: Any, y: np.ndarray) -> dict[str, Any]:
    """Error, mean error of the classes, what was chosen; of an ensemble also error, margin and weights over rounds."""
    wrong = trial.predict(X) != y
    found = {
        "error": float(wrong.mean()),
        "balanced_error": float(np.mean([wrong[y == label].mean() for label in np.unique(y)])),
        "candidate": trial.candidate_,
    }
    return found if trial.threshold_ is not None else {**found, **measure_rounds(trial, X, y)}


def measure_rounds(trial: Trial, X: Any, y: np.ndarray) -> dict[str, Any]:
    """After about ten of the rounds: the error, the median margin, and the effective share of the training samples."""
    ensemble, codes = trial.model_, np.searchsorted(trial.classes_, y)
    sizes = ensemble.effective_sample_sizes_
    votes = np.maximum(np.cumsum(np.abs(ensemble.alphas_)), 1e-12)  # revised votes may be 0, and then so is the score
    scores = list(ensemble.staged_decision_function(X))
    rounds = choose_rounds(len(scores)) if scores else []
    return {
        "rounds": len(scores),
        "stop_reason": ensemble.stop_reason_,
        "curve": [[t, float((labels(scores[t - 1]) != codes).mean())] for t in rounds],
        "margins": [[t, float(np.median(margins(scores[t - 1], codes)) / votes[t - 1])] for t in rounds],
        "effective_shares": [[t, float(sizes[t - 1] / trial.n_train_)] for t in rounds],
    }
