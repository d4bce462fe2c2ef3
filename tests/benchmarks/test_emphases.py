"""`python -m benchmarks.emphases`: what is timed is inside the fit, counted once, and left as it was."""

import pytest

import emphatic.emphasis
from benchmarks.emphases import Clock, Cost, draw_table, list_emphases, measure_all, report
from emphatic.base import Emphasis
from emphatic.emphasis import Capped, Exponential, SoftMargin
from emphatic.votes import Edge


def test_all_public_emphases_are_measured():
    names = {type(one).__name__ for one in list_emphases()}
    assert names | {"Oversampled"} == set(emphatic.emphasis.__all__) | {"Oversampled"}


@pytest.mark.parametrize("emphasis", [Exponential(), Capped(Exponential()), SoftMargin()], ids=repr)
def test_the_share_is_that_of_a_fit_and_the_classes_stay_as_they_were(emphasis):
    kind = type(emphasis)
    before = kind.start, kind.update, Edge.choose
    (cost,) = measure_all([emphasis], repeats=1, n=60).values()
    assert 0 < cost.share < 1
    assert 0 < cost.rounds <= 30
    assert (kind.start, kind.update, Edge.choose) == before
    assert "start" not in vars(Exponential) and Exponential.start is Emphasis.start


def test_a_function_that_calls_another_is_counted_once(monkeypatch):
    now = iter(range(100))
    monkeypatch.setattr("benchmarks.emphases.process_time", lambda: next(now))
    clock = Clock()
    inner = clock.time(lambda: None)
    clock.time(lambda: inner())()
    assert clock.seconds == 1


def test_the_report_says_who_is_above_the_limit():
    costs = {"Cheap()": Cost(30, 0.01, 1.0), "Dear()": Cost(30, 0.1, 1.0), "SoftMargin()": Cost(20, 0.5, 1.0)}
    lines = report(costs, 3)
    assert "| `Cheap()` | 30 | 0.333 | 1.0% |" in lines
    assert "missed by `Dear()`." in lines[-1]
    assert lines[-1].endswith("Shortest of 3, one thread.")
    assert "all but `SoftMargin`: met." in report({"Cheap()": costs["Cheap()"]}, 3)[-1]


def test_the_table_has_two_classes_and_noise():
    X, y = draw_table(400)
    assert X.shape == (400, 8)
    assert 0.3 < y.mean() < 0.7
    assert 0.03 < (y != (X[:, 0] * X[:, 1] + X[:, 2] > 0)).mean() < 0.2
