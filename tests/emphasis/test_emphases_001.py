"""The emphases of paper 001 and those it cites: identities 6, 9 and 10 of ALGORITHMS.md section 7, and candidates."""

from itertools import islice

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from sklearn.base import clone
from sklearn.datasets import load_iris, make_moons
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

from emphatic import RBFNetworkClassifier, RealAdaBoostClassifier
from emphatic.base import Emphasis, MarginLearner
from emphatic.boosting.growth import grow
from emphatic.emphasis import Capped, Controlled, DynamicMixed, Exponential, Mixed, Neighbour, Uniform
from emphatic.emphasis.controlled import controlled_weights
from emphatic.emphasis.neighbour import nearest, standardise_columns
from tests.boosting.test_growth import Crisp
from tests.emphasis.test_emphases import random_stage, stage_of, updated

RANDOM_STUMP = DecisionTreeClassifier(max_depth=1, splitter="random")
RANDOM_TREE = DecisionTreeClassifier(max_depth=2, splitter="random")
unit = st.floats(0, 1)
bounded = npst.arrays(float, st.integers(2, 30), elements=st.floats(-1, 1))


def moons(n=120):
    X, y = make_moons(n, noise=0.3, random_state=0)
    return X, y, np.array([0, 1])


def iris():
    X, y = load_iris(return_X_y=True)
    return X[:, :2], y, np.array([0, 1, 2])


def stages_of(emphasis, n=6, problem=None, learner=RANDOM_STUMP, seed=0, **options):
    X, y, classes = moons() if problem is None else problem
    stages = grow(X, y, classes, learner=learner, emphasis=emphasis, rng=np.random.default_rng(seed), **options)
    return list(islice(stages, n))


def assert_same_growth(first, second, rtol=0.0):
    """Ensembles grown alike, to the bit unless `rtol` says otherwise."""
    for one, other in zip(first, second, strict=True):
        np.testing.assert_allclose(one.weights, other.weights, rtol=rtol)
        np.testing.assert_allclose(one.alpha, other.alpha, rtol=rtol)
        np.testing.assert_allclose(one.score, other.score, rtol=rtol)


# controlled


@given(q=bounded, alpha=unit, beta=unit)
def test_controlled_weights_are_between_alpha_and_one(q, alpha, beta):
    weights = controlled_weights(q, alpha, beta)
    assert weights.min() >= alpha - 1e-12 and weights.max() <= 1 + 1e-12


@pytest.mark.parametrize("f_scale", ["sum", "tanh", "clip"])
@given(score=npst.arrays(float, 12, elements=st.floats(-50, 50)), alpha=st.floats(0.01, 1), beta=unit)
def test_no_sample_outweighs_another_by_more_than_one_over_alpha(f_scale, score, alpha, beta):
    weights = Controlled(alpha, beta, f_scale).update(random_stage(score))
    assert weights.max() <= weights.min() / alpha * (1 + 1e-9)


@given(alpha=st.floats(0, 0.99), beta=st.floats(2 / 3, 1))
def test_from_two_thirds_on_the_more_wrong_weighs_more(alpha, beta):
    weights = controlled_weights(np.linspace(-1, 1, 201), alpha, beta)
    assert (np.diff(weights) <= 1e-15).all() and weights[0] > weights[-1]


@given(beta=st.floats(0, 0.66))
def test_below_two_thirds_a_slightly_wrong_sample_weighs_most(beta):
    peak = -beta / (4 - 5 * beta)
    q = np.append(np.linspace(-1, 1, 201), peak)
    assert controlled_weights(q, 0.0, beta).max() == pytest.approx(controlled_weights(q, 0.0, beta)[-1], abs=1e-15)
    assert (
        controlled_weights(np.array([peak - 0.01, peak + 0.01]), 0.0, beta) < controlled_weights(q, 0.0, beta)[-1]
    ).all()


@given(score=npst.arrays(float, 15, elements=st.floats(-50, 50)), beta=unit)
def test_controlled_with_alpha_one_is_uniform(score, beta):
    stage = random_stage(score)
    np.testing.assert_array_equal(Controlled(1.0, beta).update(stage), Uniform().update(stage))


def test_controlled_with_alpha_one_grows_the_ensemble_of_uniform():
    assert_same_growth(stages_of(Controlled(alpha=1.0)), stages_of(Uniform()))


def test_ara_weighs_by_the_squared_error():
    f, y = np.array([-3.0, -0.5, 0.2, 4.0]), np.array([1, 0, 1, 0])
    o, d = f / 5.0, np.array([1, -1, 1, -1])
    expected = (o - d) ** 2 / ((o - d) ** 2).sum()
    np.testing.assert_allclose(Controlled(alpha=0, beta=1).update(stage_of(f, y, 5.0)), expected, rtol=1e-14)


@pytest.mark.parametrize(
    ("f_scale", "scaled"), [("sum", lambda f: f / 5.0), ("tanh", np.tanh), ("clip", lambda f: np.clip(f, -1, 1))]
)
def test_controlled_is_equation_1(f_scale, scaled):
    f, y = np.array([-3.0, -0.5, 0.2, 4.0]), np.array([1, 0, 1, 0])
    o, d = scaled(f), np.array([1, -1, 1, -1])
    p = 0.2 + 0.8 * (0.7 * (o - d) ** 2 / 4 + 0.3 * (1 - o**2))
    weights = Controlled(0.2, 0.7, f_scale).update(stage_of(f, y, 5.0))
    np.testing.assert_allclose(weights, p / p.sum(), rtol=1e-14)


def test_weights_that_vanish_together_become_uniform_with_a_warning():
    stage = stage_of(np.array([-1.0, 1.0, 1.0]), np.array([1, 1, 0]), total_alpha=1.0)
    with pytest.warns(UserWarning, match="uniform weights are used"):
        weights = Controlled(alpha=0, beta=0).update(stage)
    np.testing.assert_array_equal(weights, np.full(3, 1 / 3))


def test_a_score_beyond_the_sum_of_the_votes_makes_no_negative_weight():
    weights = Controlled(0, 0).update(stage_of(np.array([-3.0, 0.0, 3.0]), np.array([1, 1, 1]), total_alpha=1.0))
    np.testing.assert_array_equal(weights, [0, 1, 0])


def test_the_votes_of_controlled_come_from_its_own_weights():
    for stage in stages_of(Controlled(0.1, 0.8)):
        assert stage.edge == pytest.approx(stage.training_weights @ stage.margin, rel=1e-14)


# two classes as two columns


@pytest.mark.parametrize("emphasis", [Controlled(), Controlled(0, 1, "tanh"), Mixed(0.3), Mixed(0.8, "sum")], ids=repr)
@given(score=npst.arrays(float, 12, elements=st.floats(-20, 20)))
def test_two_columns_say_what_one_score_says(emphasis, score):
    stage = random_stage(score)
    columns = stage_of(np.column_stack([-score, score]), stage.y, stage.total_alpha)
    np.testing.assert_array_equal(emphasis.update(columns), emphasis.update(stage))


@pytest.mark.parametrize("emphasis", [Controlled(), Mixed(0.3), Mixed(0.8), DynamicMixed()], ids=repr)
def test_the_growth_of_k_classes_is_that_of_two_where_there_are_two(emphasis):
    """A third class of which there is no sample makes `grow` score in columns."""
    X, y, classes = moons()
    learner = Crisp(max_depth=2, splitter="random")
    two = stages_of(emphasis, 8, (X, y, classes), learner)
    three = stages_of(emphasis, 8, (X, y, np.array([0, 1, 2])), learner)
    assert two[-1].score.ndim == 1 and three[-1].score.shape == (len(y), 3)
    for one, other in zip(two, three, strict=True):
        assert one.alpha == other.alpha and one.candidate == other.candidate
        np.testing.assert_array_equal(one.training_weights, other.training_weights)
        np.testing.assert_array_equal(one.score, other.score[:, 1])


# neighbours


def neighbours_by_hand(X, k, groups):
    """Row by row: the k nearest others of the same group, the first of equal ones."""
    spread = X.std(axis=0)
    Z = (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1)
    found = []
    for i in range(len(Z)):
        others = [j for j in range(len(Z)) if j != i and groups[j] == groups[i]]
        others.sort(key=lambda j: (np.sqrt(((Z[i] - Z[j]) ** 2).sum()), j))
        found.append(others[:k])
    return found


@pytest.mark.parametrize("same_class", [False, True])
@pytest.mark.parametrize("k", [1, 4, 9])
def test_neighbour_adds_the_mean_of_the_neighbours(same_class, k):
    rng = np.random.default_rng(k)
    X, y = rng.normal(size=(40, 3)) * [1, 100, 0] + 7, np.arange(40) % 3
    stage = stage_of(rng.normal(size=(40, 3)), y, X=X)
    D = Mixed(0.3).update(stage)
    found = neighbours_by_hand(X, k, y if same_class else np.zeros(40))
    expected = np.array([0.7 * D[i] + 0.3 * np.mean([D[j] for j in found[i]]) for i in range(40)])
    weights = updated(Neighbour(Mixed(0.3), k, 0.3, same_class), stage)
    np.testing.assert_allclose(weights, expected / expected.sum(), rtol=1e-12)


@given(
    X=npst.arrays(float, st.tuples(st.integers(3, 25), st.just(2)), elements=st.integers(0, 3)), k=st.integers(1, 24)
)
def test_of_equally_near_samples_the_first_are_taken(X, k):
    Z, k = standardise_columns(X), min(k, len(X) - 1)
    for row, found in enumerate(nearest(Z, k)):
        squares = ((Z - Z[row]) ** 2).sum(axis=1)
        squares[row] = np.inf
        assert sorted(found) == sorted(np.argsort(squares, kind="stable")[:k])


@pytest.mark.parametrize(
    "base", [Uniform(), Exponential(), Mixed(0.8), Controlled(), DynamicMixed((0.2, 0.7))], ids=repr
)
def test_neighbours_without_a_share_change_nothing(base):
    stage = random_stage(np.random.default_rng(0).normal(size=30))
    np.testing.assert_allclose(updated(Neighbour(base, share=0.0), stage), updated(base, stage), rtol=1e-14)
    assert_same_growth(stages_of(Neighbour(base, share=0.0)), stages_of(base), rtol=1e-9)


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_neighbour_of_uniform_is_uniform(share):
    for stage in stages_of(Neighbour(Uniform(), share=share), 3):
        np.testing.assert_allclose(stage.weights, 1 / len(stage.y), rtol=1e-14)


def test_a_lonely_error_loses_weight_and_errors_among_errors_keep_it():
    X = np.r_[np.arange(6.0), 100 + np.arange(6.0)][:, None]
    right = np.ones(12)
    right[3] = -1
    right[6:] = -1
    stage = stage_of(right, np.ones(12, dtype=int), X=X)
    before, after = Exponential().update(stage), updated(Neighbour(Exponential(), 2), stage)
    assert after[3] / before[3] < 0.7 < after[8] / before[8]


def test_five_neighbours_do_not_depend_on_the_order_of_the_samples():
    stage = random_stage(np.random.default_rng(0).normal(size=50))
    order = np.random.default_rng(1).permutation(50)
    shuffled = stage_of(stage.score[order], stage.y[order], stage.total_alpha, stage.X[order])
    for same_class in (False, True):
        emphasis = Neighbour(Mixed(0.3), same_class=same_class)
        np.testing.assert_allclose(updated(emphasis, shuffled), updated(emphasis, stage)[order], rtol=1e-12)


@pytest.mark.parametrize("factor", [1e-300, 1e-20, 1e90, 1e300])
def test_the_unit_of_a_column_does_not_matter(factor):
    stage = random_stage(np.random.default_rng(0).normal(size=50))
    scaled = stage_of(stage.score, stage.y, stage.total_alpha, stage.X * [1.0, factor])
    np.testing.assert_allclose(updated(Neighbour(Mixed()), scaled), updated(Neighbour(Mixed()), stage), rtol=1e-12)


class Doubling(Emphasis):
    """Doubles the weight of the first sample every round, starting from what it said last."""

    learner_type = MarginLearner
    vote = "bound"

    def update(self, stage):
        weights = stage.weights.copy()
        weights[0] *= 2
        return weights / weights.sum()


def test_a_wrapper_passes_on_what_the_base_says_and_shows_it_only_its_own_weights():
    emphasis = Neighbour(Doubling(), n_neighbors=2)
    assert emphasis.vote == "bound" and emphasis.learner_type is MarginLearner
    assert Neighbour(Controlled()).vote == "emphasis" and Capped(Neighbour(Mixed())).vote == "bound"
    stage = random_stage(np.zeros(10))
    alone, wrapped = Doubling(), clone(emphasis)
    weights, smoothed = alone.start(stage.X, stage.y), wrapped.start(stage.X, stage.y)
    for _ in range(3):
        weights = alone.update(stage_with(stage, weights))
        smoothed = wrapped.update(stage_with(stage, smoothed))
    means = weights[wrapped.neighbours_].mean(axis=1)
    np.testing.assert_allclose(smoothed, (weights + means) / (weights + means).sum(), rtol=1e-14)


def stage_with(stage, weights):
    return type(stage)(**{**vars(stage), "weights": weights})


def test_neighbours_of_a_table_for_a_foreign_learner():
    X, y, _ = moons()
    table = pd.DataFrame(X, columns=["east", "north"]).assign(whole=np.arange(len(y)) % 4)
    model = RealAdaBoostClassifier(RANDOM_STUMP, Neighbour(Mixed(0.3)), 5, random_state=0)
    of_array = clone(model).fit(table.to_numpy(), y)
    np.testing.assert_array_equal(
        model.fit(table, y).decision_function(table), of_array.decision_function(table.to_numpy())
    )


def test_grid_search_reaches_the_base():
    X, y, _ = moons()
    model = RealAdaBoostClassifier(RBFNetworkClassifier(), Neighbour(Mixed()), 5, random_state=0)
    grid = {"emphasis__base__lam": [0.0, 0.9], "emphasis__share": [0.2, 0.8]}
    search = GridSearchCV(model, grid, cv=2, scoring="neg_log_loss").fit(X, y)
    assert len(set(search.cv_results_["mean_test_score"])) == 4
    assert not hasattr(model.emphasis, "neighbours_")


# candidates


@pytest.mark.parametrize("lam", [0.0, 0.3, 0.5, 1.0])
@pytest.mark.parametrize("f_scale", ["raw", "sum", "tanh", "clip"])
def test_a_grid_of_one_lambda_is_mixed(lam, f_scale):
    for problem in (moons(), iris()):
        dynamic = stages_of(DynamicMixed([lam], f_scale), problem=problem)
        assert_same_growth(dynamic, stages_of(Mixed(lam, f_scale), problem=problem))


class Scheduled(Emphasis):
    """Mixed, with the lambda of each round given beforehand (the first round is uniform)."""

    def __init__(self, lams, f_scale):
        self.lams, self.f_scale = lams, f_scale

    def start(self, X, y):
        self.rounds_ = 0
        return super().start(X, y)

    def update(self, stage):
        self.rounds_ += 1
        return Mixed(self.lams[self.rounds_ - 1], self.f_scale).update(stage)


@pytest.mark.parametrize(("vote", "f_scale"), [("bound", "raw"), ("bound", "tanh"), ("emphasis", "sum")])
@pytest.mark.parametrize("problem", [moons, iris])
def test_the_edge_of_each_round_is_the_largest_over_the_grid(vote, f_scale, problem):
    grid, rounds = (0.0, 0.3, 0.6, 1.0), 4
    options = {"vote": vote, "patience": 0, "negative": "flip"}  # no redraw: every round is one attempt
    stages = stages_of(DynamicMixed(grid, f_scale), rounds, problem(), RANDOM_TREE, **options)
    path = [grid[stage.candidate] for stage in stages[1:]]
    for number in range(1, rounds):
        tried = []
        for lam in grid:
            schedule = Scheduled([*path[: number - 1], lam], f_scale)
            tried.append(stages_of(schedule, number + 1, problem(), RANDOM_TREE, **options)[number])
        edges = [stage.edge for stage in tried]
        assert stages[number].edge == max(edges)
        assert stages[number].candidate == int(np.argmax(edges))
        np.testing.assert_array_equal(stages[number].weights, tried[stages[number].candidate].weights)
        np.testing.assert_array_equal(stages[number].output, tried[stages[number].candidate].output)


def test_the_candidates_of_every_round_are_recorded():
    X, y, _ = moons()
    model = RealAdaBoostClassifier(RANDOM_STUMP, Neighbour(DynamicMixed()), 8, keep_weights=True, random_state=0).fit(
        X, y
    )
    assert model.candidates_.shape == model.alphas_.shape == (8,)
    assert model.candidates_[0] == 0 and set(model.candidates_) <= set(range(11)) and len(set(model.candidates_)) > 1
    np.testing.assert_allclose(model.sample_weights_.sum(axis=1), 1)
    plain = RealAdaBoostClassifier(RANDOM_STUMP, n_estimators=3, random_state=0).fit(X, y)
    np.testing.assert_array_equal(plain.candidates_, np.zeros(3))


def test_a_prior_is_multiplied_into_every_candidate():
    prior = np.random.default_rng(0).dirichlet(np.ones(120))
    for stage in stages_of(DynamicMixed((0.2, 0.7)), prior=prior):
        assert stage.weights.shape == (120,)
        product = stage.weights * prior
        np.testing.assert_allclose(stage.training_weights, product / product.sum(), rtol=1e-14)


EVERY = [Controlled(), Controlled(0, 1), Neighbour(Mixed(0.3)), DynamicMixed(), Neighbour(DynamicMixed())]


@pytest.mark.parametrize("emphasis", EVERY, ids=repr)
@pytest.mark.parametrize("problem", [moons, iris])
def test_they_serve_any_number_of_classes(emphasis, problem):
    X, y, classes = problem()
    model = RealAdaBoostClassifier(RBFNetworkClassifier(), emphasis, n_estimators=8, random_state=0).fit(X, y)
    assert model.score(X, y) > 0.75
    assert model.predict_proba(X).shape == (len(y), len(classes))
    again = clone(model).fit(X, y)
    np.testing.assert_array_equal(again.decision_function(X), model.decision_function(X))
