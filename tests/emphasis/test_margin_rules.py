"""Weights of the literature: each against its formula written plainly, its loss, its limits, and in whole fits."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_iris, make_blobs, make_moons
from sklearn.ensemble import AdaBoostClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from emphatic import RealAdaBoostClassifier
from emphatic.boosting import grow
from emphatic.emphasis import Exponential, Focal, Logistic, Mada, Multiplicative, Savage, Smooth, Tangent
from emphatic.votes import Edge, Equal, Samme, Shrunken
from tests.emphasis.test_emphases import stage_of, updated
from tests.reference import boosting as reference

STUMP = DecisionTreeClassifier(max_depth=1)
TREE = DecisionTreeClassifier(max_depth=2)


def sigma(m):
    return 1 / (1 + np.exp(-m))


def focal_weights(gamma):
    return lambda m: (1 - sigma(m)) ** gamma * ((1 - sigma(m)) - gamma * sigma(m) * np.log(sigma(m)))


PLAIN = {
    Logistic(): lambda m: 1 / (1 + np.exp(m)),
    Mada(): lambda m: np.array([min(1.0, np.exp(-one)) for one in m]),
    Savage(): lambda m: np.exp(2 * m) / (1 + np.exp(2 * m)) ** 3,
    Tangent(): lambda m: np.abs(1 - 2 * np.arctan(m)) / (1 + m**2),
    **{Focal(gamma): focal_weights(gamma) for gamma in (0.0, 0.5, 1.0, 2.0, 5.0)},
}
LOSSES = {
    Logistic(): lambda m: np.log(1 + np.exp(-m)),
    Mada(): lambda m: np.where(m < 0, 1 - m, np.exp(-m)),
    Savage(): lambda m: 1 / (1 + np.exp(2 * m)) ** 2,
    Tangent(): lambda m: (2 * np.arctan(m) - 1) ** 2,
    **{Focal(gamma): lambda m, gamma=gamma: -((1 - sigma(m)) ** gamma) * np.log(sigma(m)) for gamma in (0.0, 0.5, 2.0)},
}
RULES = [Logistic(), Mada(), Smooth(), Savage(), Tangent(), Focal(), Multiplicative()]


def weigh(emphasis, m):
    """The weights of samples with these margins of the ensemble."""
    m = np.asarray(m, dtype=float)
    return updated(emphasis, stage_of(m, np.ones(len(m), dtype=int)))


@pytest.mark.parametrize(("emphasis", "plain"), list(PLAIN.items()), ids=map(repr, PLAIN))
@given(m=npst.arrays(float, 15, elements=st.floats(-15, 15)))
def test_the_weights_are_those_of_the_formula(emphasis, plain, m):
    weights = plain(m)
    np.testing.assert_allclose(weigh(emphasis, m), weights / weights.sum(), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("emphasis", "loss"), list(LOSSES.items()), ids=map(repr, LOSSES))
def test_the_weights_are_the_steepness_of_the_loss(emphasis, loss):
    m = np.array([-4.0, -1.5, -0.5, -0.1, 0.2, 0.5, 0.9, 2.0, 4.0])
    step = 1e-6
    steepness = np.abs(loss(m + step) - loss(m - step))
    np.testing.assert_allclose(weigh(emphasis, m), steepness / steepness.sum(), rtol=1e-6)


def test_the_tangent_loss_falls_up_to_tan_one_half_only():
    m, loss = np.tan(0.5), LOSSES[next(one for one in LOSSES if isinstance(one, Tangent))]
    assert loss(m - 0.1) > loss(m) < loss(m + 0.1)
    assert weigh(Tangent(), [0.0, m])[1] < 1e-15
    np.testing.assert_allclose(weigh(Tangent(), [m, 0.0, m, 0.0]), [0, 0.5, 0, 0.5], atol=1e-15)


@pytest.mark.parametrize("emphasis", [Logistic(), Mada(), Focal(0.0)], ids=repr)
def test_the_more_wrong_the_heavier(emphasis):
    assert (np.diff(weigh(emphasis, np.linspace(-20, 20, 99))) <= 0).all()


@pytest.mark.parametrize(
    ("emphasis", "at"), [(Savage(), -np.log(2) / 2), (Tangent(), -0.5133), (Focal(2.0), -2.7904)], ids=repr
)
def test_the_heaviest_sample_is_not_the_most_wrong(emphasis, at):
    m = np.linspace(-10, 10, 20001)
    weights = weigh(emphasis, m)
    assert m[weights.argmax()] == pytest.approx(at, abs=1e-3)
    assert (np.diff(weights)[m[:-1] < at - 1e-3] > 0).all()


def test_far_from_the_boundary():
    """Ratios of weights at margins of which the formulas themselves would overflow or vanish."""
    np.testing.assert_allclose(weigh(Logistic(), [999, 1000]), weigh(Exponential(), [999, 1000]), rtol=1e-12)
    np.testing.assert_allclose(weigh(Logistic(), [-999, -1000]), [0.5, 0.5], rtol=1e-12)
    np.testing.assert_allclose(weigh(Logistic(), [-1000, 0]), [2 / 3, 1 / 3], rtol=1e-12)
    np.testing.assert_allclose(weigh(Mada(), [-1000, -1, 0]), [1 / 3, 1 / 3, 1 / 3], rtol=1e-12)
    savage_right, savage_wrong = weigh(Savage(), [1000, 1001]), weigh(Savage(), [-1000, -1001])
    assert savage_right[0] / savage_right[1] == pytest.approx(np.exp(4))
    assert savage_wrong[0] / savage_wrong[1] == pytest.approx(np.exp(2))
    tangent = weigh(Tangent(), [-1e4, 1e4])
    assert tangent[0] / tangent[1] == pytest.approx((np.pi + 1) / (np.pi - 1), rel=1e-3)
    focal = weigh(Focal(3.0), [1000, 1001])
    assert focal[0] / focal[1] == pytest.approx(np.exp(4))
    np.testing.assert_allclose(weigh(Focal(3.0), [-1000, -900]), [0.5, 0.5], rtol=1e-12)


@given(m=npst.arrays(float, 9, elements=st.floats(-900, 900)))
def test_focal_of_0_is_logistic(m):
    np.testing.assert_array_equal(weigh(Focal(0.0), m), weigh(Logistic(), m))


@given(m=npst.arrays(float, 9, elements=st.floats(0, 900)))
def test_mada_is_exponential_where_nothing_is_wrong(m):
    np.testing.assert_array_equal(weigh(Mada(), m), weigh(Exponential(), m))


def test_fits_of_mada_and_exponential_are_the_same_while_nothing_is_wrong():
    X, y = make_blobs(80, centers=[[-2, 0], [2, 0]], cluster_std=0.6, random_state=0)
    soft = LogisticRegression(C=0.01)
    one, other = (
        RealAdaBoostClassifier(soft, emphasis, n_estimators=8, keep_weights=True, random_state=0).fit(X, y)
        for emphasis in (Mada(), Exponential())
    )
    margins = np.array([(2 * y - 1) * score for score in one.staged_decision_function(X)])
    assert margins.min() >= 0 and len(np.unique(one.sample_weights_[-1])) > 50, "or this shows nothing"
    np.testing.assert_array_equal(one.alphas_, other.alphas_)
    np.testing.assert_array_equal(one.sample_weights_, other.sample_weights_)


def test_fits_of_mada_and_exponential_part_where_a_sample_is_wrong():
    X, y = make_moons(100, noise=0.3, random_state=1)
    one, other = (
        RealAdaBoostClassifier(STUMP, emphasis, n_estimators=2, keep_weights=True, random_state=0).fit(X, y)
        for emphasis in (Mada(), Exponential())
    )
    assert one.alphas_[0] == other.alphas_[0]
    wrong = (2 * y - 1) * next(one.staged_decision_function(X)) < 0
    assert 0 < wrong.mean() < 0.5
    assert len(np.unique(one.sample_weights_[1, wrong])) == 1 < len(np.unique(other.sample_weights_[1, wrong]))


def smooth_twin(outputs, d, gamma):
    """SmoothBoost's weights before they are normalised, sample by sample: Servedio 2003, Figure 1."""
    theta, rounds = gamma / (2 + gamma), []
    N = [0.0] * len(d)
    for o in outputs:
        for i in range(len(d)):
            N[i] += d[i] * o[i] - theta
        rounds.append([1.0 if one < 0 else (1 - gamma) ** (one / 2) for one in N])
    return np.array(rounds)


@pytest.mark.parametrize("gamma", [0.01, 0.1, 0.4])
def test_smooth_is_the_figure_of_its_paper(gamma):
    X, y = make_moons(120, noise=0.3, random_state=0)
    stages = grow(X, y, np.arange(2), learner=STUMP, emphasis=Smooth(gamma), rng=np.random.default_rng(0))
    kept = [next(stages) for _ in range(40)]
    assert {one.alpha for one in kept} == {1.0}
    np.testing.assert_allclose(kept[0].weights, 1 / 120)
    weights = smooth_twin([one.output for one in kept], 2 * y - 1, gamma)
    assert ((0 < weights) & (weights <= 1)).all()
    for before, stage in zip(weights, kept[1:], strict=False):
        np.testing.assert_allclose(stage.weights, before / before.sum(), rtol=1e-12)
    # with two classes and equal votes the margin of the ensemble says all
    theta = gamma / (2 + gamma)
    N = kept[-1].ensemble_margin - theta * kept[-1].total_alpha
    np.testing.assert_allclose(weights[-1], (1 - gamma) ** (np.maximum(N, 0) / 2), rtol=1e-12)
    assert (kept[-1].ensemble_margin / 40 < theta).mean() <= weights[-1].mean()


def test_smooth_sums_the_margins_of_the_learners_of_three_classes():
    X, y = load_iris(return_X_y=True)
    stages = grow(X, y, np.arange(3), learner=TREE, emphasis=Smooth(0.3), rng=np.random.default_rng(0))
    kept = [next(stages) for _ in range(6)]
    N = sum(one.margin - 0.3 / 2.3 for one in kept[:-1])
    expected = np.where(N < 0, 1.0, 0.7 ** (N / 2))
    np.testing.assert_allclose(kept[-1].weights, expected / expected.sum(), rtol=1e-12)


@pytest.mark.parametrize("vote", ["emphasis", "bound", Edge(), Samme()], ids=repr)
def test_smooth_needs_equal_votes(vote):
    X, y = make_moons(60, random_state=0)
    with pytest.raises(ValueError, match=r"is not allowed with emphasis=Smooth\(\), which needs equal votes: 'equal'"):
        RealAdaBoostClassifier(STUMP, Smooth(), vote=vote).fit(X, y)


def test_smooth_may_have_votes_that_are_equal_and_small():
    X, y = make_moons(60, random_state=0)
    one = RealAdaBoostClassifier(STUMP, Smooth(), n_estimators=9, vote=Shrunken(0.25, Equal()), random_state=0)
    other = clone(one).set_params(vote="auto").fit(X, y)
    np.testing.assert_allclose(4 * one.fit(X, y).decision_function(X), other.decision_function(X), rtol=1e-12)


@given(
    outputs=npst.arrays(float, (4, 10), elements=st.floats(-1, 1)),
    alphas=npst.arrays(float, 4, elements=st.floats(0.01, 3)),
)
def test_multiplicative_is_equation_2_of_paper_000(outputs, alphas):
    y = np.arange(10) % 2
    emphasis, rounds = Multiplicative(), []
    weights = emphasis.start(np.zeros((10, 1)), y)
    for output, alpha in zip(outputs, alphas, strict=True):
        weights = emphasis.update(replace(stage_of(output, y), weights=weights, output=output, alpha=alpha))
        rounds.append(weights)
    expected = reference.multiplicative_weights(outputs, alphas, 2 * y - 1)
    np.testing.assert_allclose(rounds[-1], expected, rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("vote", ["emphasis", "bound", "equal"])
def test_multiplicative_is_exponential_for_two_classes(vote):
    X, y = make_moons(150, noise=0.3, random_state=0)
    prior = np.random.default_rng(0).random(150)
    one, other = (
        RealAdaBoostClassifier(TREE, emphasis, n_estimators=15, vote=vote, keep_weights=True, random_state=0).fit(
            X, y, prior
        )
        for emphasis in (Multiplicative(), Exponential())
    )
    np.testing.assert_allclose(one.alphas_, other.alphas_, rtol=1e-7)
    np.testing.assert_allclose(one.sample_weights_, other.sample_weights_, rtol=1e-7, atol=1e-12)


class LabelStump(ClassifierMixin, BaseEstimator):
    """A stump that answers with labels: SAMME's learner. Its ties are always broken alike."""

    def fit(self, X, y, sample_weight=None):
        self.tree_ = DecisionTreeClassifier(max_depth=1, random_state=0).fit(X, y, sample_weight)
        self.classes_ = self.tree_.classes_
        return self

    def predict(self, X):
        return self.tree_.predict(X)


@pytest.mark.parametrize("problem", ["iris", "four classes", "two classes"])
def test_multiplicative_and_samme_are_samme(problem):
    """Against scikit-learn's, whose votes are twice ours."""
    X, y = {
        "iris": lambda: load_iris(return_X_y=True),
        "four classes": lambda: make_blobs(200, centers=4, cluster_std=2.5, random_state=3),
        "two classes": lambda: make_moons(100, noise=0.3, random_state=0),
    }[problem]()
    K = len(np.unique(y))
    peer = AdaBoostClassifier(LabelStump(), n_estimators=20, random_state=0).fit(X, y)
    ours = RealAdaBoostClassifier(
        LabelStump(), Multiplicative(), n_estimators=20, vote=Samme(), keep_weights=True, random_state=0
    ).fit(X, y)
    assert len(peer.estimators_) == len(ours.estimators_) == 20
    np.testing.assert_allclose(2 * ours.alphas_, peer.estimator_weights_, rtol=1e-8)
    np.testing.assert_allclose((1 - ours.edges_) / 2, peer.estimator_errors_, rtol=1e-8)
    np.testing.assert_array_equal(ours.predict(X), peer.predict(X))
    weights = np.full(len(y), 1 / len(y))  # scikit-learn does not keep its weights: its update, written plainly
    for t, (learner, vote) in enumerate(zip(peer.estimators_, peer.estimator_weights_, strict=True)):
        np.testing.assert_allclose(ours.sample_weights_[t], weights, rtol=1e-7)
        wrong = learner.predict(X) != y
        assert weights[wrong].sum() < 1 - 1 / K
        weights = weights * np.exp(vote * wrong)
        weights /= weights.sum()


@pytest.mark.parametrize("emphasis", RULES, ids=repr)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_whole_fits(emphasis, n_classes):
    if n_classes == 2:
        X, y = make_moons(300, noise=0.25, random_state=0)
    else:
        X, y = make_blobs(300, centers=[[0, 0], [3, 0], [1.5, 2.5]], cluster_std=0.8, random_state=0)
    prior = np.where(np.arange(300) < 200, 1.0, 0.0)  # the others are absent
    model = RealAdaBoostClassifier(TREE, emphasis, n_estimators=30, keep_weights=True, random_state=0)
    model.fit(X, y, prior)
    assert len(model.estimators_) == 30
    assert (model.sample_weights_[:, 200:] == 0).all()
    np.testing.assert_allclose(model.sample_weights_.sum(axis=1), 1)
    np.testing.assert_allclose(model.sample_weights_[0, :200], 1 / 200)
    assert np.unique(model.sample_weights_[-1, :200]).size > 5
    assert model.score(X[200:], y[200:]) > 0.85


@pytest.mark.parametrize("emphasis", [Logistic(), Mada(), Savage(), Tangent(), Focal()], ids=repr)
def test_weights_in_a_fit_are_those_of_the_margins(emphasis):
    X, y = load_iris(return_X_y=True)
    plain = PLAIN[next(one for one in PLAIN if repr(one) == repr(emphasis))]
    stages = grow(X, y, np.arange(3), learner=TREE, emphasis=emphasis, rng=np.random.default_rng(0))
    before, after = next(stages), next(stages)
    expected = plain(before.ensemble_margin)
    np.testing.assert_allclose(after.weights, expected / expected.sum(), rtol=1e-10)
