"""Budgets: what is forecast, how large samples become, and what a budget leaves of a model."""

from typing import NamedTuple

import numpy as np
import pytest
from sklearn.datasets import make_classification

from emphatic.auto import EmphaticClassifier, budget, samples
from emphatic.auto.attempt import choose_best
from emphatic.auto.budget import RESERVE, NoBudget, TimeBudget, WorkBudget, make_budget
from emphatic.auto.candidate import Size, count_folds
from emphatic.auto.samples import FIRST, Samples, rank_rows, take_first
from emphatic.auto.search import QUICK, QUICKEST, list_candidates
from emphatic.card.out_of_fold import predict_out_of_fold


class Clock:
    """Stands still between ticks."""

    def __init__(self, monkeypatch):
        self.now = 100.0
        monkeypatch.setattr(budget, "perf_counter", lambda: self.now)


def test_a_forecast_follows_the_pace_of_the_machine_up_and_down(monkeypatch):
    Clock(monkeypatch)
    limit = TimeBudget(10.0)
    assert limit.forecast("trees", 2.0) == 2.0
    limit.record("trees", 1.0, 4.0)  # a busy machine
    assert limit.forecast("trees", 2.0) == 8.0
    assert limit.forecast("kernels", 2.0) == 2.0 * (4.0 + 1.0) / 2  # not tried yet: as all fits together went
    for _ in range(20):
        limit.record("trees", 1.0, 0.5)  # an idle one
    assert limit.forecast("trees", 2.0) == pytest.approx(1.0, rel=1e-4)


def test_time_is_the_clocks_and_work_is_what_was_recorded(monkeypatch):
    clock = Clock(monkeypatch)
    time, work = TimeBudget(10.0), WorkBudget(10.0)
    clock.now += 3.0
    for one in (time, work):
        one.record("trees", 2.0, 77.0)
    assert (time.spent(), work.spent()) == (3.0, 2.0)
    assert (time.left(), work.left()) == (10.0 * (1 - RESERVE) - 3.0, 10.0 * (1 - RESERVE) - 2.0)
    assert work.forecast("trees", 5.0) == 5.0


def test_without_a_limit_nothing_is_left_out():
    assert make_budget(None, None).left() == np.inf
    [sample] = Samples(10**6, 20, 2, False, NoBudget())
    assert sample == (10**6, (), True)


def list_samples(n, seconds, spend=1.0):
    """Samples of a fit whose members take what they are estimated at, times `spend`."""
    limit = WorkBudget(seconds)
    table = Samples(n, 20, 2, False, limit)
    found = []
    for sample in table:
        found.append(sample)
        size = Size(sample.n, 20, 2, count_folds(sample.n), False)
        others = list_candidates(*size[:3]) if sample.and_all else ()
        for one in (*sample.candidates, *others):
            if limit.forecast("", one.work(size)) <= limit.left():
                limit.record("", spend * one.work(size), 0.0)
        table.members = sample.candidates[:1]
    return found, limit


@pytest.mark.parametrize("n", [200, 5_000, 200_000])
@pytest.mark.parametrize("seconds", [1.0, 20.0, 600.0])
def test_samples_keep_the_budget_and_grow(n, seconds):
    found, limit = list_samples(n, seconds)
    sizes = [sample.n for sample in found]
    assert sizes == sorted(sizes)
    assert sizes[-1] <= n
    assert limit.spent() <= 1.1 * seconds
    if n > FIRST:
        assert found[0] == (FIRST, (QUICKEST,), False)
    assert set(QUICK) <= {one for sample in found for one in sample.candidates}


def test_an_ample_budget_is_for_the_whole_table():
    found, _ = list_samples(5_000, 600.0)
    assert found[-1].n == 5_000
    assert found[-1].and_all


def test_a_short_budget_takes_as_many_rows_as_its_first_candidate_allows():
    sizes = [list_samples(200_000, seconds)[0][1].n for seconds in (1.0, 2.0, 4.0)]
    assert FIRST <= sizes[0] < sizes[1] < sizes[2] < 200_000


def test_the_first_rows_have_the_shares_of_the_classes():
    codes = np.random.default_rng(0).permutation(np.repeat([0, 1, 2], [700, 200, 100]))
    ranks = rank_rows(codes, None, np.random.default_rng(1))
    assert np.array_equal(np.sort(ranks), np.arange(1000))
    for size in (10, 100, 550):
        rows = take_first(ranks, size)
        assert len(rows) == size
        np.testing.assert_allclose(np.bincount(codes[rows]), size * np.array([0.7, 0.2, 0.1]), atol=1.0)


def test_even_a_small_sample_has_every_class():
    codes = np.zeros(5000, np.intp)
    codes[[17, 4000]] = 1
    rows = take_first(rank_rows(codes, None, np.random.default_rng(1)), 100)
    assert np.bincount(codes[rows]).tolist() == [99, 1]


class Judged:
    """An attempt with out-of-fold probabilities of two classes for rows of a table."""

    def __init__(self, rows, probabilities, codes):
        self.rows, self.probabilities = np.array(rows), np.array(probabilities)
        self.data = Data(codes[self.rows], np.ones(len(rows)))


class Data(NamedTuple):
    codes: np.ndarray
    weights: np.ndarray


def test_attempts_are_compared_on_the_rows_that_they_share():
    """The second one is better on the first one's rows, though worse on average: the other rows are harder."""
    codes = np.array([0, 0, 1, 1])
    first = Judged([0, 2], [[0.8, 0.2], [0.2, 0.8]], codes)
    second = Judged([0, 1, 2, 3], [[0.9, 0.1], [0.4, 0.6], [0.1, 0.9], [0.6, 0.4]], codes)
    worse = Judged([0, 1, 2, 3], [[0.7, 0.3], [0.9, 0.1], [0.3, 0.7], [0.1, 0.9]], codes)
    assert choose_best([first, second]) is second
    assert choose_best([first, worse]) is first


def test_a_sample_has_whole_groups():
    groups = np.random.default_rng(0).integers(40, size=300)
    ranks = rank_rows(np.zeros(300, np.intp), groups, np.random.default_rng(1))
    for size in (1, 50, 299, 300):
        rows = take_first(ranks, size)
        assert size <= len(rows) < size + np.bincount(groups).max()
        assert not set(groups[rows]) & set(np.delete(groups, rows))


def problem(n=1500):
    return make_classification(n, 6, n_informative=4, random_state=0)


def test_with_a_work_budget_a_seed_decides_and_rows_that_were_left_out_are_predicted_later(monkeypatch):
    monkeypatch.setattr(samples, "FIRST", 100)
    X, y = problem(600)

    def fit(work):
        with pytest.warns(UserWarning, match=r"work_budget=\S+ was too short for .* of 600 rows: only the others"):
            return EmphaticClassifier(work_budget=work, random_state=0).fit(X, y)

    work = 3.0 * QUICKEST.work(Size(100, 6, 2, 5, False))
    one, other = fit(work), fit(work)
    np.testing.assert_array_equal(one.predict_proba(X), other.predict_proba(X))
    unused = np.isnan(one.out_of_fold_).any(axis=1)
    assert 0 < unused.sum() < 600
    found = predict_out_of_fold(one, X, y)
    np.testing.assert_array_equal(found.probabilities[unused], one.predict_proba(X)[unused])
    np.testing.assert_array_equal(found.probabilities[~unused], one.out_of_fold_[~unused])
    assert (found.predicted == y).mean() > 0.7
    assert len(one.importances_) == 6


def test_two_budgets_are_one_too_many():
    X, y = problem(30)
    with pytest.raises(ValueError, match="time_budget and work_budget are two ways to limit a fit: set one of them"):
        EmphaticClassifier(time_budget=1.0, work_budget=1.0).fit(X, y)
