"""scikit-learn's fit callbacks, where it has them (1.9): progress, scores of every round, early stop."""

import pickle

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import make_blobs, make_moons
from sklearn.metrics import accuracy_score
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

from emphatic import EmphaticClassifier, RealAdaBoostClassifier

callback = pytest.importorskip("sklearn.callback", reason="scikit-learn has callbacks from 1.9 on")

STUMP = DecisionTreeClassifier(max_depth=1)
LEARNERS = [None, STUMP, RealAdaBoostClassifier(STUMP, n_estimators=2)]
every_learner = pytest.mark.parametrize("learner", LEARNERS, ids=["networks", "stumps", "ensembles"])


def moons():
    return make_moons(80, noise=0.3, random_state=0)


def boosted(learner=None, **parameters):
    return RealAdaBoostClassifier(learner, **{"n_estimators": 6, "random_state": 0, **parameters})


class Diary:
    """Writes down the calls it gets, and asks to stop at the end of round `stop_at`."""

    def __init__(self, stop_at=None):
        self.stop_at = stop_at
        self.calls, self.models, self.data = [], [], []

    def setup(self, estimator, context):
        self.calls.append("setup")

    def teardown(self, estimator, context):
        self.calls.append("teardown")

    def on_fit_task_begin(self, estimator, context):
        self.calls.append(f"begin {context.task_name}")

    def on_fit_task_end(self, estimator, context, *, X=None, y=None, fitted_estimator=None):
        self.calls.append(f"end {context.task_name}")
        self.models.append(fitted_estimator)
        self.data.append((X, y))
        return self.calls.count("end round") == self.stop_at


class AlwaysWrong(ClassifierMixin, BaseEstimator):
    def fit(self, X, y, sample_weight=None):
        self.classes_, self.wrong_ = np.unique(y), dict(zip(map(tuple, X.tolist()), 1 - y, strict=True))
        return self

    def predict(self, X):
        return np.array([self.wrong_[tuple(row)] for row in X.tolist()])


def leftovers(model):
    """Attributes about callbacks that a fit left behind; the callbacks themselves were set by the user."""
    return [name for name in vars(model) if "callback" in name and name != "_skl_callbacks"]


@every_learner
def test_progress_bar_runs_and_finishes(learner, capsys):
    X, y = moons()
    plain = boosted(learner).fit(X, y)
    model = boosted(learner).set_callbacks(callback.ProgressBar()).fit(X, y)
    assert "100%" in capsys.readouterr().out
    np.testing.assert_array_equal(model.decision_function(X), plain.decision_function(X))


@every_learner
def test_scoring_monitor_logs_the_score_of_every_round(learner):
    X, y = moons()
    monitor = callback.ScoringMonitor(scoring="accuracy")
    model = boosted(learner).set_callbacks(monitor).fit(X, y)
    log = [row["accuracy"] for row in monitor.get_logs().data if row["task_name"] == "round"]
    np.testing.assert_array_equal(log, [accuracy_score(y, said) for said in model.staged_predict(X)])
    assert len(log) == 6
    assert len(set(log)) > 1


def test_scoring_monitor_sees_labels_as_the_user_named_them():
    X, codes = make_blobs(80, centers=3, cluster_std=3, random_state=0)
    y = np.array(["a", "b", "c"])[codes]
    monitor = callback.ScoringMonitor(scoring=["accuracy", "neg_log_loss"])
    model = boosted().set_callbacks(monitor).fit(X, y)
    last = [row for row in monitor.get_logs().data if row["task_name"] == "round"][-1]
    assert last["accuracy"] == model.score(X, y)
    rows = model.predict_proba(X)[np.arange(80), codes]
    assert last["neg_log_loss"] == pytest.approx(np.log(rows).mean())


@every_learner
def test_a_callback_stops_the_growth(learner):
    X, y = moons()
    model = boosted(learner).set_callbacks(Diary(stop_at=3)).fit(X, y)
    assert model.stop_reason_ == "callback"
    assert len(model.estimators_) == len(model.alphas_) == 3
    three = boosted(learner, n_estimators=3).fit(X, y)
    np.testing.assert_array_equal(model.decision_function(X), three.decision_function(X))


def test_a_callback_that_does_not_ask_to_stop_does_not_stop():
    model = boosted().set_callbacks(Diary()).fit(*moons())
    assert model.stop_reason_ == "rounds"
    assert len(model.estimators_) == 6


def test_the_order_of_the_calls():
    diary = Diary()
    boosted(n_estimators=2).set_callbacks(diary).fit(*moons())
    rounds = ["begin round", "end round"] * 2
    assert diary.calls == ["setup", "begin fit", *rounds, "end fit", "teardown"]


def test_the_model_of_a_round_is_the_ensemble_so_far():
    X, y = moons()
    diary = Diary()
    model = boosted().set_callbacks(diary).fit(X, y)
    *rounds, last = diary.models
    for partial, score in zip(rounds, model.staged_decision_function(X), strict=True):
        np.testing.assert_array_equal(partial.decision_function(X), score)
    np.testing.assert_array_equal(last.decision_function(X), model.decision_function(X))


def test_callbacks_see_the_training_data():
    X, y = moons()
    diary = Diary()
    boosted().set_callbacks(diary).fit(X, y == 1)
    for rows, labels in diary.data:
        np.testing.assert_array_equal(rows, X)
        np.testing.assert_array_equal(labels, y == 1)


@every_learner
def test_nothing_is_left_behind_and_the_model_pickles(learner):
    X, y = moons()
    model = boosted(learner).set_callbacks(Diary(stop_at=3)).fit(X, y)
    assert leftovers(model) == []
    again = pickle.loads(pickle.dumps(model.set_callbacks()))
    assert not hasattr(again, "_skl_callbacks")
    np.testing.assert_array_equal(again.decision_function(X), model.decision_function(X))
    for one in model.estimators_:
        assert leftovers(one) == []


def test_nothing_is_left_behind_after_an_error():
    diary = Diary()
    model = boosted(vote="loud").set_callbacks(diary)
    with pytest.raises(ValueError, match="vote='loud'"):
        model.fit(*moons())
    assert leftovers(model) == []
    assert diary.calls.count("setup") == diary.calls.count("teardown")


def test_a_fit_without_a_single_round_is_still_told_to_the_end():
    X, y = moons()
    diary, monitor = Diary(), callback.ScoringMonitor(scoring="accuracy")
    model = boosted(AlwaysWrong()).set_callbacks(diary, monitor)
    with pytest.warns(UserWarning, match="No learner had an edge"):
        model.fit(X, y)
    assert diary.calls == ["setup", "begin fit", "end fit", "teardown"]
    assert [row["accuracy"] for row in monitor.get_logs().data] == [0.5]
    np.testing.assert_array_equal(diary.models[-1].predict_proba(X), model.predict_proba(X))


def test_callbacks_pass_through_a_grid_search():
    X, y = moons()
    monitor = callback.ScoringMonitor(scoring="accuracy")
    model = boosted(STUMP, n_estimators=3).set_callbacks(monitor)
    GridSearchCV(model, {"n_estimators": [2, 3]}, cv=2, refit=False).fit(X, y)
    logs = [len([row for row in run.data if row["task_name"] == "round"]) for run in monitor.get_logs(select="all")]
    assert sum(logs) == 2 * (2 + 3)


def test_a_clone_keeps_the_callbacks_of_its_user():
    diary = Diary(stop_at=1)
    assert len(clone(boosted().set_callbacks(diary)).fit(*moons()).estimators_) == 1


def test_a_search_reports_every_candidate_with_a_model_that_predicts():
    X, y = moons()
    diary = Diary()
    model = EmphaticClassifier(random_state=0).set_callbacks(diary).fit(X, y)
    assert diary.calls.count("end round") == len(model.search_results_)
    for one in diary.models:
        assert one.predict_proba(X).shape == (80, 2)
    np.testing.assert_array_equal(diary.models[-1].predict_proba(X), model.predict_proba(X))
    plain = EmphaticClassifier(random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), plain.predict_proba(X))


def test_a_callback_ends_a_search():
    model = EmphaticClassifier(random_state=0).set_callbacks(Diary(stop_at=3)).fit(*moons())
    assert len(model.search_results_) == 3
