"""Labels corrected by marks, and audits that learn from them."""

from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression

from emphatic.audit import audit_labels
from emphatic.audit.marks.correction import correct_labels
from emphatic.audit.marks.learning import NEGLIGIBLE, correct_table, hold_weights
from emphatic.audit.marks.record import NO_MARKS, Marks
from emphatic.audit.marks.review import estimate_review, shift_suspicion
from emphatic.audit.passes import LabelledTable
from emphatic.audit.reviewed import settle
from tests.audit.audits import fruits, made_result, marks_file

LOGISTIC = LogisticRegression()


def overlapping(n=200, seed=0):
    """Two classes that overlap a little, of which every tenth label is wrong: table, given and true labels."""
    rng = np.random.default_rng(seed)
    true = np.arange(n) % 2
    X = pd.DataFrame({"a": rng.normal(size=n) + 3.0 * true, "b": rng.normal(size=n)})
    return X, np.where(np.arange(n) % 10 == 0, 1 - true, true), true


# Corrected labels


def test_labels_are_replaced_kept_or_dropped():
    audit = fruits()
    marks = {11: "wrong", 13: ("wrong", None), 14: "right"}
    labels, rows, log = audit.correct(marks)
    assert labels.tolist() == ["apple", "grape", "apple", "apple", "grape", "grape"]
    assert rows.tolist() == [0, 1, 2, 3, 4, 5]
    assert log.to_dict("list") == {
        "index": [11, 13],
        "before": ["apple", "apple"],
        "after": ["grape", None],
        "why": ["marked wrong", "marked wrong, right one unknown: kept"],
    }
    labels, rows, log = audit.correct(marks, drop_unknown=True)
    assert labels.tolist() == ["apple", "grape", "apple", "grape", "grape"]
    assert rows.tolist() == [0, 1, 2, 4, 5]
    assert log["why"].tolist() == ["marked wrong", "marked wrong, right one unknown: dropped"]
    assert audit.y.tolist().count("apple") == 4  # what was given stays


def test_every_form_of_the_same_marks_corrects_alike(tmp_path):
    audit = fruits()
    frame = marks_file(audit, {1: ("wrong", "grape"), 4: ("right", "grape")})
    frame.to_csv(tmp_path / "marks.csv", index=False)
    forms = [{11: "wrong", 14: "right"}, {11: ("wrong", "grape")}, frame, tmp_path / "marks.csv"]
    found = [audit.correct(form).labels.tolist() for form in [*forms, str(forms[-1])]]
    assert all(one == found[0] for one in found)


@given(st.dictionaries(st.integers(0, 9), st.sampled_from([(False, None), (True, None), (True, 2)])))
def test_only_labels_that_are_marked_wrong_change(chosen):
    y, classes = np.arange(10) % 2, np.arange(3)
    marks = {
        i: (wrong, int(y[i]) if not wrong else -1 if code is None else code) for i, (wrong, code) in chosen.items()
    }
    labels, rows, log = correct_labels(y, np.arange(10), classes, Marks.of(marks))
    changed = [i for i, (_, code) in chosen.items() if code == 2]
    assert np.flatnonzero(labels != y).tolist() == sorted(changed)
    assert rows.tolist() == list(range(10))
    assert sorted(log["index"]) == sorted(i for i, (wrong, _) in chosen.items() if wrong)


# What the models learn


class Recorder(ClassifierMixin, BaseEstimator):
    """Predicts nothing of use; keeps what it was trained with."""

    trainings: ClassVar[list] = []

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        weights = np.ones(len(y)) if sample_weight is None else sample_weight / sample_weight.max()
        self.trainings.append((X["a"].to_numpy(), np.asarray(y), weights))
        return self

    def predict_proba(self, X):
        return np.tile([0.9, 0.1], (len(X), 1))

    def predict(self, X):
        return self.classes_[np.zeros(len(X), dtype=int)]


def test_right_labels_count_fully_and_unknown_ones_next_to_nothing_in_both_passes(monkeypatch):
    monkeypatch.setattr(Recorder, "trainings", [])
    X, y = pd.DataFrame({"a": np.arange(12.0)}), np.array([0, 1] * 6)
    audit_labels(X, y, Recorder(), cv=3, marks={1: "right", 3: ("wrong", 0), 5: ("wrong", None)})
    assert len(Recorder.trainings) == 6
    for number, (rows, labels, weights) in enumerate(Recorder.trainings):
        seen = dict(zip(rows.astype(int).tolist(), zip(labels.tolist(), weights.tolist())))
        for row, expected in {1: (1, 1.0), 3: (0, 1.0), 5: (1, NEGLIGIBLE)}.items():
            if row in seen:
                assert seen[row] == pytest.approx(expected)
        doubted = [seen[row][1] < 1.0 for row in (7, 9, 11) if row in seen]  # without a mark, in the second pass
        assert all(doubted) if number >= 3 else not any(doubted)


def test_marks_settle_their_samples_and_shift_all_others():
    X, y, true = overlapping()
    audit = audit_labels(X, y, LOGISTIC)
    looked_at = audit.order[:40]
    marks = {i: "right" if y[i] == true[i] else ("wrong", true[i]) for i in looked_at}
    updated = audit.update(marks)
    wrong = y[looked_at] != true[looked_at]
    assert (updated.suspicion[looked_at] == wrong).all()
    assert (updated.suggested[looked_at] == true[looked_at]).all()
    assert (updated.kinds[looked_at] == np.where(wrong, "noisy", "redundant")).all()
    others = updated.unmarked
    shift = estimate_review(updated.forecast, updated.marks).shift
    np.testing.assert_allclose(updated.suspicion[others], shift_suspicion(updated.forecast, shift)[others])
    assert set(others) == set(range(200)) - set(looked_at)
    assert (np.diff(updated.suspicion[others]) <= 0).all()
    assert updated.review.n_wrong == wrong.sum()
    assert updated.review.describe() in updated.summary()
    assert f"row {others[0]}" in updated.summary() or updated.suggested[others[0]] == y[others[0]]


def test_suggestion_and_kind_follow_a_suspicion_across_one_half():
    y, suspicion = np.zeros(40, dtype=int), np.array([0.6, 0.4, 0.9, 0.05] * 10)
    suggested = np.array([1, 0, 1, 0] * 10)
    result = made_result(pd.DataFrame({"x": np.arange(40)}), y, suspicion, suggested, n_neighbours=3)
    lowered = settle(result, result.read_marks(dict.fromkeys(range(2, 34, 4), "right")))
    raised = settle(result, result.read_marks(dict.fromkeys(range(3, 35, 4), "wrong")))
    rows = [36, 37]
    assert (lowered.suspicion[rows] < 0.5).all() and (raised.suspicion[rows] > 0.5).all()
    assert lowered.suggested[rows].tolist() == [0, 0] and raised.suggested[rows].tolist() == [1, 1]
    assert lowered.kinds[rows].tolist() == ["borderline", "redundant"]
    assert raised.kinds[[36, 37, 38]].tolist() == ["borderline", "borderline", "noisy"]
    for one in (lowered, raised):
        np.testing.assert_allclose(one.posterior[np.arange(40), y], 1.0 - one.suspicion, rtol=0, atol=1e-12)
        np.testing.assert_allclose(one.posterior.sum(axis=1), 1.0, rtol=0, atol=1e-12)


def test_models_of_corrected_labels_predict_what_models_of_clean_ones_do():
    """Exact: with all wrong labels corrected, the first pass trains on the true labels with equal weights."""
    X, y, true = overlapping()
    marks = {i: ("wrong", true[i]) if y[i] != true[i] else "right" for i in range(200)}
    table = LabelledTable(X, (), X.to_numpy(), y, np.array([0, 1]))
    given = audit_labels(X, y, LOGISTIC).read_marks(marks)
    corrected, left = correct_table(table, given)
    np.testing.assert_array_equal(corrected.codes, true)
    assert left.tolist() == [0, 1]
    np.testing.assert_array_equal(hold_weights(given, 200), np.ones(200))
    assert np.isnan(hold_weights(NO_MARKS, 3)).all()
    assert audit_labels(X, y, LOGISTIC, marks=marks).review.n_unmarked == 0


def test_an_update_keeps_the_settings_and_older_marks():
    X, y, _ = overlapping()
    settings = {"cv": 4, "random_state": 7, "columns": {"a": "number"}}
    audit = audit_labels(X, y, LOGISTIC, **settings)
    twice = audit.update({0: "wrong", 1: "right"}).update({1: ("wrong", None), 3: "right"})
    once = audit_labels(X, y, LOGISTIC, **settings, marks={0: "wrong", 1: ("wrong", None), 3: "right"})
    np.testing.assert_array_equal(twice.suspicion, once.suspicion)
    assert twice.marks.rows.tolist() == [0, 1, 3]
    assert twice.correct({}).log["after"].tolist() == [1 - y[0], None]  # known marks count


def test_an_update_is_the_same_every_time_whatever_the_seed_was():
    X, y, _ = overlapping(60)
    for seed in (np.random.default_rng(0), np.random.RandomState(0), None, np.int64(3)):
        audit = audit_labels(X, y, LOGISTIC, random_state=seed)
        first, second = (audit.update({0: "wrong"}).suspicion for _ in range(2))
        np.testing.assert_array_equal(first, second)


def test_the_panel_learns_too():
    X, y, true = overlapping(80)
    marks = {i: ("wrong", true[i]) for i in np.flatnonzero(y != true)}
    before = audit_labels(X, y)
    calls = []
    after = before.update({**marks, 1: ("wrong", None)}, progress=lambda done, n: calls.append((done, n)))
    own = np.arange(80), true
    unmarked = after.unmarked
    assert after.probabilities[own][unmarked].mean() > before.probabilities[own][unmarked].mean()
    assert calls[-1][0] == calls[-1][1]


def test_a_class_may_vanish_but_not_all_but_one():
    X, y, _ = overlapping(40)
    y = np.where(np.arange(40) == 5, 2, y)
    audit = audit_labels(X, y, LOGISTIC)
    updated = audit.update({5: ("wrong", 1)})
    assert updated.probabilities.shape == (40, 3) and (updated.probabilities[:, 2] <= NEGLIGIBLE).all()
    np.testing.assert_allclose(updated.probabilities.sum(axis=1), 1.0)
    assert updated.suspicion[5] == 1.0
    with pytest.raises(ValueError, match="After these marks all labels are 0: at least 2 classes are needed"):
        audit_labels(X, y % 2, LOGISTIC, marks=dict.fromkeys(np.flatnonzero(y % 2), ("wrong", 0)))


def test_a_result_that_was_made_by_hand_cannot_be_updated():
    with pytest.raises(ValueError, match="does not know its settings"):
        fruits().update({11: "wrong"})


def test_a_wrong_label_without_a_right_one_is_suggested_another():
    X, y, _ = overlapping(60)
    audit = audit_labels(X, y, LOGISTIC)
    safest = int(audit.order[-1])
    updated = audit.update({safest: ("wrong", None)})
    assert updated.suggested[safest] != y[safest]
