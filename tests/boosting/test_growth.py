"""The one loop: votes, bounds and stops (identities 2, 3, 5, 6, 8 of ALGORITHMS.md section 7)."""

from itertools import islice
from typing import ClassVar

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_moons
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from emphatic import RBFNetworkClassifier, RealAdaBoostClassifier
from emphatic.base import LARGEST_EDGE, Emphasis
from emphatic.boosting.growth import grow
from emphatic.boosting.training import weighted_bootstrap
from emphatic.emphasis import Exponential, Mixed, Uniform
from emphatic.learners import SampledCentres
from emphatic.margins import labels, margins
from tests.reference import boosting as reference


@pytest.fixture(params=["two classes", "three classes"])
def problem(request):
    if request.param == "two classes":
        X, y = make_moons(150, noise=0.35, random_state=0)
    else:
        X, y = load_iris(return_X_y=True)
        X = X[:, :2]
    return X, y, np.unique(y)


def stages_of(problem, n, learner=None, emphasis=None, seed=0, **options):
    X, y, classes = problem
    learner = RBFNetworkClassifier() if learner is None else learner
    stages = grow(
        X, y, classes, learner=learner, emphasis=emphasis or Exponential(), rng=np.random.default_rng(seed), **options
    )
    return list(islice(stages, n))


@pytest.mark.parametrize("vote", ["bound", "emphasis"])
def test_mixed_at_one_half_grows_the_same_ensemble_as_exponential(problem, vote):
    mixed = stages_of(problem, 8, emphasis=Mixed(0.5), vote=vote)
    exponential = stages_of(problem, 8, emphasis=Exponential(), vote=vote)
    for a, b in zip(mixed, exponential, strict=True):
        np.testing.assert_allclose(a.weights, b.weights, rtol=1e-9)
        np.testing.assert_allclose(a.alpha, b.alpha, rtol=1e-9)
        np.testing.assert_allclose(a.score, b.score, rtol=1e-9, atol=1e-9)


def test_both_votes_agree_for_exponential(problem):
    prior = np.random.default_rng(0).dirichlet(np.ones(150))
    bound = stages_of(problem, 6, vote="bound", prior=prior)
    emphasis = stages_of(problem, 6, vote="emphasis", prior=prior)
    np.testing.assert_allclose([s.alpha for s in bound], [s.alpha for s in emphasis], rtol=1e-9)


def test_the_vote_of_crisp_learners_is_adaboosts(problem):
    """artanh(edge) == 1/2 ln((1 - eps) / eps), for two classes and for more."""
    tree = DecisionTreeClassifier(max_depth=2)
    for stage in stages_of(problem, 5, learner=tree, resample=False):
        wrong = stage.margin < 0
        if set(np.unique(stage.margin)) <= {-1.0, 1.0}:
            eps = stage.training_weights[wrong].sum()
            assert stage.alpha == pytest.approx(0.5 * np.log((1 - eps) / eps))
    # trees speak in probabilities: made crisp, every stage is checked
    crisp_stages = stages_of(problem, 5, learner=Crisp(max_depth=2))
    assert len(crisp_stages) == 5
    for stage in crisp_stages:
        assert set(np.unique(stage.margin)) <= {-1.0, 1.0}
        eps = stage.training_weights[stage.margin < 0].sum()
        assert stage.alpha == pytest.approx(0.5 * np.log((1 - eps) / eps))


class Crisp(DecisionTreeClassifier):
    """A tree that only votes."""

    predict_proba = property()  # hasattr is False


def test_a_round_follows_equations_4_and_5():
    X, y = make_moons(150, noise=0.35, random_state=0)
    for stage in stages_of((X, y, np.array([0, 1])), 5):
        d = 2 * y - 1
        assert stage.alpha == pytest.approx(reference.vote(stage.output, d, stage.weights))


@pytest.mark.parametrize("emphasis", [Exponential(), Mixed(0.2), Mixed(0.9), Uniform()], ids=repr)
def test_the_bound_falls_by_the_promised_factor_whatever_the_emphasis(problem, emphasis):
    """With vote="bound" sum exp(-m) falls each round by at least sqrt(1 - r^2)."""
    before = len(problem[1])
    for stage in stages_of(problem, 15, emphasis=emphasis, vote="bound"):
        after = np.exp(-stage.ensemble_margin).sum()
        assert after <= before * np.sqrt(1 - stage.edge**2) * (1 + 1e-12)
        before = after


def test_the_score_is_the_sum_of_votes_times_outputs(problem):
    stages = stages_of(problem, 6)
    np.testing.assert_allclose(stages[-1].score, sum(s.alpha * s.output for s in stages))
    assert stages[-1].total_alpha == pytest.approx(sum(abs(s.alpha) for s in stages))
    np.testing.assert_array_equal(stages[-1].ensemble_margin, margins(stages[-1].score, problem[1]))


def test_the_first_round_is_uniform_times_the_prior(problem):
    prior = np.random.default_rng(1).dirichlet(np.ones(150))
    first = stages_of(problem, 1, prior=prior)[0]
    np.testing.assert_allclose(first.weights, 1 / 150)
    np.testing.assert_allclose(first.training_weights, prior)


def test_a_perfect_learner_gets_the_largest_finite_vote():
    X, y = np.arange(20.0)[:, None], np.repeat([0, 1], 10)
    stage = stages_of((X, y, np.array([0, 1])), 1, learner=DecisionTreeClassifier())[0]
    assert stage.alpha == np.arctanh(LARGEST_EDGE) == pytest.approx(11.86, abs=0.01)


class Contrary(DecisionTreeClassifier):
    """A tree that always says the opposite."""

    def predict_proba(self, X):
        return 1 - super().predict_proba(X)


def test_a_learner_without_an_edge_ends_the_growth_and_flip_turns_it_round():
    X, y = make_moons(80, noise=0.1, random_state=0)
    problem = X, y, np.array([0, 1])
    assert stages_of(problem, 5, learner=Contrary(max_depth=2)) == []
    flipped = stages_of(problem, 5, learner=Contrary(max_depth=2), negative="flip")
    assert len(flipped) == 5 and all(stage.alpha < 0 for stage in flipped)
    assert (labels(flipped[-1].score) == y).mean() > 0.9
    assert np.abs(flipped[-1].score / flipped[-1].total_alpha).max() <= 1


class CountedDraws(DummyClassifier):
    """Has no edge on balanced classes; counts how often it was trained, and with which seeds."""

    seeds: ClassVar[list] = []

    def fit(self, X, y, sample_weight=None):
        self.seeds.append(self.random_state)
        return super().fit(X, y, sample_weight)


@pytest.mark.parametrize("patience", [0, 3])
def test_a_learner_without_an_edge_is_redrawn_with_fresh_randomness(patience):
    CountedDraws.seeds.clear()
    X, y = np.zeros((10, 1)), np.arange(10) % 2
    learner = CountedDraws(strategy="prior")
    assert stages_of((X, y, np.array([0, 1])), 5, learner=learner, patience=patience) == []
    assert len(CountedDraws.seeds) == len(set(CountedDraws.seeds)) == patience + 1


def test_a_learner_that_ignores_randomness_is_not_redrawn():
    class Deterministic(LogisticRegression):
        fits = 0

        def __init__(self):
            super().__init__()

        def fit(self, X, y, sample_weight=None):
            Deterministic.fits += 1
            return super().fit(X, y, sample_weight)

        def predict_proba(self, X):
            return 1 - super().predict_proba(X)

    X, y = make_moons(60, random_state=0)
    assert stages_of((X, y, np.array([0, 1])), 3, learner=Deterministic()) == []
    assert Deterministic.fits == 1


class Recorder(Emphasis):
    """Uniform, and keeps what it is shown."""

    def update(self, stage):
        SHOWN.append(stage)
        return np.full(len(stage.y), 1 / len(stage.y))


SHOWN: list = []


def test_the_design_emphasis_sees_the_same_stages_and_alone_places_the_units():
    X, y = make_moons(120, noise=0.3, random_state=0)
    network = RBFNetworkClassifier(SampledCentres(0.1))
    problem = X, y, np.array([0, 1])
    SHOWN.clear()
    stages = stages_of(problem, 4, learner=network, emphasis=Mixed(0.9), design_emphasis=Recorder())
    assert [id(stage) for stage in SHOWN] == [id(stage) for stage in stages[:3]]
    uniform = stages_of(problem, 4, learner=network, emphasis=Mixed(0.9), design_emphasis=Uniform())
    np.testing.assert_array_equal(stages[3].learner.centres_, uniform[3].learner.centres_)
    emphasised = stages_of(problem, 4, learner=network, emphasis=Mixed(0.9))
    assert not np.array_equal(emphasised[3].learner.centres_, uniform[3].learner.centres_)
    same = stages_of(problem, 4, learner=network, emphasis=Mixed(0.9), design_emphasis=Mixed(0.9))
    np.testing.assert_array_equal(same[3].learner.centres_, emphasised[3].learner.centres_)


def test_a_weighted_bootstrap_follows_the_weights_and_keeps_every_class():
    y = np.repeat([0, 1, 2], [50, 49, 1])
    weights = np.where(np.arange(100) < 10, 1.0, 1e-12)
    weights /= weights.sum()
    rows = weighted_bootstrap(y, weights, np.random.default_rng(0))
    assert len(rows) == 100 and set(y[rows]) == {0, 1, 2}
    assert (rows < 10).sum() >= 98


def test_a_bootstrap_draws_in_proportion_to_the_weights():
    y = np.arange(100) % 2
    weights = np.repeat([0.5, 1.5], 50) / 100
    draws = [weighted_bootstrap(y, weights, np.random.default_rng(seed)) for seed in range(400)]
    counts = np.bincount(np.concatenate(draws), minlength=100) / 400
    assert counts[:50].mean() == pytest.approx(0.5, abs=0.02) and counts[50:].mean() == pytest.approx(1.5, abs=0.02)
    assert abs(counts - 100 * weights).max() < 0.3


def test_stop_rules_say_why():
    X, y = make_moons(200, noise=0.3, random_state=0)
    assert RealAdaBoostClassifier(n_estimators=3, random_state=0).fit(X, y).stop_reason_ == "rounds"
    faded = RealAdaBoostClassifier(n_estimators=200, stop_ratio=0.4, random_state=0).fit(X, y)
    assert faded.stop_reason_ == "ratio" and 20 <= len(faded.alphas_) < 200
    sizes = np.abs(faded.alphas_)
    assert sizes[-10:].sum() < 0.4 * sizes.sum()
    thin = RealAdaBoostClassifier(emphasis=Mixed(0.0), n_estimators=200, min_ess=60, random_state=0).fit(X, y)
    assert thin.stop_reason_ == "ess" and thin.effective_sample_sizes_.min() >= 60
