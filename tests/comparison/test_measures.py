"""What is measured of a contender: the figures are scikit-learn's, where it has them."""

import numpy as np
import pytest
from sklearn import metrics
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression

from emphatic.comparison.measures import find_positive, measure

X, Y = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])[Y]
TWO = NAMES != "setosa"


def test_with_two_classes_f1_and_precision_are_those_of_the_rarer_one():
    rows = np.flatnonzero(TWO)[:80]  # 50 versicolor, 30 virginica
    model = LogisticRegression(C=0.01).fit(X[rows], NAMES[rows])
    positive = find_positive(NAMES[rows])
    assert positive == "virginica"
    found = measure(model, X[rows], NAMES[rows], positive)
    predicted, truth = model.predict(X[rows]), NAMES[rows] == positive
    assert found["f1"] == pytest.approx(metrics.f1_score(truth, predicted == positive))
    scores = model.predict_proba(X[rows])[:, 1]
    assert found["average_precision"] == pytest.approx(metrics.average_precision_score(truth, scores))
    assert found["roc_auc"] == pytest.approx(metrics.roc_auc_score(truth, scores))


def test_with_several_classes_they_are_means_over_the_classes():
    model = LogisticRegression(C=0.01).fit(X, NAMES)
    assert find_positive(NAMES) is None
    found = measure(model, X, NAMES)
    predicted = model.predict(X)
    assert found["f1"] == pytest.approx(metrics.f1_score(NAMES, predicted, average="macro"))
    expected = metrics.average_precision_score(np.eye(3)[Y], model.predict_proba(X), average="macro")
    assert found["average_precision"] == pytest.approx(expected)
    recalls = metrics.recall_score(NAMES, predicted, average=None)
    assert list(found["class_accuracies"].values()) == pytest.approx(recalls)
    assert list(found["class_accuracies"]) == ["setosa", "versicolor", "virginica"]


def test_a_class_that_the_test_rows_lack_still_takes_part_in_the_predictions():
    """Trained on three classes, tested on two: a row taken for the third is wrong, and as sure as it was."""
    model = LogisticRegression(C=0.001).fit(X, NAMES)
    found = measure(model, X[TWO], NAMES[TWO], "virginica")
    probabilities = model.predict_proba(X[TWO])
    right = np.array(model.classes_)[probabilities.argmax(axis=1)] == NAMES[TWO]
    assert found["error"] == pytest.approx(1 - right.mean())
    bins = np.minimum((probabilities.max(axis=1) * 10).astype(int), 9)
    gaps = [abs((probabilities.max(axis=1) - right)[bins == b].sum()) for b in np.unique(bins)]
    assert found["calibration_error"] == pytest.approx(sum(gaps) / TWO.sum())
    assert set(found["class_accuracies"]) == {"versicolor", "virginica"}


def test_a_class_that_the_training_rows_lack_has_probability_zero():
    model = LogisticRegression().fit(X[~TWO | (NAMES == "virginica")], NAMES[~TWO | (NAMES == "virginica")])
    found = measure(model, X, NAMES)
    assert found["class_accuracies"]["versicolor"] == 0.0
    assert found["log_loss"] > 10
