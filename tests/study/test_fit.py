"""What travels to a worker, and what comes back."""

import threading
import time

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.metrics import balanced_accuracy_score

from emphatic.metrics import class_accuracies
from emphatic.study import Method, PredefinedOrPartitions, Study
from emphatic.study.fit import fit_and_score, score
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
