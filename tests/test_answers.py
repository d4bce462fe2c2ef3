"""What a member from elsewhere answers: NaN, or not one answer per row, is never passed on, whatever the ensemble."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import BaggingClassifier
from sklearn.naive_bayes import GaussianNB

from emphatic import (
    ClassTreeClassifier,
    FusionClassifier,
    FuzzyBoostClassifier,
    MultiViewForestClassifier,
    RealAdaBoostClassifier,
)
from emphatic.answers import check_finite, check_labels, predict_labels, predict_probabilities
from emphatic.audit import audit_labels
from emphatic.base import Learner, output_of, outputs_of
from emphatic.comparison.measures import measure
from emphatic.diversity import kappa_prune

X = np.random.default_rng(0).normal(size=(60, 4)) + np.repeat([[0.0], [2.0], [4.0]], 20, axis=0)
Y = np.repeat(["a", "b", "c"], 20)
STRANGE = np.full((1, 4), 100.0)
"""A row for which the members below give a wrong answer; all other rows get a right one."""


class Strange(ClassifierMixin, BaseEstimator):
    """Naive Bayes that answers NaN for the rows where the first column is beyond `limit`."""

    def __init__(self, limit=50.0):
        self.limit = limit

    def fit(self, X, y):
        self.model_ = GaussianNB().fit(X, y)
        self.classes_ = self.model_.classes_
        return self

    def predict_proba(self, X):
        answer = self.model_.predict_proba(X)
        answer[np.asarray(X)[:, 0] > self.limit] = np.nan
        return answer

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


class StrangeVoter(Strange):
    """One without probabilities, which predicts None instead."""

    predict_proba = None

    def __getattribute__(self, name):
        if name == "predict_proba":
            raise AttributeError(name)
        return super().__getattribute__(name)

    def predict(self, X):
        answer = self.model_.predict(X).astype(object)
        answer[np.asarray(X)[:, 0] > self.limit] = None
        return answer


ENSEMBLES = {
    "RealAdaBoost": (lambda member: RealAdaBoostClassifier(member, n_estimators=3, random_state=0), "member 0 "),
    "FuzzyBoost": (lambda member: FuzzyBoostClassifier(member, n_estimators=4, random_state=0), "member 0 "),
    "Fusion": (
        lambda member: FusionClassifier([("plain", GaussianNB(), None), ("odd", member, None)], reliability=0.9),
        "member 'odd' ",
    ),
    "ClassTree": (lambda member: ClassTreeClassifier(member, {"left": [0, 1]}, random_state=0), "member 'left' "),
    "MultiViewForest": (
        lambda member: MultiViewForestClassifier({"left": [0, 1], "right": [2, 3]}, member, random_state=0),
        "member 'left' ",
    ),
}


@pytest.mark.parametrize("member", [Strange, StrangeVoter])
@pytest.mark.parametrize(("build", "name"), ENSEMBLES.values(), ids=ENSEMBLES)
def test_member_that_answers_nan_is_named(build, name, member):
    model = build(member()).fit(X, Y)
    assert model.score(X, Y) > 0.7
    with pytest.raises(ValueError, match=rf"^{name}\({member.__name__}\): .* returned NaN or .* for 1 of 61 rows"):
        model.predict(np.vstack([X, STRANGE]))


@pytest.mark.parametrize("member", [Strange, StrangeVoter])
@pytest.mark.parametrize("build", [build for build, _ in ENSEMBLES.values()], ids=ENSEMBLES)
def test_member_that_answers_nan_for_training_rows_is_refused(build, member):
    model = build(member(limit=-50.0))
    with pytest.raises(ValueError, match=rf"{member.__name__}.*returned NaN"):
        model.fit(X, Y).predict(X)  # a tree and a fusion do not ask their members while they are trained


@pytest.mark.parametrize("member", [Strange, StrangeVoter])
def test_audit_by_a_model_that_answers_nan_is_refused(member):
    with pytest.raises(ValueError, match=rf"{member.__name__}\.predict.* returned NaN or"):
        audit_labels(X, Y, member(limit=-50.0), random_state=0)


def test_decision_function_of_a_model_of_an_audit_is_checked_too():
    class Decides(StrangeVoter):
        def decision_function(self, X):
            return np.full((len(X), 3), np.nan)

    with pytest.raises(ValueError, match=r"Decides\.decision_function returned NaN or infinity"):
        audit_labels(X, Y, Decides(), random_state=0)


def test_comparison_of_a_classifier_that_answers_nan_is_refused():
    class Certain(Strange):
        def predict(self, X):
            return self.model_.predict(X)

    with pytest.raises(ValueError, match=r"Certain\.predict_proba returned NaN or infinity for 1 of 61 rows"):
        measure(Certain().fit(X, Y), np.vstack([X, STRANGE]), [*Y, "c"])


def test_pruning_names_the_member():
    bagged = BaggingClassifier(StrangeVoter(), 3, random_state=0).fit(X, np.repeat([0, 1, 2], 20))
    rows = np.vstack([X, STRANGE])
    with pytest.raises(ValueError, match=r"member 0 \(StrangeVoter\): .* returned NaN or None for 1 of 61 rows"):
        kappa_prune(bagged, rows, np.r_[np.repeat([0, 1, 2], 20), 2], keep=2)


class Blank(Learner):
    """One of our learners, written by a user: right in `learn`, or not."""

    def __init__(self, learnt=0.5):
        self.learnt = learnt

    def learn(self, lesson):
        return self.learnt * (2.0 * lesson.y - 1.0)

    def respond(self, X):
        return np.full(len(X), np.nan)


def test_learner_of_the_contract_is_checked_too():
    two, labels = X[:40], Y[:40]
    model = RealAdaBoostClassifier(Blank(), n_estimators=2).fit(two, labels)
    with pytest.raises(ValueError, match=r"member 0 \(Blank\): Blank\.output returned NaN or infinity for 40 of 40"):
        model.predict(two)
    with pytest.raises(ValueError, match=r"member 0 \(Blank\): Blank\.output returned NaN or infinity"):
        RealAdaBoostClassifier(Blank(np.nan), n_estimators=2).fit(two, labels)


def test_vote_for_no_class_is_refused():
    class Elsewhere(StrangeVoter):
        def predict(self, X):
            return np.repeat("z", len(X))

    with pytest.raises(ValueError, match=r"Elsewhere\.predict returned 'z', which is none of the classes \['a', 'b', "):
        output_of(Elsewhere().fit(X, Y), X, np.array(["a", "b", "c"]))


def test_probabilities_of_another_shape_are_refused():
    class Narrow(Strange):
        def predict_proba(self, X):
            return super().predict_proba(X)[:, :2]

    with pytest.raises(ValueError, match=r"shape \(60, 2\): it must be \(60, 3\), one row per row of X and one column"):
        predict_probabilities(Narrow().fit(X, Y), X)


def test_answers_that_are_right_are_passed_on():
    fitted = GaussianNB().fit(X, Y)
    np.testing.assert_array_equal(predict_labels(fitted, X.tolist()), fitted.predict(X))
    np.testing.assert_array_equal(predict_probabilities(fitted, X), fitted.predict_proba(X))
    assert check_finite(fitted, "output", np.zeros((0, 2))).shape == (0, 2)
    assert check_labels(fitted, ["nan", "None", ""], 3).tolist() == ["nan", "None", ""]  # words like any other
    first, second = outputs_of([fitted, fitted], X, fitted.classes_)
    np.testing.assert_array_equal(first, second)
    np.testing.assert_array_equal(first, output_of(fitted, X, fitted.classes_))
