"""An external guide: the emphasis of what the guide says, whatever the ensemble says."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris, make_moons
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from emphatic import RBFNetworkClassifier, RealAdaBoostClassifier
from emphatic.emphasis import Capped, Controlled, Exponential, Focal, Guided, Mixed, Multiplicative, Smooth, Uniform
from emphatic.emphasis.controlled import controlled_weights
from emphatic.emphasis.guided import judge_out_of_fold
from tests.emphasis.test_emphases import stage_of, updated

RANDOM_TREE = DecisionTreeClassifier(max_depth=2, splitter="random")
SCORE = np.linspace(-2.0, 2.0, 20)
Y = np.arange(20) % 2


class Reads(ClassifierMixin, BaseEstimator):
    """Its probabilities of the last class stand in the first column."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        p = np.asarray(X)[:, 0]
        return np.column_stack([1 - p, p])

    def predict(self, X):
        return self.classes_[(self.predict_proba(X)[:, 1] > 0.5).astype(int)]


def rows_of(output):
    """Rows that make `Reads` answer with this output."""
    return np.column_stack([(1 + output) / 2, np.zeros(len(output))])


def moons(n=120):
    return make_moons(n, noise=0.3, random_state=0)


def fitted(emphasis, problem=None, learner=RANDOM_TREE, n_estimators=5):
    X, y = moons() if problem is None else problem
    return RealAdaBoostClassifier(learner, emphasis, n_estimators, keep_weights=True, random_state=0).fit(X, y)


# exact identities


@pytest.mark.parametrize(
    "base", [Controlled(0.2, 0.7), Mixed(0.3), Exponential(), Controlled(0, 1, f_scale="tanh")], ids=repr
)
def test_a_guide_that_answers_as_the_ensemble_does_changes_nothing(base):
    total = 2.5
    stage = stage_of(SCORE, Y, total, rows_of(SCORE / total))
    np.testing.assert_allclose(updated(Guided(base, Reads()), stage), updated(base, stage), rtol=1e-12)


def test_with_a_guide_that_knows_nothing_all_samples_are_on_the_boundary():
    stage = stage_of(SCORE, Y, X=rows_of(np.zeros(20)))
    for base in (Controlled(0.3, 0.5), Controlled(0, 0), Mixed(0.8), Exponential()):
        np.testing.assert_allclose(updated(Guided(base, Reads()), stage), 1 / 20, rtol=1e-15)


def test_with_a_guide_that_is_sure_and_right_every_weight_is_alpha():
    stage = stage_of(SCORE, Y, X=rows_of(2.0 * Y - 1.0))
    np.testing.assert_allclose(updated(Guided(Controlled(0.3, 0.5), Reads()), stage), 1 / 20, rtol=1e-15)
    with pytest.warns(UserWarning, match="uniform weights are used"):
        updated(Guided(Controlled(0.0, 0.5), Reads()), stage)


def test_guided_control_is_equation_1_with_the_output_of_the_guide():
    g = np.random.default_rng(0).uniform(-1, 1, 20)
    d = 2 * Y - 1
    p = 0.2 + 0.8 * (0.7 * (g - d) ** 2 / 4 + 0.3 * (1 - g**2))
    weights = updated(Guided(Controlled(0.2, 0.7), Reads()), stage_of(SCORE, Y, X=rows_of(g)))
    np.testing.assert_allclose(weights, p / p.sum(), rtol=1e-12)


def test_under_one_guide_adaboost_and_real_adaboost_are_one():
    """One multiplies weights round by round, the other starts from the sum: with equal outputs these are the same."""
    one, other = fitted(Guided(Multiplicative(), GaussianNB())), fitted(Guided(Exponential(), GaussianNB()))
    np.testing.assert_allclose(one.sample_weights_, other.sample_weights_, rtol=1e-9)


def test_uniform_needs_no_guide():
    np.testing.assert_array_equal(fitted(Guided(Uniform())).alphas_, fitted(Uniform()).alphas_)


# the twin: whole fits, with folds by hand


@pytest.mark.parametrize("problem", [moons(), load_iris(return_X_y=True)], ids=["two classes", "three classes"])
def test_after_the_first_round_the_weights_are_those_of_the_guide(problem):
    X, y = problem
    model = fitted(Guided(Controlled(0.3, 0.5), GaussianNB(), n_folds=3), problem)
    shares = np.zeros((len(y), len(np.unique(y))))
    rng = np.random.default_rng(0)  # classes are shuffled, and dealt out like cards
    shuffled = rng.permutation(len(y))
    by_class = shuffled[np.argsort(y[shuffled], kind="stable")]
    for fold in range(3):
        left_out = np.isin(np.arange(len(y)), by_class[fold::3])
        shares[left_out] = GaussianNB().fit(X[~left_out], y[~left_out]).predict_proba(X[left_out])
    true = shares[np.arange(len(y)), y]
    shares[np.arange(len(y)), y] = -np.inf
    weights = controlled_weights(true - shares.max(axis=1), 0.3, 0.5)
    np.testing.assert_allclose(model.sample_weights_[0], 1 / len(y))
    np.testing.assert_allclose(model.sample_weights_[1:], np.tile(weights / weights.sum(), (4, 1)), rtol=1e-10)


# properties


class Remembers(Reads):
    """Sure of class 1 for every row that it learnt, and of class 0 for all others."""

    def fit(self, X, y):
        self.learnt_ = set(X[:, 0])
        return super().fit(X, y)

    def predict_proba(self, X):
        return super().predict_proba(np.array([[float(row in self.learnt_)] for row in X[:, 0]]))


def test_no_sample_is_judged_by_a_guide_that_learnt_it():
    X, y = np.arange(23.0)[:, None], np.arange(23) % 2
    assert Remembers().fit(X, y).predict(X).all()
    assert (judge_out_of_fold(Remembers(), X, y, 4) == -1).all()


@pytest.mark.parametrize(
    "guide",
    [None, SVC(), GaussianNB(), KNeighborsClassifier(1), RBFNetworkClassifier(), DecisionTreeClassifier()],
    ids=repr,
)
@pytest.mark.parametrize("base", [Controlled(), Mixed(0.3)], ids=repr)
def test_any_classifier_can_guide_and_fits_are_reproducible(base, guide):
    one, other = fitted(Guided(base, guide)), fitted(Guided(base, guide))
    np.testing.assert_array_equal(one.sample_weights_, other.sample_weights_)
    assert np.isfinite(one.sample_weights_).all()
    np.testing.assert_allclose(one.sample_weights_.sum(axis=1), 1)
    X, y = moons()
    assert one.score(X, y) > 0.8


def test_the_default_guide_is_logistic_regression_on_standardised_inputs():
    X, y = moons()
    scaled = (X - X.mean(axis=0)) / X.std(axis=0)
    expected = judge_out_of_fold(LogisticRegression(), scaled, y, 5)
    np.testing.assert_allclose(judge_out_of_fold(None, X, y, 5), expected, atol=0.05)  # it standardises in each fold
    np.testing.assert_allclose(judge_out_of_fold(None, 1e3 * X - 5, y, 5), judge_out_of_fold(None, X, y, 5), rtol=1e-6)


def test_errors_alone_make_learners_contradict_the_guide():
    """The weights stay on what the guide gets wrong: nothing tells the learners what it gets right."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 1))
    truth = (X[:, 0] > 0).astype(int)
    y = truth ^ (rng.random(400) < 0.1)  # a tenth of the labels is wrong
    guide = KNeighborsClassifier(15)
    with pytest.warns(UserWarning, match="The learners contradict the guide"):
        opposed = fitted(Guided(Controlled(0.0, 1.0), guide), (X, y), n_estimators=20)
    moderate = fitted(Guided(Controlled(0.3, 1.0), guide), (X, y), n_estimators=20)
    assert opposed.score(X, truth) < 0.2 and moderate.score(X, truth) > 0.9


def boosted(emphasis, vote="auto"):
    """Trees on a noisy problem, on which the guide is wrong for some samples of each class."""
    X, y = make_moons(300, noise=0.25, random_state=0)
    y = y ^ (np.random.default_rng(0).random(300) < 0.1)
    tree = DecisionTreeClassifier(max_depth=2)
    return RealAdaBoostClassifier(tree, emphasis, 20, vote=vote, random_state=0).fit(X, y), X, y


@pytest.mark.parametrize("base", [Exponential(), Focal(), Capped(Exponential()), Controlled(0, 1)], ids=repr)
def test_an_ensemble_that_contradicts_its_guide_is_not_made_silently(base):
    with pytest.warns(UserWarning, match="The learners contradict the guide") as caught:
        model, X, y = boosted(Guided(base))
    (warning,) = [str(one.message) for one in caught if "contradict" in str(one.message)]  # once per fit
    assert repr(base) in warning and 'vote="bound"' in warning
    first = model.estimators_[0]
    assert np.mean(model.predict(X) != y) > 0.4 > np.mean(model.classes_[first.predict(X)] != y)


@pytest.mark.parametrize("base", [Exponential(), Focal(), Capped(Exponential()), Controlled(0, 1)], ids=repr)
def test_votes_by_the_bound_keep_learners_from_contradicting_the_guide(base):
    model, X, y = boosted(Guided(base), vote="bound")  # warnings are errors
    assert np.mean(model.predict(X) != y) < 0.25


@pytest.mark.parametrize("base", [Controlled(), Mixed(0.3), Smooth()], ids=repr)
def test_an_emphasis_that_leaves_the_other_samples_enough_weight_needs_no_warning(base):
    model, X, y = boosted(Guided(base))
    assert np.mean(model.predict(X) != y) < 0.25


def test_a_guide_that_knows_nothing_is_not_contradicted():
    guide = DummyClassifier(strategy="prior")
    model, X, y = boosted(Guided(Exponential(), guide))
    assert np.mean(model.predict(X) != y) < 0.25


def test_vote_and_learners_are_those_of_the_wrapped_emphasis():
    assert Guided(Mixed()).vote == "bound" and Guided(Controlled()).vote == "emphasis"


def test_more_folds_than_samples_leave_one_out():
    X, y = moons(12)
    np.testing.assert_array_equal(judge_out_of_fold(None, X, y, 1000), judge_out_of_fold(None, X, y, 12))


def test_a_guide_that_cannot_be_fitted_is_named():
    X, y = moons()
    words = pd.DataFrame({"side": np.where(y, "left", "right"), "x": X[:, 0]})
    stage = stage_of(np.zeros(len(y)), y, 1.0, words)
    with pytest.raises(ValueError, match=r"member 'guide' \(GaussianNB\): could not convert"):
        updated(Guided(Controlled(), GaussianNB()), stage)


def test_a_class_with_one_sample_is_refused():
    with pytest.raises(ValueError, match="every class needs at least 2 samples"):
        fitted(Guided(Controlled()), (np.arange(12.0).reshape(6, 2), np.array([0, 0, 0, 0, 0, 1])))
