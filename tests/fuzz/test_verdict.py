"""The judge of fuzzed calls notices what it is there to notice, and lets pass what is fine."""

import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

from emphatic import check
from emphatic.user_warning import warn_user
from tests.fuzz import estimators, verdict
from tests.fuzz.classes import CLASSES
from tests.fuzz.recipes import build
from tests.fuzz.verdict import Fault, attempt, demand_finite, demand_probabilities


def raise_one(error):
    raise error


def spoil(X):
    X[0] = 7


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda X: X[99], "wrong type of error"),
        (lambda X: X.nothing, "wrong type of error"),
        (lambda X: np.zeros(3) + np.zeros(4), "obscure error"),
        (lambda X: int("seven"), "obscure error"),
        (lambda X: raise_one(ValueError("")), "error without a message"),
        (lambda X: warnings.warn("careful", RuntimeWarning, stacklevel=1), "warning leaked"),
        (lambda X: np.log(np.array([0.0])), "warning leaked"),
        (spoil, "argument changed"),
    ],
)
def test_a_fault_is_noticed(call, kind):
    with pytest.raises(Fault, match=kind):
        attempt(call, {"X": np.zeros(3)})


def test_a_loop_without_end_is_noticed(monkeypatch):
    monkeypatch.setattr(verdict, "SECONDS", 0.2)

    def hang(X):
        while True:
            pass

    with pytest.raises(Fault, match="hang"):
        attempt(hang, {"X": 1})


@pytest.mark.parametrize(
    "call",
    [
        lambda X: check.integer("n_rounds", -1, at_least=0),
        lambda X: check.instance("emphasis", X, str, "text"),
        lambda X: raise_one(ValueError("X has 3 rows, and 4 are needed")),
    ],
)
def test_a_clear_refusal_is_fine(call):
    assert attempt(call, {"X": np.zeros(3)}).refusal is not None


def test_a_warning_of_ours_is_fine():
    assert attempt(lambda X: warn_user("X is small"), {"X": np.zeros(3)}).refusal is None


@pytest.mark.parametrize("answer", [np.nan, [1.0, np.inf], (np.array([np.nan]),), {"a": [np.nan]}])
def test_what_is_not_finite_is_noticed(answer):
    with pytest.raises(Fault, match="not finite"):
        demand_finite("it", answer)


@pytest.mark.parametrize("answer", [np.full((2, 2), 0.4), np.array([[1.5, -0.5]] * 2), np.ones((2, 3)) / 3, None])
def test_what_are_no_probabilities_is_noticed(answer):
    with pytest.raises(Fault):
        demand_probabilities("it", answer, (2, 2))


class HalfFitted(ClassifierMixin, BaseEstimator):
    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        raise ValueError("y is not what I like")

    def predict(self, X):
        return self.classes_[self.nothing_]

    def predict_proba(self, X):
        return self.nothing_


def test_an_estimator_that_is_half_fitted_is_noticed(monkeypatch):
    monkeypatch.setitem(CLASSES, "HalfFitted", HalfFitted)
    target = estimators.EstimatorTarget("HalfFitted", {})
    with pytest.raises(Fault, match="half fitted"):
        target.run({"target": "HalfFitted", "X": estimators.GOOD_ROWS, "y": estimators.GOOD_LABELS})


def test_a_recipe_gives_an_equal_value_every_time():
    recipe = {"$table": {"rows": 5, "columns": 2, "twist": "huge", "as": "pandas text", "seed": 3}}
    assert build(recipe).equals(build(recipe))
    assert build([1, {"$tuple": [{"$float": "inf"}]}]) == [1, (float("inf"),)]
