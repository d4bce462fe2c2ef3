"""Emphases with votes of their own: Brown, Robust, SoftMargin, CostSensitive; exact identities, then slow twins."""

import itertools

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.special import erf
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris, make_blobs, make_moons
from sklearn.tree import DecisionTreeClassifier

from emphatic import RBFNetworkClassifier, RealAdaBoostClassifier
from emphatic.boosting.growth import grow
from emphatic.emphasis import Brown, CostSensitive, Exponential, Robust, SoftMargin
from emphatic.emphasis.cost_sensitive import POLICIES
from emphatic.margins import cap_distribution, margins
from emphatic.potential import Situation, find_step
from emphatic.votes import LineSearch

X, Y = make_moons(200, noise=0.3, random_state=0)
STUMP = DecisionTreeClassifier(max_depth=1)
TREE = DecisionTreeClassifier(max_depth=3)


class Labels(ClassifierMixin, BaseEstimator):
    """A stump that answers with labels only, so that margins are +-1."""

    def fit(self, X, y, sample_weight=None):
        self.stump_ = DecisionTreeClassifier(max_depth=1, random_state=0).fit(X, y, sample_weight)
        self.classes_ = self.stump_.classes_
        return self

    def predict(self, X):
        return self.stump_.predict(X)


def fitted(emphasis, learner=STUMP, X=X, y=Y, **parameters):
    model = RealAdaBoostClassifier(
        learner, emphasis, **{"n_estimators": 20, "keep_weights": True, "random_state": 0, **parameters}
    )
    return model.fit(X, y)


def stages(emphasis, learner=TREE, rounds=15, y=Y):
    found = grow(X, y, np.unique(y), learner=learner, emphasis=emphasis, rng=np.random.default_rng(0))
    return list(itertools.islice(found, rounds))


# Brown and Robust: the clock


def potential(x):
    return (1 - erf(x)).mean()


def test_each_step_of_brown_keeps_the_potential_and_uses_up_the_edge():
    c = 2.0
    remaining, former = c, np.zeros(len(Y))
    for stage in stages(Brown(c)):
        margin = stage.ensemble_margin
        # the time left is what keeps the potential: found here by bisection
        low, high = 0.0, remaining
        for _ in range(100):
            middle = (low + high) / 2
            if potential((margin + middle) / np.sqrt(c)) > potential((former + remaining) / np.sqrt(c)):
                low = middle
            else:
                high = middle
        if high > 1e-9:  # the last step ends with the time, not with the edge
            weights = np.exp(-((margin + high) ** 2) / c)
            assert abs(weights @ stage.margin) / weights.sum() < 1e-6
        remaining, former = high, margin


def test_brown_weights_are_its_formula():
    c = 2.0
    growth_stages = stages(Brown(c), STUMP, rounds=6)
    for before, after in itertools.pairwise(growth_stages):
        weights, margin = after.weights, before.ensemble_margin
        # (m + s)^2 / c up to a constant: the slope of ln w + m^2 / c over m is -2 s / c, the same for all samples
        curve = np.log(weights) + margin**2 / c
        slope = np.polyfit(margin, curve, 1)[0]
        assert 0 < -slope * c / 2 < c
        np.testing.assert_allclose(curve - curve.mean(), slope * (margin - margin.mean()), atol=1e-9)


def test_brown_with_much_time_is_the_exponential_emphasis_with_half_of_its_votes():
    exponential = fitted(Exponential(), Labels(), n_estimators=10)
    for c, tolerance in ((1e4, 1e-2), (1e6, 1e-4)):
        brown = fitted(Brown(c), Labels(), n_estimators=10)
        np.testing.assert_allclose(2 * brown.alphas_, exponential.alphas_, rtol=tolerance)
        np.testing.assert_allclose(brown.sample_weights_, exponential.sample_weights_, rtol=tolerance)


def test_brown_with_much_time_and_soft_outputs_is_the_line_search():
    brown, exact = fitted(Brown(1e6), n_estimators=5), fitted(Exponential(), vote=LineSearch(), n_estimators=5)
    np.testing.assert_allclose(2 * brown.alphas_, exact.alphas_, rtol=1e-3)


@pytest.mark.parametrize(("c", "share"), [(0.5, 1 - erf(np.sqrt(0.5))), (1.0, 1 - erf(1.0))])
def test_brown_gives_up_the_share_of_samples_that_its_time_says(c, share):
    flipped = np.where(np.random.default_rng(0).random(len(Y)) < 0.15, 1 - Y, Y)
    last = stages(Brown(c), rounds=500, y=flipped)[-1]
    # at the end the potential of the beginning is the mean of 1 - erf(m / sqrt c)
    assert potential(last.ensemble_margin / np.sqrt(c)) == pytest.approx(share, rel=1e-6)


def test_robust_ends_at_the_share_of_errors_that_was_asked_for():
    for errors in (0.05, 0.1, 0.2):
        last = stages(Robust(errors), rounds=500)[-1]
        found = (1 - erf(np.exp(-1.0) * last.ensemble_margin / 0.1)).mean() / 2  # mu = 0 and sigma = spread at the end
        assert found == pytest.approx(errors, rel=1e-6)


def test_robust_reaches_its_goal_for_the_margins():
    last = stages(Robust(0.1, goal=0.3), rounds=500)[-1]
    assert (np.exp(-1.0) * last.ensemble_margin > 0.3 - 0.1).mean() > 0.85


@pytest.mark.parametrize("emphasis", [Brown(0.5), Robust(0.3)])
def test_growth_ends_with_the_time(emphasis):
    model = fitted(emphasis, TREE, n_estimators=200)
    assert model.stop_reason_ == "vote" and len(model.estimators_) < 200


@pytest.mark.parametrize("emphasis", [Brown(), Robust(), SoftMargin(), CostSensitive()], ids=repr)
def test_a_perfect_learner_has_a_finite_vote(emphasis):
    model = fitted(emphasis, DecisionTreeClassifier(), X, Y)
    assert np.isfinite(model.alphas_).all() and model.score(X, Y) == 1.0


@pytest.mark.parametrize("start", [0.0, -0.4], ids=["time from 0", "time to 0"])
def test_a_step_is_found_where_the_edge_grows_with_the_vote_at_first(start):
    rng = np.random.default_rng(3)
    line = lambda t: (1.0, 0.4 + start - t)  # noqa: E731
    for _ in range(200):
        margin, change = rng.normal(0, 1.5, 40), rng.uniform(-1, 1, 40)
        prior = np.full(40, 1 / 40)
        vote, at = find_step(line, margin, change, prior, start, start + 0.4)
        time = at - start
        x, moved = margin + 0.4, margin + vote * change + 0.4 - time
        if (np.exp(-(x**2)) @ change) <= 0:
            assert vote == 0.0
            continue
        assert vote > 0 and 0 <= time <= 0.4 + 1e-12
        assert potential(moved) == pytest.approx(potential(x), abs=1e-9)
        weights = np.exp(-(moved**2))
        assert weights @ change / weights.sum() > -1e-7  # 0, or the time was up before


# SoftMargin: the game


def best_soft_margin(columns, nu):
    """nu-LPBoost's linear program over given learners: the largest mean of the nu n smallest margins."""
    n, k = columns.shape
    cost = np.r_[np.zeros(k), -1.0, np.full(n, 1 / (nu * n))]  # votes, rho, slacks
    rows = np.c_[-columns, np.ones(n), -np.eye(n)]
    found = linprog(
        cost,
        rows,
        np.zeros(n),
        np.r_[np.ones(k), 0.0, np.zeros(n)][None],
        [1.0],
        bounds=[(0, None)] * k + [(None, None)] + [(0, None)] * n,
    )
    return -found.fun


@pytest.mark.parametrize("nu", [0.1, 0.3])
@pytest.mark.parametrize("learner", [STUMP, TREE])
def test_the_votes_reach_the_largest_soft_margin_of_their_learners(nu, learner):
    model = fitted(SoftMargin(nu, accuracy=0.01), learner)
    columns = np.column_stack([margins(2 * one.predict_proba(X)[:, 1] - 1, Y) for one in model.estimators_])
    worst = np.sort(columns @ model.alphas_)[: round(nu * len(Y))]
    best = best_soft_margin(columns, nu)
    assert best - 0.01 <= worst.mean() <= best + 1e-9


def test_no_weight_is_above_the_cap_and_no_former_learner_has_an_edge_above_the_new_one():
    nu = 0.25
    model = fitted(SoftMargin(nu), TREE)
    assert model.sample_weights_.max() <= 1 / (nu * len(Y)) * (1 + 1e-9)
    columns = np.column_stack([margins(2 * one.predict_proba(X)[:, 1] - 1, Y) for one in model.estimators_])
    edges = model.sample_weights_ @ columns
    for t in range(1, len(edges)):
        assert edges[t, t] > edges[t, :t].max()


def test_soft_margin_without_room_is_one_learner_under_equal_weights():
    model = fitted(SoftMargin(1.0))
    np.testing.assert_allclose(model.alphas_, [1.0])


def test_staged_scores_use_the_last_votes_and_sample_weights_count():
    weights = np.where(Y == 1, 3.0, 1.0)
    model = RealAdaBoostClassifier(STUMP, SoftMargin(0.3), n_estimators=10, random_state=0).fit(X, Y, weights)
    np.testing.assert_allclose(list(model.staged_decision_function(X))[-1], model.decision_function(X))
    repeated = np.repeat(np.arange(len(Y)), weights.astype(int))
    twin = RealAdaBoostClassifier(STUMP, SoftMargin(0.3), n_estimators=10, random_state=0).fit(X[repeated], Y[repeated])
    np.testing.assert_allclose(model.decision_function(X), twin.decision_function(X), atol=1e-5)


def test_capping_is_the_projection_found_by_bisection():
    rng = np.random.default_rng(0)
    for _ in range(50):
        weights, caps = rng.dirichlet(np.full(12, 0.3)), rng.uniform(0.09, 0.3, 12)
        low, high = 0.0, 1e12
        for _ in range(300):
            middle = np.sqrt(low * high) if low > 0 else high / 2
            low, high = (middle, high) if np.minimum(caps, middle * weights).sum() < 1 else (low, middle)
        np.testing.assert_allclose(cap_distribution(weights, caps), np.minimum(caps, high * weights), atol=1e-9)


@pytest.mark.parametrize("emphasis", [Brown(2.0), Robust(0.1, 0.2, 0.3)], ids=repr)
def test_the_derivatives_that_a_vote_is_found_with_are_those_of_its_conditions(emphasis):
    emphasis.start(X, Y)
    rng = np.random.default_rng(0)
    margin, change, prior = rng.normal(size=50), rng.uniform(-1, 1, 50), rng.dirichlet(np.ones(50))
    look = Situation(emphasis._line, margin, change, prior, end=1.0, before=-0.7).look
    vote, time, h = 0.4, 0.3, 1e-4
    at = look(vote, time)
    by_vote = np.subtract(look(vote + h, time)[:2], look(vote - h, time)[:2]) / (2 * h)
    by_time = np.subtract(look(vote, time + h)[:2], look(vote, time - h)[:2]) / (2 * h)
    np.testing.assert_allclose([at.edge_by_vote, at.growth_by_vote], by_vote, rtol=1e-5)
    np.testing.assert_allclose([at.edge_by_time, at.growth_by_time], by_time, rtol=1e-5)


def test_samples_without_weight_share_what_the_others_leave_in_proportion_to_their_caps():
    found = cap_distribution(np.array([1.0, 0.0, 0.0, 0.0]), np.array([0.4, 0.6, 0.3, 0.0]))
    np.testing.assert_allclose(found, [0.4, 0.4, 0.2, 0.0])
    np.testing.assert_allclose(cap_distribution(np.array([0.9, 0.1, 0.0]), np.array([0.6, 0.4, 0.0])), [0.6, 0.4, 0.0])


# CostSensitive: the six rules, written out


def plain(policy, costs, rounds, X, y, n_rounds):
    """Weights and votes as the sources print them, for labels +-1."""
    d = 2 * y - 1
    C = (np.asarray(costs) / max(costs))[y]
    D = np.full(len(y), 1 / len(y))
    if policy in ("adacost", "csb2"):
        D = C / C.sum()
    if policy == "asymmetric":
        D = C ** (1 / rounds) / (C ** (1 / rounds)).sum()
    alphas, every = [], []
    for _ in range(n_rounds):
        h = 2 * Labels().fit(X, y, sample_weight=D * len(y)).predict(X) - 1
        right, wrong = h == d, h != d
        every.append(D)
        if policy == "adacost":
            beta = np.where(right, 0.5 - 0.5 * C, 0.5 + 0.5 * C)
            r = (D * h * d * beta).sum()
            alpha, D = 0.5 * np.log((1 + r) / (1 - r)), D * np.exp(-0.5 * np.log((1 + r) / (1 - r)) * h * d * beta)
        elif policy == "adac1":
            r = (C * D)[right].sum() - (C * D)[wrong].sum()
            alpha = 0.5 * np.log((1 + r) / (1 - r))
            D = D * np.exp(-alpha * C * h * d)
        elif policy == "adac2":
            alpha = 0.5 * np.log((C * D)[right].sum() / (C * D)[wrong].sum())
            D = C * D * np.exp(-alpha * h * d)
        elif policy == "adac3":
            difference = (C**2 * D)[right].sum() - (C**2 * D)[wrong].sum()
            alpha = 0.5 * np.log(((C * D).sum() + difference) / ((C * D).sum() - difference))
            D = C * D * np.exp(-alpha * C * h * d)
        elif policy == "csb2":
            r = (D * h * d).sum()
            alpha = 0.5 * np.log((1 + r) / (1 - r))
            D = np.where(right, 1, C / C.min()) * D * np.exp(-alpha * h * d)
        else:
            r = (D * h * d).sum()
            alpha = 0.5 * np.log((1 + r) / (1 - r))
            D = D * np.exp(-alpha * h * d) * C ** (1 / rounds)
        D = D / D.sum()
        alphas.append(alpha)
    return np.array(alphas), np.array(every)


@pytest.mark.parametrize("policy", POLICIES)
def test_each_policy_is_what_its_source_prints(policy):
    costs = (1.0, 5.0 if policy == "adacost" else 1.3)  # with nearly equal costs AdaCost gives no votes
    rows, y = make_blobs([150, 15], cluster_std=3.0, random_state=0)
    model = fitted(CostSensitive(policy, costs, rounds=8), Labels(), rows, y, n_estimators=4)
    alphas, weights = plain(policy, costs, 8, rows, y, len(model.alphas_))
    assert len(alphas) >= 2
    np.testing.assert_allclose(model.alphas_, alphas, rtol=1e-9)
    np.testing.assert_allclose(model.sample_weights_, weights, rtol=1e-9)


@pytest.mark.parametrize("policy", [policy for policy in POLICIES if policy != "adacost"])
def test_equal_costs_are_adaboost(policy):
    cost_sensitive = fitted(CostSensitive(policy, (2.0, 2.0)), Labels())
    adaboost = fitted(Exponential(), Labels())
    np.testing.assert_allclose(cost_sensitive.alphas_, adaboost.alphas_, rtol=1e-9)
    np.testing.assert_allclose(cost_sensitive.sample_weights_, adaboost.sample_weights_, rtol=1e-9)


def test_costs_are_those_of_the_class_sizes_unless_given():
    many, y = make_blobs([90, 30], cluster_std=3.0, random_state=0)
    given = fitted(CostSensitive("asymmetric", (1, 3)), X=many, y=y)
    np.testing.assert_allclose(fitted(CostSensitive(), X=many, y=y).alphas_, given.alphas_)


@pytest.mark.parametrize("emphasis", [CostSensitive(costs=(1, 2, 3)), SoftMargin()], ids=repr)
def test_three_classes(emphasis):
    flowers, y = load_iris(return_X_y=True)
    assert fitted(emphasis, TREE, flowers, y).score(flowers, y) > 0.9


# what they refuse


@pytest.mark.parametrize(
    ("emphasis", "message"),
    [
        (Brown(0.0), r"c=0.0 is not allowed"),
        (Robust(errors=1.0), "errors=1.0 is not allowed"),
        (Robust(errors=0.7), "choose fewer errors"),
        (Robust(spread=0.0), "spread=0.0 is not allowed"),
        (SoftMargin(nu=0.001), r"nu=0.001 is not allowed for 200 samples.*at least 1/n = 0.005"),
        (Robust(spread=1e300), "spread=1e\\+300 is not allowed"),
        (SoftMargin(nu=1.5), "nu=1.5 is not allowed"),
        (SoftMargin(accuracy=5e-324), "accuracy=5e-324 is not allowed"),
        (CostSensitive(costs=(1, -1)), r"costs\[1\]=-1 is not allowed"),
        (CostSensitive(costs=(1, float("nan"))), r"costs\[1\]=nan is not allowed"),
        (CostSensitive(costs=(1, 2, 3)), "costs has 3 numbers, but y has 2 classes"),
        (CostSensitive("unheard"), "policy='unheard' is not allowed"),
    ],
)
def test_bad_parameters_are_named(emphasis, message):
    with pytest.raises(ValueError, match=message):
        fitted(emphasis)


@pytest.mark.parametrize("emphasis", [Brown(), Robust(), SoftMargin(), CostSensitive()], ids=repr)
def test_no_other_vote_and_no_design_will_do(emphasis):
    with pytest.raises(ValueError, match="has a vote of its own"):
        fitted(emphasis, vote="bound")
    with pytest.raises(ValueError, match="its weights need votes of its own"):
        fitted(Exponential(), RBFNetworkClassifier(), design_emphasis=emphasis)
    with pytest.raises(ValueError, match=r"vote must be one of 'auto'.* or a vote of emphatic.votes"):
        fitted(Exponential(), vote=emphasis)


@pytest.mark.parametrize("emphasis", [Brown(), Robust()], ids=repr)
def test_the_clock_is_for_two_classes(emphasis):
    with pytest.raises(ValueError, match="Only binary classification is supported"):
        fitted(emphasis, X=X, y=np.arange(200) % 3)
