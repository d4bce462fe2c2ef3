"""Budgets: what is forecast, how large samples become, and what a budget leaves of a model."""

import pickle
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.datasets import make_classification

from emphatic.auto import EmphaticClassifier
from emphatic.auto.candidates.gradient import GradientTrees
from emphatic.auto.candidates.kernels import KernelRidge
from emphatic.auto.candidates.logistic import Logistic
from emphatic.auto.candidates.networks import STEPS_BETWEEN_LOOKS, Network
from emphatic.auto.candidates.points import Points
from emphatic.auto.candidates.training_data import Size, TrainingData, count_folds, never
from emphatic.auto.searching import attempt, budget, samples
from emphatic.auto.searching.attempt import choose_best
from emphatic.auto.searching.budget import RESERVE, NoBudget, TimeBudget, WorkBudget, make_budget
from emphatic.auto.searching.lists import QUICK, QUICKEST, list_candidates
from emphatic.auto.searching.samples import FIRST, MORE_FOLDS, Sample, Samples, rank_rows, take_first
from emphatic.auto.searching.search import Search
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
    limit.record("reading", 1.0, 0.5)
    assert limit.forecast("kernels", 2.0) == 8.0  # not tried yet: at the pace of what took most of the time
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
    assert sample == Sample(10**6)


def list_samples(n, seconds, spend=1.0):
    """Samples of a fit whose members take what they are estimated at, times `spend`."""
    limit = WorkBudget(seconds)
    table = Samples(n, 20, 2, False, limit)
    found = []
    for sample in table:
        found.append(sample)
        size = Size(sample.n, 20, 2, 1 if sample.is_quick else count_folds(sample.n), False)
        others = list_candidates(*size[:3], is_quick=sample.is_quick) if sample.and_all else ()
        for number, one in enumerate((*sample.candidates, *others)):
            if number == 0 or limit.forecast("", one.work(size)) <= limit.left():
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
        assert found[0] == Sample(FIRST, (QUICKEST,), and_all=False, is_quick=True)
    assert found[-1].is_quick or found[-1].n == n


@pytest.mark.parametrize("n", [500, 5_000])
def test_an_ample_budget_is_for_the_whole_table_and_a_larger_one_for_more_folds(n):
    size = Size(n, 20, 2, count_folds(n), False)
    needed = sum(one.work(size) for one in list_candidates(*size[:3]))
    n_folds = []
    for times in (1.0, 5.0, 10.0, 20.0):
        [*_, last], _ = list_samples(n, times * needed)
        assert (last.n, last.is_quick) == (n, False)
        n_folds.append(last.n_folds or count_folds(n))
    assert n_folds[0] == count_folds(n)
    assert n_folds[-1] == max(MORE_FOLDS)
    assert n_folds == sorted(n_folds)


@pytest.mark.parametrize(("n", "budget", "n_folds"), [(300, None, [5]), (300, 1e6, [10]), (6, 1e6, [5])])
def test_folds_are_as_many_as_the_sample_says(monkeypatch, n, budget, n_folds):
    found = []
    monkeypatch.setattr(attempt, "list_candidates", lambda *size, **how: (Logistic(),))
    monkeypatch.setattr(attempt, "Search", lambda data, *rest: found.append(len(data.folds)) or Search(data, *rest))
    X, y = problem(n)
    EmphaticClassifier(work_budget=budget, random_state=0).fit(X, y)
    assert found == n_folds


def test_where_there_is_no_time_for_all_folds_every_candidate_is_fitted_once():
    found, _ = list_samples(20_000, 5.0)
    assert found[-1].n == 20_000
    assert found[-1].is_quick
    assert found[-1].candidates[0] in QUICK


def test_the_more_time_the_more_rounds_of_the_first_candidate():
    first = [list_samples(50_000, seconds)[0][1].candidates[0] for seconds in (1.0, 2.0)]
    assert QUICK.index(first[0]) > QUICK.index(first[1])


def test_a_second_candidate_comes_before_more_rounds_of_the_first():
    first = [list_samples(50_000, seconds)[0][1].candidates[0] for seconds in (2.0, 3.0)]
    assert QUICK.index(first[0]) < QUICK.index(first[1])


def test_a_short_budget_takes_as_many_rows_as_its_first_candidate_allows():
    sizes = [list_samples(200_000, seconds)[0][1].n for seconds in (0.5, 1.0, 2.0)]
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


CODES = np.tile([0, 0, 1, 1], 100)


def judge(rows, probabilities):
    """An attempt with the probability of the right class on these rows of a table, in turn."""
    right = np.resize(probabilities, len(rows))
    lesson = SimpleNamespace(y=CODES)
    both = np.where(CODES[rows][:, None] == [0, 1], right[:, None], 1.0 - right[:, None])
    return SimpleNamespace(
        judged=np.array(rows), probabilities=both, task=SimpleNamespace(lesson=lesson, weights=np.ones(len(CODES)))
    )


def test_attempts_are_compared_on_the_rows_that_they_share():
    """The second one is better on the first one's rows, though worse on average: the other rows are harder."""
    first = judge(range(0, 400, 2), [0.8])
    second = judge(range(400), [0.9, 0.3])
    worse = judge(range(400), [0.7, 0.99])
    assert choose_best([first, second]) is second
    assert choose_best([first, worse]) is first


def test_an_attempt_that_may_be_worse_by_chance_is_preferred_as_it_has_more_rows():
    first, later = judge(range(0, 400, 2), [0.8]), judge(range(400), [0.9, 0.9, 0.7, 0.7])
    losses = [-np.log(one.probabilities[np.arange(len(one.judged)), CODES[one.judged]]) for one in (first, later)]
    assert losses[1][::2].mean() > losses[0].mean()
    assert choose_best([first, later]) is later


def test_attempts_that_share_few_rows_are_not_compared():
    first, later = judge(range(200), [0.8]), judge(range(150, 400), [0.6])
    assert choose_best([first, later]) is later


def test_a_sample_has_whole_groups():
    groups = np.random.default_rng(0).integers(40, size=300)
    ranks = rank_rows(np.zeros(300, np.intp), groups, np.random.default_rng(1))
    for size in (1, 50, 299, 300):
        rows = take_first(ranks, size)
        assert size <= len(rows) < size + np.bincount(groups).max()
        assert not set(groups[rows]) & set(np.delete(groups, rows))


def problem(n=1500):
    return make_classification(n, 6, n_informative=4, random_state=0)


def test_with_a_work_budget_a_seed_decides_and_rows_may_be_left_out(monkeypatch):
    monkeypatch.setattr(samples, "FIRST", 100)
    X, y = problem(600)

    def fit(work):
        with pytest.warns(UserWarning, match=r"work_budget=\S+ was too short for .* of 600 rows: only the others"):
            return EmphaticClassifier(work_budget=work, random_state=0).fit(X, y)

    work = 4.0 * QUICKEST.work(Size(100, 6, 2, 1, False))
    one, other = fit(work), fit(work)
    np.testing.assert_array_equal(one.predict_proba(X), other.predict_proba(X))
    judged = ~np.isnan(one.out_of_fold_).any(axis=1)
    assert 0 < judged.sum() < 600
    assert len(one.importances_) == 6


def test_a_card_of_rows_without_an_out_of_fold_prediction_is_cross_validated():
    """What the model says about the others is no evidence: it may have learnt from them."""
    X, y = problem(1200)
    with pytest.warns(UserWarning, match="was too short for"):
        model = EmphaticClassifier(work_budget=0.5, random_state=0).fit(X, y)
    assert np.isnan(model.out_of_fold_).any()
    with pytest.warns(UserWarning, match="was too short for"):
        found = predict_out_of_fold(model, X, y, n_folds=2)
    assert "2-fold cross-validation" in found.origin
    assert not np.isnan(found.probabilities).any()


@pytest.mark.parametrize("parameters", [{}, {"decision": "f1"}, {"metric": "balanced_accuracy"}])
def test_a_class_that_no_judged_row_has_is_no_obstacle(parameters):
    X, y = problem(3000)
    y[:3] = 2
    model = EmphaticClassifier(work_budget=0.3, random_state=0, **parameters)
    with pytest.warns(UserWarning, match="was too short for"):
        model.fit(X, y)
    judged = ~np.isnan(model.out_of_fold_[:, 0])
    assert 2 not in y[judged]
    assert model.predict_proba(X).shape == (3000, 3)
    assert model.predict_sets(X[:2]).shape == (2, 3)
    confusion = next(one for one in model.plot().data if one.type == "heatmap")
    assert np.sum(confusion.text) == judged.sum()
    assert len(model.importances_) == 6


def test_two_budgets_are_one_too_many():
    X, y = problem(30)
    with pytest.raises(ValueError, match="time_budget and work_budget are two ways to limit a fit: set one of them"):
        EmphaticClassifier(time_budget=1.0, work_budget=1.0).fit(X, y)


class Ticking:
    """Time that is over after so many looks at it."""

    def __init__(self, n_looks):
        self.n_looks = n_looks

    def __call__(self):
        self.n_looks -= 1
        return self.n_looks < 0


def draw(is_over=never, *, is_quick=True):
    X, y = make_classification(600, 6, random_state=0)
    return TrainingData.draw(X, y, 2, np.ones(600), np.random.default_rng(0), is_quick=is_quick, is_over=is_over)


@pytest.mark.parametrize("candidate", [GradientTrees((5, 10, 20, 40)), Network(checkpoints=(20, 40, 80, 160))])
def test_when_time_is_over_a_training_ends_at_a_checkpoint(candidate):
    assert candidate.ends_early
    whole, learnt = candidate.fit(draw(), 0, np.random.default_rng(0))
    cut, learnt_so_far = candidate.fit(draw(Ticking(1)), 0, np.random.default_rng(0))
    assert cut.shape == whole.shape
    np.testing.assert_array_equal(cut[:2], whole[:2])
    np.testing.assert_array_equal(cut[2:], np.stack([cut[1]] * 2))
    points = Points(draw().singles)
    model, same = candidate.merge([learnt_so_far], 3), candidate.merge([learnt], 1)
    np.testing.assert_array_equal(model.scores(points), same.scores(points))


@pytest.mark.parametrize("candidate", [GradientTrees((5, 10)), Network(checkpoints=(20, 40))])
def test_the_first_checkpoint_is_reached_whatever_the_time(candidate):
    scores, _ = candidate.fit(draw(lambda: True), 0, np.random.default_rng(0))
    np.testing.assert_array_equal(scores[0], candidate.fit(draw(), 0, np.random.default_rng(0))[0][0])


def test_a_long_way_between_two_checkpoints_is_left_when_time_is_over():
    candidate = Network(n_units=4, checkpoints=(10, 5 * STEPS_BETWEEN_LOOKS))
    clock = Ticking(2)
    scores, _ = candidate.fit(draw(clock), 0, np.random.default_rng(0))
    np.testing.assert_array_equal(scores[1], scores[0])
    assert clock.n_looks == -1, "it ended at the third look, and did not go on"


def test_half_of_a_single_fit_that_ends_early_is_worth_beginning(monkeypatch):
    Clock(monkeypatch)
    once, folds = Size(5_000, 10, 2, 1, False), Size(5_000, 10, 2, 3, False)
    network, kernel = Network(), KernelRidge("cityblock", 2.0)
    time, work = TimeBudget(10.0), WorkBudget(10.0)
    assert time.forecast_candidate(network, once) == 0.5 * network.work(once)
    assert time.forecast_candidate(network, folds) == network.work(folds), "all folds must be alike"
    assert time.forecast_candidate(kernel, once) == kernel.work(once)
    assert work.forecast_candidate(network, once) == network.work(once), "work has no clock that could end it"


def test_the_clock_of_one_process_is_not_taken_to_another():
    assert pickle.loads(pickle.dumps(draw(Ticking(0)))).is_over is never


def test_time_is_over_when_only_the_reserve_is_left(monkeypatch):
    clock = Clock(monkeypatch)
    limit = TimeBudget(10.0)
    assert not limit.is_over()
    clock.now += 10.0 * (1 - RESERVE)
    assert limit.is_over()
    assert not NoBudget().is_over()
