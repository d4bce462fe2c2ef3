"""Ensembles that are fitted in step are what they are alone, and share what they agree on."""

from typing import ClassVar

import numpy as np
import pytest
from sklearn.datasets import make_blobs, make_moons
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import scale
from sklearn.tree import DecisionTreeClassifier

from emphatic import MLPNetworkClassifier, RBFNetworkClassifier, RealAdaBoostClassifier
from emphatic.base import Learner
from emphatic.boosting.together import Fit, fit_together
from emphatic.boosting.training import Trainer, Training, train_all
from emphatic.emphasis import Controlled, DynamicMixed, Exponential, Mixed, Neighbour, Uniform
from emphatic.margins import normalise


class Counting(Learner):
    """A stump that counts how often one like it learns."""

    lessons: ClassVar[list] = []

    def __init__(self, random_state=None):
        self.random_state = random_state

    def learn(self, lesson):
        Counting.lessons.append(lesson.weights.copy())
        stump = DecisionTreeClassifier(max_depth=1, random_state=0)
        self.stump_ = stump.fit(lesson.table, lesson.y, sample_weight=lesson.weights)
        return self.respond(lesson.table)

    def respond(self, X):
        return 2.0 * self.stump_.predict_proba(X)[:, 1] - 1.0


@pytest.fixture(autouse=True)
def _forget():
    Counting.lessons.clear()


def moons(n=90, seed=0):
    return make_moons(n, noise=0.25, random_state=seed)


def boosted(learner=None, emphasis=None, **parameters):
    return RealAdaBoostClassifier(learner, emphasis, **{"n_estimators": 4, "random_state": 0, **parameters})


def same(one, other, atol):
    assert one.stop_reason_ == other.stop_reason_
    np.testing.assert_allclose(one.alphas_, other.alphas_, atol=atol)
    np.testing.assert_allclose(one.effective_sample_sizes_, other.effective_sample_sizes_, rtol=1e-6)


@pytest.mark.parametrize("learner", [DecisionTreeClassifier(max_depth=1), RBFNetworkClassifier(), GaussianNB()])
def test_foreign_and_unbatched_learners_are_bit_for_bit_what_fit_makes(learner):
    X, y = moons()
    emphases = [Exponential(), Mixed(0.2), Controlled(0.3, 0.5), Neighbour(Mixed(0.7)), DynamicMixed((0.0, 0.5, 1.0))]
    for one, emphasis in zip(fit_together([Fit(boosted(learner, e), X, y) for e in emphases]), emphases):
        alone = boosted(learner, emphasis).fit(X, y)
        same(one, alone, atol=0)
        np.testing.assert_array_equal(one.decision_function(X), alone.decision_function(X))


@pytest.mark.parametrize("n_classes", [2, 3])
def test_networks_that_are_trained_side_by_side_differ_by_rounding_only(n_classes):
    tables = [make_blobs(80 + 10 * k, centers=n_classes, cluster_std=3.0, random_state=k) for k in range(3)]
    tables = [(scale(X), y) for X, y in tables]
    # scaled inputs and few epochs: rounding grows with every step, and which epoch is best may then change
    network = MLPNetworkClassifier(3, step=0.02, max_epochs=25)
    emphases = [Exponential(), Controlled(0.2, 0.8), Controlled(1, 0), DynamicMixed((0.2, 0.8))]
    fits = [Fit(boosted(network, e, random_state=k), *table) for k, table in enumerate(tables) for e in emphases]
    for together, (model, X, y, _) in zip(fit_together(fits), fits):
        alone = boosted(network, model.emphasis, random_state=model.random_state).fit(X, y)
        same(together, alone, atol=1e-7)
        np.testing.assert_allclose(together.decision_function(X), alone.decision_function(X), atol=1e-6)


def test_what_several_ensembles_ask_for_is_trained_once():
    X, y = moons()
    emphases = [Controlled(0.0, 1.0), Controlled(0.5, 1.0), Controlled(1.0, 0.3), Controlled(1.0, 0.7)]
    fits = [Fit(boosted(Counting(), e, n_estimators=3), X, y) for e in emphases]
    models = fit_together(fits)
    # round 1 is one lesson for all four; alpha = 1 is uniform whatever beta is, so the last two share every round
    assert len(Counting.lessons) == 1 + 2 * 3
    assert models[2].estimators_[0] is models[3].estimators_[0]
    for model, fit in zip(models, fits):
        same(model, boosted(Counting(), fit.estimator.emphasis, n_estimators=3).fit(X, y), atol=0)


def test_another_seed_or_table_shares_nothing():
    X, y = moons()
    fits = [
        Fit(boosted(Counting(), n_estimators=1), X, y),
        Fit(boosted(Counting(), n_estimators=1, random_state=1), X, y),
        Fit(boosted(Counting(), n_estimators=1), X.copy(), y),
        Fit(boosted(Counting(), n_estimators=1), X, 1 - y),
    ]
    fit_together(fits)
    assert len(Counting.lessons) == 4


def test_an_emphasis_of_the_design_is_part_of_what_is_asked_for():
    # equal in all but the design weights, also in the seed: a learner shared between them would be wrong for one
    X, y = moons()
    designs = [None, Uniform(), Mixed(0.9)]
    fits = [Fit(boosted(RBFNetworkClassifier(), Mixed(0.2), design_emphasis=one), X, y) for one in designs]
    for together, (model, *_) in zip(fit_together(fits), fits, strict=True):
        alone = boosted(RBFNetworkClassifier(), Mixed(0.2), design_emphasis=model.design_emphasis).fit(X, y)
        for ours, expected in zip(together.estimators_, alone.estimators_, strict=True):
            np.testing.assert_array_equal(ours.centres_, expected.centres_)
        np.testing.assert_array_equal(together.decision_function(X), alone.decision_function(X))


def test_equal_design_weights_are_shared_and_others_are_not():
    X, y = moons()
    trainer = Trainer(Counting(), X, y, np.array([0, 1]))
    weights, design = np.full(len(y), 1 / len(y)), normalise(X[:, 0])
    trainings = [Training(trainer, weights, one, 0, (0, 0)) for one in (None, design, design.copy(), weights)]
    assert len({training.identity for training in trainings}) == 3
    train_all(trainings)
    assert len(Counting.lessons) == 3


def test_sample_weights_are_heeded():
    X, y = moons()
    weights = np.random.default_rng(0).integers(0, 3, len(y)).astype(float)
    learner = DecisionTreeClassifier(max_depth=2)
    [model] = fit_together([Fit(boosted(learner, keep_weights=True), X, y, weights)])
    alone = boosted(learner, keep_weights=True).fit(X, y, sample_weight=weights)
    np.testing.assert_array_equal(model.sample_weights_, alone.sample_weights_)


def test_only_the_one_that_must_fail_fails():
    X, y = moons()
    good, bad = MLPNetworkClassifier(2, max_epochs=10), MLPNetworkClassifier(2, step=1e308, max_epochs=10)
    first, second, third = fit_together(
        [Fit(boosted(good), X, y), Fit(boosted(bad), X, y), Fit(boosted(good, n_estimators=0), X, y)]
    )
    assert len(first.estimators_) == 4
    assert isinstance(second, ValueError) and "diverge" in str(second)
    assert isinstance(third, ValueError) and "n_estimators" in str(third)


def test_estimators_of_any_kind_are_fitted():
    X, y = moons()
    tree, ensemble = fit_together([Fit(DecisionTreeClassifier(random_state=0), X, y), Fit(boosted(GaussianNB()), X, y)])
    assert tree.score(X, y) == 1.0
    assert ensemble.score(X, y) > 0.7


def test_progress_counts_those_that_are_ready():
    X, y = moons()
    counts = []
    fits = [Fit(boosted(GaussianNB(), n_estimators=n), X, y) for n in (1, 3, 2)]
    fit_together(fits, counts.append)
    assert counts == [1, 2, 3]


def test_nothing_to_fit():
    assert fit_together([]) == []
