"""The search: candidates that cannot win cost little."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import make_classification, make_moons

from emphatic.auto.candidates.gradient import GradientTrees
from emphatic.auto.candidates.kernels import PILOT_UNITS, KernelRidge
from emphatic.auto.candidates.logistic import Logistic
from emphatic.auto.candidates.training_data import MANY_ROWS, Size, TrainingData, count_quick_folds
from emphatic.auto.candidates.trees import BaggedTrees
from emphatic.auto.searching import results as module
from emphatic.auto.searching.budget import RESERVE, NoBudget, WorkBudget
from emphatic.auto.searching.lists import list_candidates
from emphatic.auto.searching.search import Search

TREES = GradientTrees((20, 40), rate=0.2, leaves=8)


def share(n, informative=2, seed=0):
    X, y = make_classification(n, 4, n_informative=informative, n_redundant=0, flip_y=0.0, random_state=seed)
    return TrainingData.draw(X, y, 2, np.ones(n), np.random.default_rng(0))


def search(data, candidates, budget=None):
    found = Search(data, 1, 1, budget or NoBudget())
    for _ in found.run(candidates):
        pass
    return found


def test_a_kernel_whose_pilot_is_far_behind_is_not_fitted():
    """Labels are a checkerboard that only trees can see; a Gaussian kernel of a hundred units sees nothing."""
    X = np.random.default_rng(0).uniform(size=(MANY_ROWS, 2))
    y = (np.floor(12 * X).sum(axis=1) % 2).astype(np.intp)
    data = TrainingData.draw(X, y, 2, np.ones(len(y)), np.random.default_rng(0))
    kernel = KernelRidge("sqeuclidean", 0.1)
    trees = GradientTrees((300,), rate=0.3, leaves=31)
    dropped = search(data, [trees, kernel]).results[1]
    assert dropped.dropped
    assert dropped.candidate == kernel
    assert not search(data, [kernel, trees]).results[0].dropped  # the first has nothing to be compared with


@pytest.mark.parametrize(("n", "has_pilot"), [(MANY_ROWS - 1, False), (MANY_ROWS, True)])
def test_only_many_rows_are_worth_a_pilot(n, has_pilot):
    size = Size(n, 4, 2, 3, False)
    pilot = KernelRidge("cityblock", 2.0).make_pilot(size)
    assert (pilot == KernelRidge("cityblock", 2.0, PILOT_UNITS)) == has_pilot
    assert KernelRidge("cityblock", 2.0, 100).make_pilot(size) is None


def test_a_candidate_that_exceeds_the_budget_is_skipped_and_a_cheaper_one_after_it_is_tried():
    data = share(300)
    costly = GradientTrees((10_000,))
    budget = WorkBudget(2.0 * (TREES.work(data.size) + Logistic().work(data.size)) + 0.1)
    assert costly.work(data.size) > budget.limit
    found = search(data, [TREES, costly, Logistic()], budget)
    assert [one.candidate for one in found.results] == [TREES, Logistic()]
    assert found.n_skipped == 1


def test_the_first_candidate_is_tried_whatever_the_budget():
    found = search(share(100), [TREES, Logistic()], WorkBudget(1e-9))
    assert [one.candidate for one in found.results] == [TREES]


@pytest.mark.parametrize(("fits", "n_complete"), [(7.1, 1), (11.1, 2), (15.1, 3)])
def test_a_budget_completes_as_many_of_the_trials_as_there_is_time_for_and_one_in_any_case(fits, n_complete):
    data = share(300)
    candidates = [replace(TREES, rate=rate) for rate in (0.1, 0.2, 0.3)]
    blended = 1e-2  # seconds, more than enough to weigh three candidates
    budget = WorkBudget((fits * TREES.seconds(data.size) + blended) / (1.0 - RESERVE))
    found = search(data, candidates, budget)
    assert [one.dropped for one in found.results] == [False] * n_complete
    assert found.n_skipped == 3 - n_complete
    assert budget.left() >= 0.0


def test_of_a_quick_search_one_fold_is_held_out_and_judged():
    X, y = make_moons(400, noise=0.2, random_state=0)
    data = TrainingData.draw(X, y, 2, np.ones(400), np.random.default_rng(0), is_quick=True)
    np.testing.assert_array_equal(data.judged, data.folds[0])
    assert len(data.judged) == 400 // count_quick_folds(400)
    assert set(data.examples) <= set(data.judged)
    for result in search(data, [TREES, KernelRidge("cityblock", 2.0), BaggedTrees(n_trees=10)], NoBudget()).results:
        [one] = result.passes
        assert len(one.learnt) == 1
        assert result.scores.shape == (len(data.judged), 2)
        assert result.error < 0.2


def test_a_candidate_that_the_blend_has_no_use_for_is_given_up(monkeypatch):
    monkeypatch.setattr(module, "HOPELESS", np.inf)
    data = share(4000)
    weaker = replace(TREES, checkpoints=(2,))  # the same, ended early: it has nothing to add
    for candidates in ([TREES, weaker], [weaker, TREES]):
        found = search(data, candidates)
        assert {one.candidate: one.dropped for one in found.results} == {TREES: False, weaker: True}
    monkeypatch.setattr(module, "ENOUGH", 10**6)
    found = search(data, [TREES, weaker])
    assert [one.dropped for one in found.results] == [False, False]


def test_what_is_given_up_was_fitted_once_wherever_it_stands_in_the_list(monkeypatch):
    monkeypatch.setattr(module, "HOPELESS", np.inf)
    fits = []
    fit = GradientTrees.fit
    monkeypatch.setattr(GradientTrees, "fit", lambda self, *rest: fits.append(self) or fit(self, *rest))
    data = share(4000)
    weaker = replace(TREES, checkpoints=(2,))
    search(data, [weaker, TREES])
    assert fits == [weaker, *[TREES] * len(data.folds)]


@pytest.mark.parametrize("n", [300, 4000])
def test_a_candidate_is_told_of_once_and_never_before_there_is_a_blend(n):
    candidates = [replace(TREES, checkpoints=(2,)), TREES, Logistic(), BaggedTrees(n_trees=10)]
    found = Search(share(n), 1, 1, NoBudget())
    told = [found.has_blend for _ in found.run(candidates)]
    assert told == [True] * len(candidates)
    assert {one.candidate for one in found.results} == set(candidates)


@pytest.mark.parametrize("n", [50, 1500, 5000, 10**6])
def test_every_list_has_all_families_and_no_candidate_twice(n):
    candidates = list_candidates(n, 20, 2)
    assert len(set(candidates)) == len(candidates)
    assert {"kernel network", "network", "bagged trees", "boosted trees", "logistic regression"} <= {
        one.family for one in candidates
    }


def test_work_grows_in_proportion_to_the_rows():
    """From 5,000 on; a doubling may cost 2^1.1 times as much."""

    def estimate(n):
        size = Size(n, 20, 2, 3, False)
        return sum(one.work(size) for one in list_candidates(n, 20, 2))

    for n in (5_000, 20_000, 80_000, 320_000):
        assert estimate(2 * n) <= 2**1.1 * estimate(n)
