"""What travels to a worker, and what comes back."""

import re
import threading
import time
import warnings
from functools import partial

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.metrics import balanced_accuracy_score

from emphatic.metrics import class_accuracies
from emphatic.study import Method, PredefinedOrPartitions, Study
from emphatic.study.fit import fit_and_score, score, shorten
from emphatic.study.problem import OwnProblem
from tests.study.fakes import FakeProblem, as_is, build_tree


class Slow(DummyClassifier):
    """Takes a tenth of a second of the processor to fit, and sleeps for a second."""

    def fit(self, X, y):
        until = time.process_time() + 0.1
        while time.process_time() < until:
            pass
        time.sleep(1)
        return super().fit(X, y)


def build_slow(setting, random_state):
    return Slow()


def balanced(estimator, X, y):
    return {
        "balanced": np.float32(balanced_accuracy_score(y, estimator.predict(X))),
        "n": np.arange(2),
        "rows": X.shape,
    }


def unkept(estimator, X, y):
    return {"estimator": estimator}


def tasks(measure=None, build=build_tree):
    method = Method("m", build, [{"depth": 1}, {"depth": 2}], as_is, measure=measure)
    return list(Study("t", [method], [FakeProblem(predefined=True)], PredefinedOrPartitions(1)).tasks())


def test_a_method_may_measure_what_it_likes():
    first, second = fit_and_score(tasks(balanced))
    assert first.status == second.status == "done"
    assert first.metrics == {"balanced": pytest.approx(first.metrics["balanced"]), "n": [0, 1], "rows": [60, 3]}
    assert 0.5 < first.metrics["balanced"] < 1


def test_what_a_store_cannot_keep_fails_as_part_of_the_fit():
    [record] = fit_and_score(tasks(unkept)[:1])
    assert record.status == "failed"
    assert record.metrics["message"].startswith("TypeError: measure returned a DecisionTreeClassifier")


def test_class_accuracies_are_those_of_the_metrics():
    problem = FakeProblem(predefined=True)
    fitted = build_tree({"depth": 1}, 0).fit(problem.X[:60], problem.y[:60])
    X, y = problem.X[60:], problem.y[60:]
    found = score(fitted, X, y)["class_accuracies"]
    assert list(found) == ["no", "yes"]
    assert list(found.values()) == class_accuracies(y, fitted.predict(X)).tolist()


def test_processor_time_does_not_count_waiting():
    [record] = fit_and_score(tasks(build=build_slow)[:1])
    assert 0.1 <= record.fit_cpu_seconds < 1 <= record.seconds
    assert 0 <= record.predict_cpu_seconds < record.fit_cpu_seconds


def test_fits_in_step_share_their_time():
    first, second = fit_and_score(tasks(build=build_slow))
    assert first.fit_cpu_seconds == second.fit_cpu_seconds >= 0.1
    assert first.seconds == second.seconds >= 1


def test_threads_of_one_process_take_turns():
    """Of a Dask worker with several threads: warnings and times would be mixed."""
    found = []
    threads = [threading.Thread(target=lambda: found.extend(fit_and_score(tasks(build=build_slow)[:1]))) for _ in "ab"]
    started = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert time.monotonic() - started >= 2  # a second of sleep each
    assert [record.status for record in found] == ["done", "done"]


def test_own_problem():
    X, y = np.arange(30.0)[:, None], np.repeat(["a", "b", "b"], 10)
    problem = OwnProblem("mine", X, y)
    train, test = problem.partition(0)
    assert sorted([*train, *test]) == list(range(30))
    assert sorted(np.unique(y[test], return_counts=True)[1]) == [3, 7]  # a third of ten, and of twenty
    assert not np.array_equal(test, problem.partition(1)[1])
    split = OwnProblem("split", X, y, train=np.arange(20), test=np.arange(20, 30))
    assert [one.test.tolist() for one in PredefinedOrPartitions(2).splits(split)] == [list(range(20, 30))] * 2


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"y": [0, 1]}, "mine: X has 3 rows and y has 2"),
        ({"y": [1, 1, 1]}, "only one class"),
        ({"train": [0, 1]}, "both train and test"),
        ({"test_share": 1.0}, "test_share=1.0"),
    ],
)
def test_own_problem_that_is_not_allowed(changed, message):
    with pytest.raises(ValueError, match=message):
        OwnProblem(**({"name": "mine", "X": [[1], [2], [3]], "y": [0, 1, 1]} | changed))


class Answers(DummyClassifier):
    """Predicts whatever it is told to; `staged` says whether stage by stage."""

    def __init__(self, answer="no", staged=False):
        super().__init__()
        self.answer = answer
        self.staged = staged

    def predict(self, X):
        return self.answer

    def __getattr__(self, name):
        if name == "staged_predict" and self.staged:
            return lambda X: iter([np.repeat("no", len(X)), self.answer])
        raise AttributeError(name)


def build_answering(setting, random_state, **parameters):
    return Answers(**parameters)


@pytest.mark.parametrize("staged", [False, True])
@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("no", "Answers.predict returned 'no' for 60 rows: it must return one label per row"),
        (None, "Answers.predict returned None for 60 rows"),
        (["no"], r"returned an array of shape \(1,\) for 60 rows"),
        (np.full((60, 1), "no"), r"returned an array of shape \(60, 1\)"),
        (np.full(60, np.nan), "returned NaN or None for 60 of 60 rows: it must return a label for every row"),
        (["no"] * 59 + [None], "returned NaN or None for 1 of 60 rows"),
        (np.array(["no"] * 58 + [float("nan"), pd.NA], dtype=object), "returned NaN or None for 2 of 60 rows"),
    ],
)
def test_predictions_without_one_label_per_row_are_a_failure(answer, message, staged):
    [record] = fit_and_score(tasks(build=partial(build_answering, answer=answer, staged=staged))[:1])
    assert record.status == "failed"
    assert re.search(message, record.metrics["message"]), record.metrics


@pytest.mark.parametrize(
    ("metrics", "message"),
    [
        (
            {"error": 0.5, "auc": float("nan")},
            "ValueError: measure returned NaN for auc; every measure must be",
        ),
        ({"by_class": {"no": [0.5, np.float32("nan")]}}, "ValueError: measure returned NaN for by_class"),
        (0.5, "TypeError: measure returned a float; it must return a dictionary"),
    ],
)
def test_measure_that_is_no_number_is_a_failure(metrics, message):
    [record] = fit_and_score(tasks(lambda estimator, X, y: metrics)[:1])
    assert record.status == "failed"
    assert record.metrics["message"].startswith(message)


def test_measure_may_be_infinite_or_left_out():
    metrics = {"log_loss": float("inf"), "auc": None, "name": "nan"}
    [record] = fit_and_score(tasks(lambda estimator, X, y: metrics)[:1])
    assert (record.status, record.metrics) == ("done", metrics)


class Raises(DummyClassifier):
    """Raises `error` when it is fitted, or, if `late`, when it predicts."""

    def __init__(self, error=None, late=False):
        super().__init__()
        self.error = error
        self.late = late

    def fit(self, X, y):
        if self.error is not None and not self.late:
            raise self.error
        return super().fit(X, y)

    def predict(self, X):
        if self.error is not None:
            raise self.error
        return super().predict(X)


def build_raising(setting, random_state, error, late=False):
    """Only a depth of 1 raises."""
    return Raises(error if setting["depth"] == 1 else None, late)


@pytest.mark.parametrize("late", [False, True])
def test_exit_in_a_fit_ends_that_fit(late):
    found = [fit_and_score([task])[0] for task in tasks(build=partial(build_raising, error=SystemExit(3), late=late))]
    assert [record.status for record in found] == ["failed", "done"]
    assert found[0].metrics == {"message": "SystemExit: sys.exit was called, with 3"}


def test_exit_in_a_fit_ends_no_other_of_its_batch():
    first, second = fit_and_score(tasks(build=partial(build_raising, error=SystemExit("no licence"))))
    assert (first.status, second.status) == ("failed", "done")
    assert first.metrics == {"message": "SystemExit: sys.exit was called, with 'no licence'"}


@pytest.mark.parametrize("late", [False, True])
def test_interrupt_in_a_fit_ends_the_study(late):
    with pytest.raises(KeyboardInterrupt):
        fit_and_score(tasks(build=partial(build_raising, error=KeyboardInterrupt(), late=late)))


def test_long_message_is_shortened():
    """An exception may hold a whole matrix, and a store thousands of exceptions."""
    error = ValueError("singular: " + "0 " * 5_000_000 + "(no pivot)")
    [record] = fit_and_score(tasks(build=partial(build_raising, error=error))[:1])
    message = record.metrics["message"]
    assert len(message) < 2100
    assert message.startswith("ValueError: singular: 0 0") and message.endswith("0 0 (no pivot)")
    assert f"[... {len(f'ValueError: {error}') - 2000} characters left out ...]" in message


class Silent(Exception):
    def __str__(self):
        raise RuntimeError("no words")


def test_exception_without_a_message_that_can_be_read_is_a_failure():
    [record] = fit_and_score(tasks(build=partial(build_raising, error=Silent()))[:1])
    assert (record.status, record.metrics) == ("failed", {"message": "Silent: its message cannot be read"})


def warn_at_length(estimator, X, y):
    warnings.warn("much " * 100_000, stacklevel=2)
    return {}


def test_long_warning_is_shortened():
    [record] = fit_and_score(tasks(warn_at_length)[:1])
    [message] = record.metrics["warnings"]
    assert len(message) < 2100 and "characters left out" in message


def test_message_that_is_not_long_is_kept_whole():
    text = "x" * 2000
    assert shorten(text) == text
    assert shorten(text + "x") == f"{'x' * 1000} [... 1 characters left out ...] {'x' * 1000}"
