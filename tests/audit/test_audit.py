"""The label audit: closed forms against plain retraining, sums and orders, what it finds and what it refuses."""

from typing import ClassVar

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_blobs
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.metrics import average_precision_score
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from emphatic.audit import AuditResult, audit_labels
from emphatic.audit.judgement import KINDS
from emphatic.audit.passes import weigh_labels
from emphatic.audit.scoring import score_by_kernel, score_classes, score_held_out
from emphatic.blending.ridge import Kernel
from emphatic.tables import TableTransformer

LOGISTIC = LogisticRegression()


def blobs(n=90, n_classes=3, n_flips=6, seed=0):
    """Separable classes of which a few labels are wrong: table, given labels, which are wrong, true labels."""
    X, y = make_blobs(n, n_features=4, centers=8.0 * np.eye(4)[:n_classes], random_state=seed)
    wrong = np.isin(np.arange(n), np.random.default_rng(seed).permutation(n)[:n_flips])
    return X, np.where(wrong, (y + 1) % n_classes, y), wrong, y


@pytest.fixture(scope="module")
def found():
    X, given, wrong, true = blobs()
    return audit_labels(X, given), given, wrong, true


# Scores of samples that a model was not trained on


def test_kernel_scores_of_many_rows_use_a_draw_of_units(monkeypatch):
    monkeypatch.setattr("emphatic.blending.ridge.MOST_UNITS", 20)
    X, _, _, y = blobs(200)
    scores = score_by_kernel(Kernel("cityblock", 2.0), X, y, np.ones(200), np.random.default_rng(0))
    assert scores.shape == (200, 3) and (scores.argmax(axis=1) == y).all()


def test_a_class_that_the_training_rows_lack_gets_the_least_score():
    X, labels = np.arange(6.0)[:, None], np.array(["a", "a", "a", "c", "c", "c"])
    training = (X, labels, np.ones(6))
    scores = score_held_out(LOGISTIC, training, X, np.array(["a", "b", "c"]), np.random.default_rng(0))
    assert (scores.argmin(axis=1) == 1).all()
    only = score_held_out(LOGISTIC, (X, labels[[0] * 6], np.ones(6)), X, np.array(["a", "b"]), np.random.default_rng(0))
    assert (only.argmax(axis=1) == 0).all()


@pytest.mark.parametrize("model", [LOGISTIC, RidgeClassifier(), SVC(decision_function_shape="ovo"), NearestCentroid()])
def test_scores_of_any_classifier_have_one_column_per_class_and_agree_with_its_predictions(model):
    for n_classes in (2, 3, 4):
        X, _, _, y = blobs(60, n_classes)
        model.fit(X, y)
        scores = score_classes(model, X, np.arange(n_classes))
        assert scores.shape == (60, n_classes)
        assert (scores.argmax(axis=1) == model.predict(X)).all()


# The two passes


class FirstColumn(ClassifierMixin, BaseEstimator):
    """Its score is the first column, whatever it is trained on; keeps what it was trained with."""

    trainings: ClassVar[list] = []

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        self.trainings.append((X[:, 0], sample_weight))
        return self

    def decision_function(self, X):
        return X[:, 0]

    def predict(self, X):
        return self.classes_[(X[:, 0] > 0).astype(int)]


def shifted_scores(n=120):
    """Scores of two classes, of which every tenth label is wrong."""
    scores = np.random.default_rng(10).normal(size=n) * 3.0
    codes = (scores > 0).astype(int)
    codes[::10] = 1 - codes[::10]
    return scores, codes


def best_probabilities(scores, codes, weights):
    """softmax(b s) under the factor of the least weighted log loss, found by plain minimisation."""
    columns = np.column_stack([-scores, scores])

    def loss(log_factor):
        return -np.average(
            log_softmax(np.exp(log_factor) * columns, axis=1)[np.arange(len(codes)), codes], weights=weights
        )

    factor = np.exp(minimize_scalar(loss, bounds=(-3, 5), method="bounded").x)
    return np.exp(log_softmax(factor * columns, axis=1))


def test_the_second_pass_fits_temperatures_with_the_weights_of_the_first():
    scores, codes = shifted_scores()
    first = best_probabilities(scores, codes, np.ones(120))
    second = best_probabilities(scores, codes, weigh_labels(first, codes))
    found = audit_labels(scores[:, None], codes, FirstColumn()).probabilities
    np.testing.assert_allclose(found, (first + second) / 2, atol=2e-3)
    assert np.abs(second - first).max() > 0.05  # wrong labels weigh less, so the second pass is surer of the others


def test_the_second_pass_trains_on_other_folds_with_the_weights_of_the_first():
    scores, codes = shifted_scores()
    FirstColumn.trainings.clear()
    audit_labels(scores[:, None], codes, FirstColumn())
    first, second = FirstColumn.trainings[:5], FirstColumn.trainings[5:]
    assert len(second) == 5
    assert all(weights is None for _, weights in first)
    assert not {frozenset(rows) for rows, _ in first} & {frozenset(rows) for rows, _ in second}
    weight_of = dict(zip(scores, weigh_labels(best_probabilities(scores, codes, np.ones(120)), codes)))
    for rows, weights in second:
        expected = np.array([weight_of[row] for row in rows])
        np.testing.assert_allclose(weights, expected / expected.mean(), atol=5e-3)
    assert min(weight_of.values()) == 0.05


# The audit as a whole


def test_flips_in_separable_classes_are_all_found_and_corrected(found):
    result, _, wrong, true = found
    assert isinstance(result, AuditResult)
    assert average_precision_score(wrong, result.suspicion) == 1.0
    assert (result.suggested == true).all()
    assert (result.kinds[wrong] == "noisy").all() and (result.kinds[~wrong] != "noisy").all()
    assert result.suspicion.sum() == pytest.approx(wrong.sum(), abs=3)


def test_the_result_fits_together(found):
    result, given, _, _ = found
    assert ((result.suspicion >= 0) & (result.suspicion <= 1)).all()
    np.testing.assert_allclose(result.probabilities.sum(axis=1), 1.0)
    np.testing.assert_allclose(result.posterior.sum(axis=1), 1.0)
    np.testing.assert_allclose(result.posterior[np.arange(90), given], 1.0 - result.suspicion, atol=1e-12)
    assert ((result.suggested != given) == (result.suspicion > 0.5)).all()
    assert set(result.kinds) <= set(KINDS)
    assert result.neighbours.shape == (90, 10)
    assert (result.neighbours != np.arange(90)[:, None]).all()
    table = result.table
    assert list(table.columns) == ["index", "label", "suggested", "kind", "suspicion"]
    assert table["suspicion"].is_monotonic_decreasing
    assert (table["label"] == given[table["index"]]).all()
    assert result.summary().startswith("90 samples, 3 classes:")


def test_equal_suspicions_keep_the_order_of_the_rows():
    X, y = np.tile([[0.0], [1.0]], (10, 1)), np.tile(["no", "yes"], 10)
    result = audit_labels(X, y, estimator=DummyClassifier(strategy="uniform"))
    assert len(np.unique(result.suspicion.round(12))) == 1
    assert result.table["index"].tolist() == list(range(20))


def test_the_same_seed_gives_the_same_audit_for_every_number_of_jobs(found):
    result = found[0]
    X, given_labels, _, _ = blobs()
    calls = []
    again = audit_labels(X, given_labels, n_jobs=2, progress=lambda done, total: calls.append((done, total)))
    assert (again.probabilities == result.probabilities).all()
    assert calls == [(i, len(calls)) for i in range(1, len(calls) + 1)]
    one, two = (audit_labels(X, given_labels, LOGISTIC, random_state=seed) for seed in (0, 1))
    assert (one.probabilities != two.probabilities).any()


def test_names_of_the_classes_and_of_the_rows_change_nothing_else():
    X, given_labels, _, _ = blobs()
    result = audit_labels(X, given_labels, LOGISTIC)
    table = pd.DataFrame(X, index=[f"r{i}" for i in range(90)])
    named = audit_labels(table, pd.Series(np.array(["ape", "bee", "cow"])[given_labels]), LOGISTIC)
    assert (named.suspicion == result.suspicion).all()
    assert set(named.suggested) == {"ape", "bee", "cow"}
    assert named.index[named.order[0]] == f"r{result.order[0]}"


def test_a_permutation_of_the_rows_permutes_the_results_of_a_panel_without_randomness():
    X, y, _, _ = blobs(30, 2, 3)
    order = np.random.default_rng(7).permutation(30)
    # as many folds as samples: no fold depends on the order
    one, two = (audit_labels(X[rows], y[rows], LOGISTIC, cv=30) for rows in (np.arange(30), order))
    np.testing.assert_allclose(one.suspicion[order], two.suspicion, atol=1e-6)
    assert (one.kinds[order] == two.kinds).all()


def mixed_table(n=80):
    rng = np.random.default_rng(8)
    y = rng.integers(2, size=n)
    colour = np.where(y == 1, "red", "blue").astype(object)
    size = y + 0.3 * rng.normal(size=n)
    colour[::9], size[::7] = None, np.nan
    return {"colour": colour.tolist(), "size": size.tolist()}, y


def test_tables_with_categories_and_missing_values_give_the_same_audit_from_pandas_polars_and_lists():
    columns, y = mixed_table()
    y[5] = 1 - y[5]
    tables = (
        pd.DataFrame(columns),
        pl.DataFrame({**columns, "size": [None if np.isnan(v) else v for v in columns["size"]]}, strict=False),
        [list(row) for row in zip(columns["colour"], columns["size"])],
    )
    assert audit_labels(tables[0], y).order[0] == 5
    pipeline = make_pipeline(TableTransformer(), LOGISTIC)
    results = [audit_labels(table, y, pipeline) for table in tables]
    for other in results[1:]:
        np.testing.assert_allclose(other.suspicion, results[0].suspicion, atol=1e-12)


def test_an_estimator_of_one_s_own_is_used_out_of_fold():
    columns, y = mixed_table()
    y[5] = 1 - y[5]
    table = pd.DataFrame(columns)
    pipeline = make_pipeline(TableTransformer(), SVC())
    assert audit_labels(table, y, pipeline).order[0] == 5
    assert not hasattr(pipeline, "n_features_in_")  # a clone was fitted
    X, given_labels, wrong, _ = blobs(60, 2, 5)
    for model in (LOGISTIC, RidgeClassifier(), NearestCentroid()):
        result = audit_labels(X, given_labels, model)
        assert average_precision_score(wrong, result.suspicion) == 1.0


def test_class_weights_of_an_estimator_refer_to_the_labels_as_given():
    X, y, _, _ = blobs(60, 2, 0)
    labels = np.array(["no", "yes"])[y]
    weighted = audit_labels(X, labels, LogisticRegression(class_weight={"no": 1.0, "yes": 5.0}))
    assert (weighted.suggested == labels).all()


# Small and bad tables


@pytest.mark.parametrize("labels", [[*["a"] * 19, "b"], [*["a"] * 8, *["b"] * 7, *["c"] * 3, "d", "e"]])
def test_rare_classes_and_twenty_rows_are_audited(labels):
    X = np.random.default_rng(9).normal(size=(20, 2))
    result = audit_labels(X, labels)
    assert np.isfinite(result.suspicion).all() and np.isfinite(result.probabilities).all()
    lonely = [i for i, label in enumerate(labels) if labels.count(label) == 1]
    assert all(result.suggested[i] != labels[i] for i in lonely)  # nobody else vouches for it


def test_columns_without_information_or_beyond_scale_give_finite_results():
    X = np.column_stack([np.zeros(12), np.repeat([1e200, -1e200], 6)])
    result = audit_labels(X, [0, 1] * 6, cv=2)
    assert np.isfinite(result.suspicion).all() and np.isfinite(result.probabilities).all()


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"cv": 1}, ValueError, "cv=1 is not allowed"),
        ({"cv": 2.5}, ValueError, "cv=2.5 is not allowed"),
        ({"cv": 11}, ValueError, "cv=11 is not allowed: there are only 10 samples"),
        ({"y": [0] * 10}, ValueError, "only one class"),
        ({"y": [0, 1] * 4}, ValueError, "X has 10 rows but y has 8 labels"),
        ({"y": [0.0, 1.0] * 4 + [np.nan, 1.0]}, ValueError, "every label must be given"),
        ({"y": ["a", "b"] * 4 + [None, "b"]}, ValueError, r"y has missing labels \(1, first at position 8\)"),
        ({"y": np.linspace(0, 1, 10)}, ValueError, "Unknown label type"),
        ({"y": np.zeros((10, 2))}, ValueError, "y should be a 1d array"),
        ({"X": np.zeros(10)}, ValueError, "Expected 2D array"),
        ({"X": np.full((10, 1), np.inf)}, ValueError, "infinite"),
        ({"estimator": "svm"}, TypeError, "estimator='svm' is not allowed"),
        ({"estimator": LogisticRegression}, TypeError, "must be a classifier"),
        ({"random_state": -1}, ValueError, "random_state=-1"),
    ],
)
def test_bad_input_is_refused_by_name(change, error, message):
    arguments = {"X": np.arange(10.0)[:, None], "y": [0, 1] * 5, **change}
    with pytest.raises(error, match=message):
        audit_labels(**arguments)
