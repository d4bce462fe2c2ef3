"""Out-of-fold predictions: every row by models that did not see it, whatever the classes."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_blobs
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from emphatic import EmphaticClassifier
from emphatic.card import predict_out_of_fold
from emphatic.card.out_of_fold import answer
from tests.card.cards import make_model, make_table


class Rote(ClassifierMixin, BaseEstimator):
    """Knows the rows it was trained on by heart, and predicts the first class for all others."""

    def fit(self, X, y):
        self.known_ = dict(zip(X[:, 0].tolist(), y.tolist()))
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.array([self.known_.get(x, self.classes_[0]) for x in X[:, 0].tolist()])


def test_what_is_known_by_heart_does_not_help():
    X, y = np.arange(40.0).reshape(-1, 1), np.array(["a", "b"] * 20)
    assert Rote().fit(X, y).score(X, y) == 1.0
    assert (predict_out_of_fold(Rote(), X, y).predicted == "a").all()


def test_it_is_a_cross_validation():
    X, y = make_table()
    found = predict_out_of_fold(make_model(), X, y, n_folds=4, random_state=3)
    assert np.bincount(found.fold).tolist() == [50] * 4
    twin = np.empty((len(y), 2))
    for fold in range(4):
        own = found.fold == fold
        twin[own] = make_model().fit(X[~own], y[~own]).predict_proba(X[own])
    np.testing.assert_allclose(found.probabilities, twin, rtol=1e-15)
    np.testing.assert_array_equal(found.predicted, found.classes[twin.argmax(axis=1)])
    assert found.origin == "by a model that was not trained on it (4-fold cross-validation)"


def test_any_rows_can_be_predicted_again_by_the_models_that_left_them_out():
    X, y = make_table()
    found = predict_out_of_fold(make_model(), X, y)
    rows = np.array([199, 3, 50, 3])
    np.testing.assert_array_equal(found.predict(X.iloc[rows], rows), found.probabilities[rows])


def test_the_models_own_out_of_fold_probabilities_are_taken():
    X, y = np.zeros((4, 1)), np.array(["a", "b", "a", "b"])
    model = DummyClassifier().fit(X, y)
    model.out_of_fold_ = np.array([[0.9, 0.1], [0.2, 0.8], [0.3, 0.7], [0.4, 0.6]])
    found = predict_out_of_fold(model, X, y)
    assert found.probabilities is model.out_of_fold_
    assert found.predicted.tolist() == ["a", "b", "b", "b"]
    assert found.fold is None
    with pytest.raises(ValueError, match="give the rows that it was fitted to"):
        predict_out_of_fold(model, X[:3], y[:3])


def test_rare_classes_have_probability_0_where_the_training_rows_lack_them():
    X = np.arange(21.0).reshape(-1, 1)
    y = np.array(["a"] * 10 + ["b"] * 10 + ["c"])
    found = predict_out_of_fold(KNeighborsClassifier(3), X, y)
    assert found.probabilities[20].tolist() == [0.0, found.probabilities[20, 1], 0.0]
    np.testing.assert_array_equal(found.probabilities.sum(axis=1), 1.0)


def test_where_one_class_is_left_that_class_is_predicted():
    X, y = np.arange(10.0).reshape(-1, 1), np.array(["a"] * 9 + ["b"])
    found = predict_out_of_fold(LogisticRegression(), X, y)  # which refuses rows of one class
    assert found.probabilities[9].tolist() == [1.0, 0.0]
    assert found.predicted[9] == "a"


def test_a_model_without_probabilities():
    X, y = make_table()
    numbers = X[["age"]]
    found = predict_out_of_fold(RidgeClassifier(), numbers, y)
    assert found.probabilities is None
    answers = found.predict(numbers, np.arange(len(y)))
    np.testing.assert_array_equal(found.classes[answers.argmax(axis=1)], found.predicted)
    assert set(answers.ravel()) == {0.0, 1.0}


def test_fewer_rows_than_folds_and_progress():
    steps = []
    found = predict_out_of_fold(
        DummyClassifier(), np.zeros((3, 1)), [0, 1, 1], progress=lambda *step: steps.append(step)
    )
    assert steps == [(1, 3), (2, 3), (3, 3)]
    assert found.probabilities.shape == (3, 2)


def test_answers_are_in_the_order_of_the_classes():
    model = DummyClassifier(strategy="prior").fit(pd.DataFrame({"x": [0, 0, 0, 0]}), ["b", "b", "b", "c"])
    assert answer(model, pd.DataFrame({"x": [0]}), np.array(["a", "b", "c"])).tolist() == [[0.0, 0.75, 0.25]]


@pytest.mark.parametrize("n_folds", [1, 2.5, "5"])
def test_bad_number_of_folds(n_folds):
    with pytest.raises(ValueError, match="n_folds"):
        predict_out_of_fold(DummyClassifier(), np.zeros((4, 1)), [0, 1, 0, 1], n_folds=n_folds)


class Unsure(Rote):
    """Does not know what a probability is."""

    def predict_proba(self, X):
        return np.full((len(X), len(self.classes_)), 0.7)


@pytest.mark.parametrize(
    ("model", "X", "message"),
    [
        (Unsure(), np.zeros((4, 1)), "Unsure.predict_proba returned rows that are no probabilities"),
        (DummyClassifier(), np.zeros((3, 1)), "inconsistent numbers of samples"),
        (DummyClassifier(), np.zeros(4), "Expected 2D array"),
    ],
)
def test_bad_tables_and_models(model, X, message):
    with pytest.raises(ValueError, match=message):
        predict_out_of_fold(model, X, [0, 1, 0, 1])


def test_a_list_of_rows():
    assert predict_out_of_fold(DummyClassifier(), [[0], [1], [2], [3]], [0, 1, 1, 1]).predicted.tolist() == [1] * 4


def test_rows_of_a_group_are_predicted_by_a_model_of_other_groups():
    """The column is the number of the group, and labels alternate: only its own rows tell, its neighbours mislead."""
    groups = np.repeat(np.arange(10), 8)
    X, y = groups[:, None].astype(float), groups % 2
    tree = DecisionTreeClassifier(random_state=0)
    apart, mixed = (predict_out_of_fold(tree, X, y, groups=given) for given in (groups, None))
    assert (mixed.predicted == y).all()
    assert (apart.predicted != y).mean() > 0.5
    assert apart.origin == "by a model that was not trained on its group (5-fold cross-validation)"


def test_the_decision_of_the_model_is_that_of_its_card():
    X, y = make_blobs([60, 20], centers=[[0, 0], [1, 0]], random_state=0)
    model = EmphaticClassifier(costs=[[0, 1], [9, 0]], random_state=0).fit(X, y)
    found = predict_out_of_fold(model, X, y)
    np.testing.assert_array_equal(found.predicted, model.decide(model.out_of_fold_))
    assert (found.predicted != model.out_of_fold_.argmax(axis=1)).any()
    assert found.origin.endswith('and its class chosen by decision="cost"')
