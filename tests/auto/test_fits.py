"""Fits on an engine: whatever comes first, the search decides as it would alone, and nothing is fitted in vain."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import make_classification

from emphatic.auto.candidates.kernels import KernelRidge
from emphatic.auto.candidates.logistic import Logistic
from emphatic.auto.candidates.training_data import MANY_ROWS, TrainingData
from emphatic.auto.searching.budget import NoBudget, TimeBudget, WorkBudget
from emphatic.auto.searching.fits import PILOT, FitsAhead, FitsOnDemand, Plan
from emphatic.auto.searching.search import Search
from emphatic.engines import in_turn
from tests.auto.few import FEW
from tests.engines.fakes import Hasty

HOPELESS = Logistic((1e-9,))
CANDIDATES = (FEW[4], HOPELESS, *FEW[:4], KernelRidge("sqeuclidean", 0.01))


@pytest.fixture(scope="module")
def data():
    """With pilots, and with candidates that are dropped."""
    n = MANY_ROWS
    X, y = make_classification(n, 6, n_informative=4, n_redundant=0, flip_y=0.02, random_state=0)
    return TrainingData.draw(X, y, 2, np.ones(n), np.random.default_rng(0))


def search(data, engine=None, budget=None, candidates=CANDIDATES, n_jobs=1):
    found = Search(data, 1, n_jobs, budget or NoBudget(), engine)
    for _ in found.run(candidates):
        pass
    return found


def describe(found):
    return [(one.candidate, one.variant, one.loss, one.factor, one.dropped) for one in found.results], found.n_skipped


@pytest.fixture(scope="module")
def alone(data):
    return search(data)


@pytest.mark.parametrize("n_held", [1, 2, 4, 100])
def test_results_are_those_of_fits_on_demand(data, alone, n_held):
    found = search(data, Hasty(n_held, seed=n_held))
    assert describe(found) == describe(alone)
    assert any(one.dropped for one in found.results)
    for one, other in zip(found.results, alone.results, strict=True):
        np.testing.assert_array_equal(one.scores, other.scores)
    assert all(one.seconds > 0 for one in found.results)


@pytest.mark.parametrize("budget", [NoBudget(), WorkBudget(1e6)], ids=lambda one: type(one).__name__)
def test_threads_change_neither_results_nor_filters_of_warnings(data, alone, budget):
    before = list(warnings.filters)
    found = search(data, budget=budget, n_jobs=3)
    assert describe(found) == describe(alone)
    for one, other in zip(found.results, alone.results, strict=True):
        np.testing.assert_array_equal(one.scores, other.scores)
    assert list(warnings.filters) == before


def test_threads_fit_ahead_unless_there_is_a_limit(data):
    def begin(n_jobs, budget):
        fits = Search(data, 1, n_jobs, budget)._begin_fits(Plan(data, CANDIDATES, 1))
        fits.close()
        return type(fits)

    assert begin(2, NoBudget()) is FitsAhead
    assert begin(1, NoBudget()) is begin(2, WorkBudget(1e6)) is begin(2, TimeBudget(1e6)) is FitsOnDemand


def test_a_budget_of_work_decides_alike(data):
    limit = 1.5 * sum(one.work(data.size) for one in CANDIDATES[:3])
    alone, beside = (search(data, engine, WorkBudget(limit)) for engine in (None, Hasty(3)))
    assert alone.n_skipped > 0
    assert describe(beside) == describe(alone)


def test_one_worker_fits_what_is_needed_and_nothing_else(data, alone):
    engine = Hasty(1)
    search(data, engine)
    begun = [item.own[0] for item in engine.begun]
    assert len(set(begun)) == len(begun)
    folds = range(len(data.held_out))
    for number, result in enumerate(alone.results):
        fitted = {fold for one, fold in begun if one == number}
        own = {0} if result.candidate.fits_once else set(folds)
        pilot = {PILOT} if number and result.candidate.make_pilot(data.size) else set()
        assert fitted == (pilot or {0} if result.dropped else pilot | own)


def test_what_is_certain_comes_before_what_may_be_dropped(data):
    engine = Hasty(100)
    search(data, engine)
    begun = [item.own[0] for item in engine.begun]
    first = {number: next(fold for one, fold in begun if one == number) for number in range(len(CANDIDATES))}
    certain = [(0, fold) for fold in range(len(data.held_out))]
    certain += [(number, fold) for number, fold in first.items() if number]
    assert begun[: len(certain)] == certain
    assert PILOT in first.values()


def test_what_is_dropped_is_not_fitted_any_more(data):
    engine = Hasty(1)
    fits = FitsAhead(Plan(data, CANDIDATES[:3], 1), engine)
    fits.fit(1, [0])
    fits.drop(1)
    fits.fit(2, [0])
    fits.close()
    assert [item.own[0] for item in engine.begun] == [(1, 0), (2, 0)]


def test_fits_are_the_same_on_demand_and_ahead(data):
    plan = Plan(data, CANDIDATES, 1)
    demanded, ahead = FitsOnDemand(plan, 1), FitsAhead(plan, in_turn)
    for number in range(len(CANDIDATES)):
        [(one, _)], [(other, _)] = (fits.fit(number, [0]) for fits in (demanded, ahead))
        np.testing.assert_array_equal(one, other)
    ahead.close()
