"""Emphasis by fuzzy entropy (identities 7 and 25): memberships, weights, votes, and what the ensemble keeps."""

from itertools import islice

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_iris, make_blobs
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from emphatic import RBFNetworkClassifier, RealAdaBoostClassifier
from emphatic.base import Stage
from emphatic.boosting.growth import grow
from emphatic.clustering import class_memberships
from emphatic.emphasis import DynamicMixed, FuzzyEntropy, Mixed, Neighbour, Uniform
from emphatic.emphasis.fuzzy_entropy import coordinates, entropy, move_memberships
from emphatic.tables import TableTransformer
from tests.reference import fuzzy_boost as reference

TREE = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2)
every_order = pytest.mark.parametrize("order", ["hard", "easy", "alternate"])
rewards = st.floats(0.001, 0.999)


def memberships_and_labels_of(n, c, seed):
    rng = np.random.default_rng(seed)
    raw = rng.choice([0.0, 1e-300, 1e-9, 0.1, 0.5, 1.0], size=(n, c))
    raw[raw.sum(axis=1) == 0] = 1.0
    return raw / raw.sum(axis=1, keepdims=True), rng.integers(0, c, n), rng.random(n) < 0.5


memberships_and_labels = st.builds(
    memberships_and_labels_of, st.integers(1, 15), st.integers(2, 5), st.integers(0, 2**31)
)
"""Distributions over c classes, some of them one-hot, with labels and with whether the vote is right."""


def stage_of(said, y):
    """A stage of a learner that says these classes, whose weights, score and vote are nobody's business."""
    n, c = len(y), max(2, int(max(said.max(), y.max())) + 1)
    output = np.where(said[:, None] == np.arange(c), 1.0, -1.0)
    output = output[:, 1] if c == 2 else output
    uniform = np.full(n, 1 / n)
    return Stage(None, y, uniform, uniform, None, output, 1.0, 0.5, output, 1.0)


def started(memberships, y, order="hard", **parameters):
    emphasis = FuzzyEntropy(order, memberships=memberships, **parameters)
    emphasis.check_parameters()
    return emphasis, emphasis.start(None, y)


# memberships


@given(drawn=memberships_and_labels, reward=rewards, rounds=st.integers(1, 40))
def test_memberships_stay_distributions(drawn, reward, rounds):
    memberships, y, right = drawn
    for turn in range(rounds):
        memberships = move_memberships(memberships, y, right if turn % 3 else ~right, reward)
        assert (memberships >= 0).all()
        np.testing.assert_allclose(memberships.sum(axis=1), 1, rtol=1e-14)


@given(drawn=memberships_and_labels, reward=rewards)
def test_a_wrong_vote_never_lowers_the_entropy(drawn, reward):
    memberships, y, _ = drawn
    after = move_memberships(memberships, y, np.zeros(len(y), dtype=bool), reward)
    assert (entropy(after) >= entropy(memberships) - 1e-14).all()


@given(drawn=memberships_and_labels)
def test_a_reward_near_0_changes_nothing(drawn):
    memberships, y, right = drawn
    np.testing.assert_allclose(move_memberships(memberships, y, right, 1e-15), memberships, rtol=0, atol=2e-15)


@given(drawn=memberships_and_labels, reward=rewards)
def test_a_right_vote_raises_the_membership_of_the_class_and_lowers_all_others_alike(drawn, reward):
    memberships, y, _ = drawn
    after = move_memberships(memberships, y, np.ones(len(y), dtype=bool), reward)
    own = np.eye(memberships.shape[1], dtype=bool)[y]
    np.testing.assert_allclose(1 - after[own], (1 - reward) * (1 - memberships[own]), atol=1e-15)
    np.testing.assert_allclose(after[~own], (1 - reward) * memberships[~own])


def test_a_right_sample_of_another_cluster_first_gains_entropy():
    memberships, y, right = np.array([[0.9, 0.1]]), np.array([1]), np.array([True])
    course = []
    for _ in range(12):
        course.append(entropy(memberships)[0])
        memberships = move_memberships(memberships, y, right, 0.3)
    peak = int(np.argmax(course))
    assert 0 < peak < 6
    assert (np.diff(course[: peak + 1]) > 0).all() and (np.diff(course[peak:]) < 0).all()


@given(drawn=memberships_and_labels)
def test_the_entropy_is_that_of_the_slides(drawn):
    memberships, _, _ = drawn
    np.testing.assert_allclose(entropy(memberships), [max(reference.info(row), 0) for row in memberships], atol=1e-14)
    c = memberships.shape[1]
    assert (entropy(memberships) <= np.log2(c) + 1e-14).all()
    np.testing.assert_allclose(entropy(np.full((1, c), 1 / c)), np.log2(c))
    np.testing.assert_array_equal(entropy(np.eye(c)), np.zeros(c))


# weights


@every_order
@given(drawn=memberships_and_labels, reward=rewards, rounds=st.integers(0, 30), seed=st.integers(0, 99))
def test_weights_are_a_distribution_after_any_votes(order, drawn, reward, rounds, seed):
    memberships, y, _ = drawn
    rng = np.random.default_rng(seed)
    emphasis, weights = started(memberships, y, order, reward=reward)
    for _ in range(rounds + 1):
        assert np.isfinite(weights).all() and (weights >= 0).all()
        np.testing.assert_allclose(weights.sum(), 1)
        weights = emphasis.update(stage_of(rng.integers(0, memberships.shape[1], len(y)), y))


@every_order
@given(drawn=memberships_and_labels, seed=st.integers(0, 99))
def test_the_order_of_the_samples_does_not_matter(order, drawn, seed):
    memberships, y, _ = drawn
    rng = np.random.default_rng(seed)
    shuffle, said = rng.permutation(len(y)), rng.integers(0, memberships.shape[1], (3, len(y)))
    one, _ = started(memberships, y, order)
    other, _ = started(memberships[shuffle], y[shuffle], order)
    for votes in said:
        weights = one.update(stage_of(votes, y))
        expected = other.update(stage_of(votes[shuffle], y[shuffle]))
        np.testing.assert_allclose(weights[shuffle], expected, rtol=1e-12, atol=1e-300)


@every_order
def test_a_clone_emphasises_alike(order):
    X, y = load_iris(return_X_y=True)
    emphasis = FuzzyEntropy(order)
    np.testing.assert_array_equal(clone(emphasis).start(X, y), emphasis.start(X, y))


def test_the_first_weights_are_in_proportion_to_the_entropy_or_to_its_reciprocal():
    memberships, y = np.array([[0.5, 0.5], [0.9, 0.1], [0.99, 0.01]]), np.array([0, 1, 0])
    info = entropy(memberships)
    np.testing.assert_allclose(started(memberships, y, "hard")[1], info / info.sum())
    np.testing.assert_allclose(started(memberships, y, "easy")[1], (1 / info) / (1 / info).sum())


def test_a_right_sample_of_the_easy_order_weighs_z_exp_minus_z():
    memberships, y = np.array([[0.5, 0.5], [0.9, 0.1], [0.8, 0.2]]), np.array([0, 1, 0])
    emphasis, _ = started(memberships, y, "easy")
    weights = emphasis.update(stage_of(np.array([0, 0, 0]), y))  # right, wrong, right
    z = 1 / entropy(emphasis.memberships_)
    expected = np.where([True, False, True], z * np.exp(-z), z)
    np.testing.assert_allclose(weights, expected / expected.sum())


def test_an_entropy_of_0_counts_as_a_thousandth_of_the_largest():
    memberships, y = np.array([[1.0, 0.0, 0.0], [1 / 3, 1 / 3, 1 / 3]]), np.array([0, 1])
    np.testing.assert_allclose(started(memberships, y, "hard")[1], np.array([0.001, 1]) / 1.001)
    np.testing.assert_allclose(started(memberships, y, "easy")[1], np.array([1000, 1]) / 1001)
    assert (entropy(memberships) == [0, np.log2(3)]).all()


@every_order
def test_equal_memberships_make_uniform_weights(order):
    np.testing.assert_allclose(started(np.full((5, 3), 1 / 3), np.array([0, 1, 2, 0, 1]), order)[1], 0.2)
    np.testing.assert_allclose(started(np.eye(3), np.array([0, 1, 2]), order)[1], 1 / 3)


# votes


def test_the_majority_is_of_all_learners_so_far_and_ties_go_to_the_first_class():
    memberships, y = np.full((3, 3), 1 / 3), np.array([0, 1, 2])
    emphasis, _ = started(memberships, y)
    course = []
    for said in ([0, 0, 2], [1, 1, 0], [1, 1, 2]):  # majorities: 0 0 2, then a tie each: 0 0 0, then 1 1 2
        emphasis.update(stage_of(np.array(said), y))
        course.append(emphasis.right_[0].tolist())
    assert course == [[True, False, True], [True, False, False], [False, True, True]]


@pytest.mark.parametrize(("learner", "right"), [(TREE, [True, False]), (RBFNetworkClassifier(), [False, True])])
def test_an_undecided_learner_votes_as_it_predicts(learner, right):
    """A tree takes the first of two equally likely classes, our own learners the second."""
    y = np.array([0, 1])
    emphasis, _ = started(np.full((2, 2), 0.5), y)
    uniform = np.full(2, 0.5)
    emphasis.update(Stage(None, y, uniform, uniform, learner, np.zeros(2), 1.0, 0.0, np.zeros(2), 1.0))
    assert emphasis.right_[0].tolist() == right


def test_alternate_moves_after_pairs_and_needs_both_votes_to_be_right():
    memberships, y = np.array([[0.6, 0.4], [0.6, 0.4], [0.6, 0.4]]), np.array([0, 0, 0])
    emphasis, first = started(memberships, y, "alternate", reward=0.5)
    info = entropy(memberships)
    np.testing.assert_allclose(first, info / info.sum())
    second = emphasis.update(stage_of(np.array([0, 0, 1]), y))  # of the hard order
    np.testing.assert_array_equal(emphasis.memberships_, memberships)
    np.testing.assert_allclose(second, (1 / info) / (1 / info).sum())
    emphasis.update(stage_of(np.array([0, 1, 0]), y))  # of the easy order
    np.testing.assert_allclose(emphasis.memberships_, [[0.8, 0.2], [0.55, 0.45], [0.55, 0.45]])
    fourth = emphasis.update(stage_of(np.array([0, 0, 1]), y))
    z = 1 / entropy(emphasis.memberships_)
    expected = np.where([True, False, True], z * np.exp(-z), z)  # right by the easy order's own vote
    np.testing.assert_allclose(fourth, expected / expected.sum())


# in the loop


def test_memberships_come_from_clusters_of_the_scaled_table():
    X, y = load_iris(return_X_y=True)
    expected = class_memberships(TableTransformer(scale="minmax").fit_transform(X), y, 3, m=1.5)
    emphasis = FuzzyEntropy(fuzziness=1.5)
    emphasis.start(1000 * X, y)
    np.testing.assert_allclose(emphasis.memberships_, expected, atol=1e-10)


def test_the_ensemble_keeps_the_entropies_of_every_round():
    X, y = load_iris(return_X_y=True)
    model = RealAdaBoostClassifier(TREE, FuzzyEntropy(), n_estimators=8, keep_weights=True, random_state=0).fit(X, y)
    assert model.entropies_.shape == (8, 150)
    np.testing.assert_allclose(model.entropies_[0], entropy(class_memberships(coordinates(X), y, 3)))
    np.testing.assert_allclose(
        model.sample_weights_, model.entropies_ / model.entropies_.sum(axis=1, keepdims=True), rtol=1e-9
    )
    assert model.score(X, y) > 0.95


def test_samples_of_weight_0_are_nobodys():
    X, y = load_iris(return_X_y=True)
    weight = np.ones(150)
    weight[::7] = 0
    model = RealAdaBoostClassifier(TREE, FuzzyEntropy(), n_estimators=3, random_state=0).fit(X, y, weight)
    alone = RealAdaBoostClassifier(TREE, FuzzyEntropy(), n_estimators=3, random_state=0).fit(
        X[weight > 0], y[weight > 0]
    )
    np.testing.assert_array_equal(model.entropies_[:, weight > 0], alone.entropies_)
    assert not model.entropies_[:, ::7].any()


def test_a_class_without_weight_has_no_members():
    X, y = load_iris(return_X_y=True)
    model = RealAdaBoostClassifier(TREE, FuzzyEntropy(), n_estimators=3, random_state=0)
    model.fit(X, y, sample_weight=(y != 1).astype(float))
    assert set(model.predict(X)) == {0, 2}
    emphasis = FuzzyEntropy()
    emphasis.start(X[y != 1], y[y != 1])
    assert emphasis.memberships_.shape == (100, 3)
    assert not emphasis.memberships_[:, 1].any()


def test_every_learner_is_kept_with_the_vote_1():
    """A learner that says one class always has no edge, and any other vote would discard it."""
    X, y = make_blobs(60, centers=3, random_state=0)
    model = RealAdaBoostClassifier(DummyClassifier(strategy="constant", constant=0), FuzzyEntropy(), n_estimators=4)
    model.fit(X, y)
    assert model.stop_reason_ == "rounds"
    np.testing.assert_array_equal(model.alphas_, np.ones(4))
    assert (model.edges_ < 0).all()
    with pytest.warns(UserWarning, match="No learner had an edge"):
        assert model.set_params(vote="emphasis").fit(X, y).stop_reason_ == "edge"


@pytest.mark.parametrize("emphasis", [Uniform(), Mixed(0.3), FuzzyEntropy("alternate")], ids=repr)
def test_equal_votes_add_up_the_outputs(emphasis):
    X, y = load_iris(return_X_y=True)
    stages = grow(
        X,
        y,
        np.arange(3),
        learner=DecisionTreeClassifier(max_depth=1),
        emphasis=emphasis,
        vote="equal",
        rng=np.random.default_rng(0),
    )
    total = 0.0
    for rounds, stage in enumerate(islice(stages, 5), start=1):
        total = total + stage.output
        np.testing.assert_allclose(stage.score, total)
        assert (stage.alpha, stage.total_alpha) == (1.0, rounds)
        assert stage.edge == pytest.approx(stage.training_weights @ stage.margin)


def test_lambdas_that_win_for_free_are_refused_with_equal_votes_too():
    X, y = load_iris(return_X_y=True)
    model = RealAdaBoostClassifier(TREE, DynamicMixed(), vote="equal")
    with pytest.raises(ValueError, match=r"f_scale='raw' is not allowed with vote=Equal\(\)"):
        model.fit(X, y)


def test_names_and_holes():
    X, y = load_iris(return_X_y=True, as_frame=True)
    X = X.assign(sepal=np.where(X["sepal length (cm)"] > 5.8, "long", "short"))
    X.iloc[::5, 0] = np.nan
    X.loc[::7, "sepal"] = None
    learner = make_pipeline(TableTransformer(), TREE)
    model = RealAdaBoostClassifier(learner, FuzzyEntropy(), n_estimators=5, random_state=0).fit(X, y)
    assert model.score(X, y) > 0.95
    assert np.isfinite(model.entropies_).all()


def test_neighbours_smooth_it_and_grid_search_reaches_it():
    X, y = load_iris(return_X_y=True)
    model = RealAdaBoostClassifier(TREE, Neighbour(FuzzyEntropy("easy"), 3), n_estimators=3, random_state=0)
    assert model.fit(X, y).entropies_.shape == (3, 150)
    np.testing.assert_array_equal(model.alphas_, np.ones(3))
    search = GridSearchCV(model, {"emphasis__base__reward": [0.1, 0.9]}, cv=2).fit(X, y)
    assert search.best_estimator_.emphasis.base.reward == search.best_params_["emphasis__base__reward"]


# bad input

HALVES = np.full((150, 3), 1 / 3)
BAD = [
    (FuzzyEntropy("first"), "order='first' is not allowed: order must be one of 'hard', 'easy', 'alternate'"),
    *[
        (FuzzyEntropy(reward=reward), rf"reward={reward} is not allowed: reward must be a finite number in \(0, 1\)")
        for reward in (0, 1, 0.0, 1.0, -0.1, 1.1, True)
    ],
    (FuzzyEntropy(reward=np.nan), "reward=nan is not allowed"),
    (FuzzyEntropy(reward=None), "reward=None is not allowed"),
    (FuzzyEntropy(fuzziness=1), r"fuzziness=1 is not allowed: fuzziness must be a finite number in \(1, 10\]"),
    (FuzzyEntropy(fuzziness=0.5), "fuzziness=0.5 is not allowed"),
    (FuzzyEntropy(init="zero"), "init='zero' is not allowed: init must be one of 'classes', 'random', 'supervised'"),
    (FuzzyEntropy(memberships=HALVES[1:]), r"memberships has shape \(149, 3\), but there are 150 samples of 3 classes"),
    (FuzzyEntropy(memberships=HALVES[:, :2]), r"memberships has shape \(150, 2\), but there are 150 samples of 3"),
    (FuzzyEntropy(memberships=HALVES[:, 0]), r"memberships has shape \(150,\)"),
    (FuzzyEntropy(memberships=2 * HALVES), "memberships holds rows that are not distributions"),
    (
        FuzzyEntropy(memberships=np.full((150, 3), [2.0, -0.5, -0.5])),
        "memberships holds rows that are not distributions",
    ),
    (FuzzyEntropy(memberships=np.full((150, 3), np.nan)), "memberships holds rows that are not distributions"),
]


@pytest.mark.parametrize(("emphasis", "message"), BAD, ids=lambda one: one if isinstance(one, str) else "")
def test_what_is_not_allowed_is_said(emphasis, message):
    with pytest.raises(ValueError, match=message):
        RealAdaBoostClassifier(TREE, emphasis, n_estimators=2).fit(*load_iris(return_X_y=True))


@every_order
@pytest.mark.parametrize("init", ["classes", "supervised", "equal"])
def test_identical_points_weigh_alike(order, init):
    X, y = np.ones((8, 2)), np.arange(8) % 2
    np.testing.assert_allclose(FuzzyEntropy(order, init=init).start(X, y), 1 / 8)


@every_order
def test_equal_memberships_weigh_all_samples_alike_and_are_what_a_user_could_give(order):
    X, y = load_iris(return_X_y=True)
    equal, given = FuzzyEntropy(order, init="equal"), FuzzyEntropy(order, memberships=np.full((150, 3), 1 / 3))
    np.testing.assert_allclose(equal.start(X, y), np.full(150, 1 / 150), rtol=1e-12)
    np.testing.assert_array_equal(equal.start(X, y), given.start(X, y))
    assert np.ptp(FuzzyEntropy(order).start(X, y)) > 0.001  # clusters do not


@every_order
def test_tables_that_say_nothing(order):
    frame = pd.DataFrame({"holes": np.full(12, np.nan), "one": ["same"] * 12, "number": np.arange(12) % 2})
    weights = FuzzyEntropy(order).start(frame, np.arange(12) % 2)
    assert np.isfinite(weights).all()
    np.testing.assert_allclose(weights, 1 / 12)
