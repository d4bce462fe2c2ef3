"""The label audit: closed forms against plain retraining, sums and orders, what it finds and what it refuses."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import make_blobs
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.metrics import average_precision_score
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from emphatic.audit import AuditResult, audit_labels
from emphatic.audit.blend import blend, brier_score
from emphatic.audit.kinds import kinds, safe_margin
from emphatic.audit.leave_one_out import kernel_scores
from emphatic.audit.out_of_fold import held_out_scores, scores_of
from emphatic.audit.result import KINDS
from emphatic.audit.suspicion import suspicion, wrong_share
from emphatic.blending.folds import deal
from emphatic.blending.ridge import Features, Kernel, leave_one_out
from emphatic.blending.temperature import tempered
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


# Closed forms


def test_leave_one_out_is_what_retraining_without_the_sample_gives():
    rng = np.random.default_rng(0)
    Z, targets, weights = rng.normal(size=(12, 5)), rng.normal(size=(12, 2)), rng.uniform(0.1, 2.0, 12)
    ridges = np.array([0.01, 1.0, 30.0])
    for ridge, scores in zip(ridges, leave_one_out(Z, targets, weights, ridges), strict=True):
        for i in range(12):
            others = np.arange(12) != i
            A, W = Z[others], np.diag(weights[others])
            solution = np.linalg.solve(A.T @ W @ A + ridge * np.eye(5), A.T @ W @ targets[others])
            np.testing.assert_allclose(scores[i], Z[i] @ solution, rtol=1e-9)


def test_features_reproduce_the_kernel_with_a_unit_on_every_sample_and_approximate_it_with_fewer():
    X = np.random.default_rng(1).normal(size=(30, 2))
    for metric in ("cityblock", "sqeuclidean"):
        kernel, units = Kernel(metric, 2.0), np.arange(30)
        matrix = kernel.activations(X, units)
        Z = Features.of(matrix.copy(), units).Z
        np.testing.assert_allclose(Z @ Z.T, matrix, atol=1e-5)
        few = np.arange(0, 30, 2)
        part = Features.of(matrix[:, few].copy(), few).Z
        np.testing.assert_allclose((part @ part.T)[few], matrix[few], atol=1e-5)  # exact in the rows of the units


def test_a_kernel_score_does_not_depend_on_the_sample_s_own_label():
    rng = np.random.default_rng(2)
    X, codes, weights = rng.normal(size=(40, 3)), rng.integers(2, size=40), np.ones(40)
    kernel = Kernel("cityblock", 2.0)
    Z = Features.of(kernel.activations(X, np.arange(40)), np.arange(40)).Z
    other = codes.copy()
    other[7] = 1 - codes[7]
    one, two = (next(leave_one_out(Z, 2.0 * np.eye(2)[y] - 1.0, weights, np.ones(1))) for y in (codes, other))
    np.testing.assert_allclose(one[7], two[7], atol=1e-9)
    assert np.abs(one - two).max() > 0.01


def test_kernel_scores_of_many_rows_use_a_draw_of_units(monkeypatch):
    monkeypatch.setattr("emphatic.audit.leave_one_out.MOST_UNITS", 20)
    X, _, _, y = blobs(200)
    scores = kernel_scores(X, y, 3, np.ones(200), Kernel("cityblock", 2.0), np.random.default_rng(0))
    assert scores.shape == (200, 3) and (scores.argmax(axis=1) == y).all()


def test_temperature_is_undone_by_a_change_of_scale():
    rng = np.random.default_rng(3)
    scores, codes = rng.normal(size=(200, 3)), rng.integers(3, size=200)
    scores[np.arange(200), codes] += 1.0
    one, two = tempered(scores, codes)[0], tempered(7.0 * scores, codes)[0]
    np.testing.assert_allclose(one, two, atol=5e-3)
    np.testing.assert_allclose(one.sum(axis=1), 1.0)


def test_temperature_of_calibrated_logarithms_is_one():
    rng = np.random.default_rng(4)
    p = rng.uniform(0.05, 0.95, 20_000)
    codes = (rng.random(20_000) < p).astype(int)
    probabilities = np.column_stack([1 - p, p])
    np.testing.assert_allclose(tempered(np.log(probabilities), codes)[0], probabilities, atol=0.01)


# Folds


@given(st.lists(st.integers(0, 4), min_size=2, max_size=60), st.integers(2, 7), st.integers(0, 9))
@settings(max_examples=50, deadline=None)
def test_folds_partition_the_rows_and_share_every_class_evenly(codes, n_folds, seed):
    codes = np.array(codes)
    folds = deal(codes, n_folds, np.random.default_rng(seed))
    assert sorted(np.concatenate(folds).tolist()) == list(range(len(codes)))
    for code in np.unique(codes):
        counts = [(codes[rows] == code).sum() for rows in folds]
        assert max(counts) - min(counts) <= 1
    assert max(map(len, folds)) - min(map(len, folds)) <= 1


def test_a_class_that_the_training_rows_lack_gets_the_least_score():
    X, labels = np.arange(6.0)[:, None], np.array(["a", "a", "a", "c", "c", "c"])
    training = (X, labels, np.ones(6))
    scores = held_out_scores(LOGISTIC, training, X, np.array(["a", "b", "c"]), np.random.default_rng(0))
    assert (scores.argmin(axis=1) == 1).all()
    only = held_out_scores(
        LOGISTIC, (X, labels[[0] * 6], np.ones(6)), X, np.array(["a", "b"]), np.random.default_rng(0)
    )
    assert (only.argmax(axis=1) == 0).all()


@pytest.mark.parametrize("model", [LOGISTIC, RidgeClassifier(), SVC(decision_function_shape="ovo"), NearestCentroid()])
def test_scores_of_any_classifier_have_a_column_a_class_and_agree_with_its_predictions(model):
    for n_classes in (2, 3, 4):
        X, _, _, y = blobs(60, n_classes)
        model.fit(X, y)
        scores = scores_of(model, X, np.arange(n_classes))
        assert scores.shape == (60, n_classes)
        assert (scores.argmax(axis=1) == model.predict(X)).all()


# Blend, suspicion, kinds


def test_blend_of_equals_is_their_mean_and_a_bad_member_is_not_heard():
    rng = np.random.default_rng(5)
    codes = rng.integers(3, size=50)
    good = np.where(np.eye(3)[codes] == 1, 0.8, 0.1)
    np.testing.assert_allclose(blend([good, good], codes), good)
    assert brier_score(good, codes) == pytest.approx(0.2**2 + 2 * 0.1**2)
    np.testing.assert_allclose(blend([good, good[:, [1, 2, 0]]], codes), good, atol=1e-6)


@given(st.lists(st.tuples(st.floats(0.0, 1.0), st.integers(0, 1)), min_size=2, max_size=50))
@settings(deadline=None)
def test_suspicion_adds_up_to_the_expected_mistakes_and_never_changes_the_order(samples):
    p, codes = np.array([one for one, _ in samples]), np.array([code for _, code in samples])
    probabilities = np.column_stack([1 - p, p])
    suspect = suspicion(probabilities, codes)
    own = probabilities[np.arange(len(codes)), codes]
    assert ((suspect >= 0) & (suspect <= 1)).all()
    assert suspect.mean() == pytest.approx(wrong_share(probabilities, codes), abs=1e-6)
    order = np.argsort(own, kind="stable")
    assert (np.diff(suspect[order]) <= 1e-15).all()


def test_the_safe_margin_has_a_quarter_of_the_right_samples_within_and_is_blind_to_the_wrong_ones():
    margin = np.random.default_rng(6).uniform(-0.2, 0.4, 4001)
    gamma = safe_margin(margin)
    right = margin[margin > 0]
    assert (right < gamma).mean() == pytest.approx(0.25, abs=1e-3)
    assert safe_margin(np.where(margin > 0, margin, -1.0)) == gamma
    assert safe_margin(np.ones(5)) == safe_margin(-np.ones(5)) == 0.5


def test_kinds_are_safely_right_safely_wrong_and_the_rest():
    p = np.array([0.99, 0.95, 0.9, 0.85, 0.6, 0.45, 0.02])  # of the given label
    assert kinds(np.column_stack([p, 1 - p]), np.zeros(7, dtype=int)).tolist() == [
        *["redundant"] * 4, "borderline", "borderline", "noisy",
    ]  # fmt: skip


# The audit as a whole


def test_flips_in_separable_classes_are_all_found_and_mended(found):
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
    assert (result.suggested == result.classes[result.probabilities.argmax(axis=1)]).all()
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


def test_a_permutation_of_the_rows_permutes_what_a_panel_without_randomness_says():
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


def test_tables_with_names_and_holes_from_pandas_polars_and_lists_are_audited_alike():
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


def test_class_weights_of_an_estimator_speak_of_the_labels_as_given():
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
        ({"y": ["a", "b"] * 4 + [None, "b"]}, ValueError, "y lacks 1 labels, the first at position 8"),
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
