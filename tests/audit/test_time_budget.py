"""How long an audit will take, and what a time budget leaves out."""

from time import perf_counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression

from emphatic.audit import audit_labels, labels
from emphatic.audit.budget import ORDER, Budget, keep_to_budget
from emphatic.audit.costs import Size, cost_neighbours, cost_preparation
from emphatic.audit.forecast import BLENDED, Forecast, measure_pace
from emphatic.audit.panel import Member, Panel, choose_panel, default_panel, large_panel

X, Y = load_iris(return_X_y=True)


# Forecast


def costs(name, seconds):
    return Member(name, None, lambda size: seconds * size.n_training)


TRIO = Panel((costs("boosted trees", 1e-3), costs("MLPs", 3e-3)), (costs("forest", 0.01),))
SIZE = Size(1000, 1000, 10, 2)


def test_a_pass_takes_the_sum_of_its_tasks_over_the_jobs_but_not_less_than_the_longest():
    fold = 800 * 4e-3 + cost_preparation(Size(800, 200, 10, 2))
    blended = BLENDED * 3 * 1000 * 2
    one, two, many = (Forecast(SIZE, 5, n_jobs).pass_seconds(TRIO) for n_jobs in (1, 2, 100))
    assert one == pytest.approx(5 * fold + 10.0 + blended)
    assert two == pytest.approx((5 * fold + 10.0) / 2 + blended)
    assert many == pytest.approx(10.0 + blended)


def test_pace_multiplies_and_passes_add_up():
    slow, fast = Forecast(SIZE, 5, 1, pace=3.0), Forecast(SIZE, 5, 1)
    assert slow.total_seconds(TRIO, 2) == pytest.approx(3.0 * fast.total_seconds(TRIO, 2))
    assert fast.total_seconds(TRIO, 2) == pytest.approx(2 * fast.pass_seconds(TRIO) + cost_neighbours(SIZE))


@given(st.integers(20, 100_000), st.integers(1, 300), st.integers(2, 30))
def test_more_rows_never_cost_less(n, n_inputs, n_classes):
    for panel in (default_panel(n_inputs, n_classes), large_panel(n_inputs, n_classes, 50_000)):
        for member in panel.members:
            less, more = (member.cost(Size(rows, rows, n_inputs, n_classes)) for rows in (n, 2 * n))
            assert 0.0 < less <= more


def test_a_hundred_thousand_rows_are_forecast_to_take_less_than_three_minutes_by_two_processes():
    panel = choose_panel(None, 20, 2, 100_000)
    assert Forecast(Size(100_000, 100_000, 20, 2), 5, 2).total_seconds(panel, 2) < 180


def test_the_pace_is_a_positive_number():
    assert 0.0 < measure_pace() < 1e4


# Budget


def test_without_a_limit_nothing_is_left_out():
    budget = Budget()
    assert keep_to_budget(TRIO, 2, budget, Forecast(SIZE, 5, 1).total_seconds) == (TRIO, 2)
    assert budget.allows("anything", 1e300) and not budget.notes


def count_members(panel, n_passes, seconds=10.0):
    """A forecast by which every member takes ten seconds in each pass."""
    return seconds * len(panel.members) * n_passes


@pytest.mark.parametrize(
    ("limit", "n_members", "n_passes"),
    [(1, 1, 1), (12, 1, 1), (25, 2, 1), (80, 7, 1), (100, 8, 1), (120, 8, 1), (200, 8, 2)],
)
def test_members_come_before_passes_and_the_most_useful_first(limit, n_members, n_passes):
    budget = Budget(limit)
    kept, n = keep_to_budget(default_panel(20, 2), 2, budget, count_members)
    if n_members > 1:
        assert {one.name for one in kept.members} == set(ORDER[:n_members])
    assert (len(kept.members), n) == (n_members, n_passes)
    assert len(budget.notes) == (n_members < 8) + (n_passes < 2)


def test_if_there_is_time_for_none_the_cheapest_member_is_used_and_the_others_are_named():
    budget = Budget(1.0)
    kept, _ = keep_to_budget(TRIO, 2, budget, Forecast(SIZE, 5, 1).total_seconds)
    assert [one.name for one in kept.members] == ["boosted trees"]
    assert budget.notes[0] == "Left out to keep to the time budget of 1 s: MLPs, forest."


def test_names_of_members_are_those_of_the_order():
    assert {one.name for one in default_panel(20, 2).members} == set(ORDER)
    assert {one.name for one in large_panel(20, 2, 10**6).members} < set(ORDER)


# The audit


@pytest.fixture
def known_pace(monkeypatch):
    monkeypatch.setattr(labels, "measure_pace", lambda: 1.0)


def test_a_budget_that_is_large_enough_changes_nothing(known_pace):
    plain, limited = audit_labels(X, Y), audit_labels(X, Y, time_budget=1e6)
    assert (plain.probabilities == limited.probabilities).all()
    assert limited.notes == plain.notes == ()


def test_a_budget_that_is_too_small_leaves_one_member_and_one_pass(known_pace):
    calls = []
    found = audit_labels(X, Y, time_budget=1e-6, progress=lambda *call: calls.append(call))
    assert calls == [(i, 5) for i in range(1, 6)]  # the folds of logistic regression
    assert len(found.notes) == 2 and "forest" in found.notes[0] and "the second pass" in found.notes[1]
    assert all(note in found.summary() for note in found.notes)


def test_an_estimator_of_one_s_own_is_used_whatever_the_budget_and_by_itself_tells_no_forecast(known_pace):
    said = []
    found = audit_labels(X, Y, LogisticRegression(), time_budget=1e-6, announce=said.append)
    assert not said and found.notes == ("Left out to keep to the time budget of 0 s: the second pass.",)


def test_the_second_pass_is_left_out_if_the_first_took_too_long(known_pace):
    class Slow(LogisticRegression):
        def fit(self, X, y, sample_weight=None):
            start = perf_counter()
            while perf_counter() < start + 0.1:
                pass
            return super().fit(X, y, sample_weight)

    calls = []
    found = audit_labels(X, Y, Slow(max_iter=1000), time_budget=0.9, progress=lambda *call: calls.append(call))
    assert found.notes == ("Left out to keep to the time budget of 1 s: the second pass.",)
    assert calls[-1] == (5, 10)


def test_what_is_expected_is_announced_once_before_the_work(known_pace):
    events = []
    audit_labels(X, Y, announce=events.append, progress=lambda *call: events.append(call))
    expected = Forecast(Size(150, 150, 4, 3), 5, 1).total_seconds(default_panel(4, 3), 2)
    assert events[0] == pytest.approx(expected)
    assert all(isinstance(event, tuple) for event in events[1:])


@pytest.mark.parametrize("seconds", [0, -1.0, np.inf, np.nan, "1", True])
def test_a_budget_that_is_no_time_is_refused(seconds):
    with pytest.raises(ValueError, match="time_budget"):
        audit_labels(X, Y, time_budget=seconds)
