"""FuzzyBoost and DFA (identities 25, 27, 31): sizes, a chain against its slow twin, the pool, groups, bad input."""

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine, make_moons
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from emphatic import FuzzyBoostClassifier, RBFNetworkClassifier, RealAdaBoostClassifier
from emphatic.boosting.fuzzy_boost.chains import ORDERS, group_sizes, plan_chains
from emphatic.boosting.fuzzy_boost.classifier import pool_votes
from emphatic.boosting.training import weighted_bootstrap
from emphatic.clustering import distance
from emphatic.diversity import kappa_prune, member_predictions
from emphatic.emphasis.fuzzy_entropy import coordinates, entropy, move_memberships
from emphatic.randomness import child_generator
from emphatic.tables import TableTransformer
from tests.reference import fuzzy_boost as reference

X, y = load_wine(return_X_y=True)
TREE = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2)
STUMP = DecisionTreeClassifier(max_depth=1)


def boosted(estimator=None, n_estimators=6, **parameters):
    return FuzzyBoostClassifier(estimator, n_estimators, **{"random_state": 0, **parameters})


def of_chain(model, group, order):
    """Places of the learners of one chain."""
    return np.flatnonzero(model.learner_chains_ == model.chains_.index((group, order)))


def moons(n=120):
    return make_moons(n, noise=0.35, random_state=0)


# sizes


@given(r=st.integers(1, 200), s=st.integers(0, 20))
def test_the_sizes_of_the_groups_are_the_slides(r, s):
    sizes = group_sizes(r, s + 1)
    assert sum(sizes) == r
    assert sizes == [r // (s + 1)] * s + [r - s * (r // (s + 1))]


@given(r=st.integers(1, 200), s=st.integers(0, 20), chains=st.sampled_from(sorted(ORDERS)))
def test_the_sizes_of_the_chains_sum_up_to_those_of_the_groups(r, s, chains):
    sizes = group_sizes(r, s + 1)
    plan = plan_chains(chains, sizes, r_per_chain=False)
    assert [sum(one.size for one in plan if one.group == group) for group in range(s + 1)] == sizes
    twice = plan_chains(chains, sizes, r_per_chain=True)
    assert sum(one.size for one in twice) == (r if chains in ("hard", "easy") else 2 * r)
    if chains == "both":
        hard, easy = ([one.size for one in plan if one.order == order] for order in ("hard", "easy"))
        assert sum(hard) == sum((size + 1) // 2 for size in sizes) and sum(easy) == sum(size // 2 for size in sizes)
        assert {one.size for one in twice} == set(sizes) - {0}


@pytest.mark.parametrize("chains", ORDERS)
@pytest.mark.parametrize(("r", "s"), [(1, 0), (5, 0), (7, 1), (2, 3)])
def test_there_are_as_many_learners_as_asked_for(chains, r, s):
    model = boosted(STUMP, r, n_deflections=s, chains=chains).fit(X, y)
    for array in (model.estimators_, model.alphas_, model.edges_, model.effective_sample_sizes_, model.entropies_):
        assert len(array) == r
    assert model.memberships_.shape == (s + 1, 178, 3)
    assert model.final_memberships_.shape == (len(model.chains_), 178, 3)
    assert set(model.learner_chains_) == set(range(len(model.chains_)))


# one chain, and the pool


def trained_as_in(model, chain, order):
    """The learners of a chain, drawn with the seeds of the model: `train(weights, t)` of the slow twin."""
    chains_entropy = int(np.random.default_rng(model.random_state).integers(2**63))
    place = np.random.SeedSequence(chains_entropy, spawn_key=(chain, ("hard", "easy").index(order)))
    seed = int(np.random.default_rng(place).integers(2**63))

    def train(weights, t):
        rng = child_generator(seed, t, 0)
        rows = weighted_bootstrap(y, np.array(weights), rng)
        tree = clone(TREE).set_params(random_state=int(rng.integers(2**31)))
        return tree.fit(X[rows], y[rows]).predict(X)

    return train


@pytest.mark.parametrize("order", ["hard", "easy"])
def test_a_chain_is_the_slides(order):
    model = boosted(n_estimators=16, n_deflections=1, keep_weights=True).fit(X, y)
    for group in (0, 1):
        places = of_chain(model, group, order)
        train = trained_as_in(model, group, order)
        history, final = reference.chain(model.memberships_[group], y, order, 0.3, len(places), train)
        assert len(places) == 4
        for place, (weights, entropies, said) in zip(places, history, strict=True):
            np.testing.assert_allclose(model.sample_weights_[place], weights, rtol=1e-9)
            np.testing.assert_allclose(model.entropies_[place], entropies, atol=1e-12)
            np.testing.assert_array_equal(model.estimators_[place].predict(X), said)
        np.testing.assert_allclose(model.final_memberships_[model.chains_.index((group, order))], final, atol=1e-12)


@pytest.mark.parametrize("problem", [(X, y), moons()], ids=["wine", "moons"])
@pytest.mark.parametrize("parameters", [{}, {"n_deflections": 2}, {"chains": "shared"}], ids=str)
def test_the_pool_votes_as_on_the_slides(problem, parameters):
    rows, labels = problem
    model = boosted(STUMP, 9, **parameters).fit(rows, labels)
    said = member_predictions(model, rows)
    alphas, chosen = reference.vote(said.tolist(), labels.tolist(), len(model.classes_))
    np.testing.assert_allclose(model.alphas_, alphas)
    np.testing.assert_array_equal(model.predict(rows), chosen)
    shares = np.array([[model.alphas_[said[:, i] == k].sum() for k in model.classes_] for i in range(len(rows))])
    np.testing.assert_allclose(model.predict_proba(rows), shares / model.alphas_.sum(), atol=1e-12)


def test_equal_votes_for_two_classes_go_to_the_first():
    rows, labels = moons()
    model = boosted(STUMP, 2).fit(rows, labels)
    model.alphas_ = np.ones(2)
    disagree = np.ptp(member_predictions(model, rows), axis=0) > 0
    assert disagree.any()
    assert (model.predict(rows)[disagree] == 0).all()
    np.testing.assert_allclose(model.predict_proba(rows)[disagree], 0.5)
    assert (model.decision_function(rows)[disagree] < 0).all()


def test_with_equal_memberships_the_first_learner_of_each_chain_has_a_plain_bootstrap():
    model = boosted(init="equal", keep_weights=True).fit(X, y)
    np.testing.assert_array_equal(model.memberships_, np.full((1, 178, 3), 1 / 3))
    firsts = [of_chain(model, 0, order)[0] for order in ("hard", "easy")]
    np.testing.assert_allclose(model.sample_weights_[firsts], 1 / 178, rtol=1e-12)
    assert np.ptp(model.sample_weights_[of_chain(model, 0, "hard")[1]]) > 1e-4  # then the vote tells samples apart
    np.testing.assert_array_equal(boosted(init="equal", fuzziness=1.1).fit(X, y).alphas_, model.alphas_)


def test_r_learners_of_each_chain_are_an_ensemble_of_twice_as_many():
    each, all_of_them = boosted(n_estimators=3, r_per_chain=True).fit(X, y), boosted(n_estimators=6).fit(X, y)
    np.testing.assert_array_equal(each.learner_chains_, all_of_them.learner_chains_)
    np.testing.assert_array_equal(each.alphas_, all_of_them.alphas_)
    np.testing.assert_array_equal(each.predict_proba(X), all_of_them.predict_proba(X))


def test_samme_hears_learners_that_are_better_than_chance():
    plain, samme = (boosted(STUMP, 8, samme=samme).fit(X, y) for samme in (False, True))
    errors = (member_predictions(plain, X) != y).mean(axis=1)
    np.testing.assert_allclose(plain.alphas_, np.maximum(0.5 * np.log((1 - errors) / errors), 0))
    np.testing.assert_allclose(samme.alphas_, np.maximum(0.5 * np.log((1 - errors) / errors) + 0.5 * np.log(2), 0))
    rows, labels = moons()
    two = [boosted(STUMP, 4, samme=samme).fit(rows, labels).alphas_ for samme in (False, True)]
    np.testing.assert_array_equal(two[0], two[1])


def test_a_learner_that_errs_on_most_samples_has_no_vote_unless_all_do():
    always = DummyClassifier(strategy="constant", constant=0)
    model = boosted(always, 3).fit(X, y)  # wrong on two thirds
    np.testing.assert_array_equal(model.alphas_, np.ones(3))
    assert (model.predict(X) == 0).all()
    np.testing.assert_array_equal(model.predict_proba(X), np.eye(3)[np.zeros(178, dtype=int)])


def test_as_long_as_no_learner_has_a_vote_all_classes_are_equal():
    model = boosted(n_estimators=3).fit(X, y)
    model.alphas_ = np.array([0.0, 1.0, 0.0])
    first, second, last = model.staged_predict_proba(X)
    np.testing.assert_allclose(first, 1 / 3)
    np.testing.assert_array_equal(second, last)
    np.testing.assert_array_equal(model.predict(X), model.estimators_[1].predict(X))


# what does not change what


def test_any_beginning_of_the_pool_is_a_smaller_pool():
    large = boosted(n_estimators=9).fit(X, y)
    for size, said in enumerate(large.staged_predict_proba(X), start=1):
        if size in (1, 2, 5, 9):
            small = boosted(n_estimators=size).fit(X, y)
            np.testing.assert_array_equal(small.predict_proba(X), said)
            np.testing.assert_array_equal(small.alphas_, large.alphas_[:size])


@pytest.mark.parametrize("order", ["hard", "easy"])
def test_a_chain_grows_alike_alone_and_beside_others(order):
    both = boosted(n_estimators=10, n_deflections=1, keep_weights=True).fit(X, y)
    alone = boosted(n_estimators=5, chains=order, keep_weights=True).fit(X, y)
    places = of_chain(both, 0, order)
    np.testing.assert_array_equal(alone.sample_weights_[: len(places)], both.sample_weights_[places])
    np.testing.assert_array_equal(alone.alphas_[: len(places)], both.alphas_[places])


def test_with_r_per_chain_each_chain_is_that_of_a_pool_twice_as_large():
    each, total = boosted(n_estimators=4, r_per_chain=True).fit(X, y), boosted(n_estimators=8).fit(X, y)
    np.testing.assert_array_equal(each.predict_proba(X), total.predict_proba(X))
    shared = boosted(n_estimators=4, r_per_chain=True, chains="shared").fit(X, y)
    assert len(shared.estimators_) == 8


@pytest.mark.parametrize("parameters", [{}, {"n_deflections": 2}, {"chains": "shared"}, {"init": "random"}], ids=str)
def test_the_number_of_jobs_does_not_matter(parameters):
    one, two = (boosted(n_estimators=7, n_jobs=jobs, **parameters).fit(X, y) for jobs in (None, 2))
    for name in ("alphas_", "edges_", "entropies_", "memberships_", "final_memberships_", "learner_chains_"):
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name))
    np.testing.assert_array_equal(one.predict_proba(X), two.predict_proba(X))


def test_the_same_seed_gives_the_same_model_and_another_one_another():
    first, again, other = (boosted(random_state=seed).fit(X, y).predict_proba(X) for seed in (0, 0, 1))
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()


def test_the_scale_of_a_column_does_not_matter_to_the_clusters():
    scaled = X * 10.0 ** np.arange(-6, 7) + 5
    np.testing.assert_allclose(
        boosted(n_estimators=1).fit(X, y).memberships_, boosted(n_estimators=1).fit(scaled, y).memberships_, atol=1e-6
    )


def test_a_reward_near_0_leaves_the_memberships_as_they_are():
    model = boosted(reward=1e-15).fit(X, y)
    for memberships in model.final_memberships_:
        np.testing.assert_allclose(memberships, model.memberships_[0], atol=1e-13)
    np.testing.assert_allclose(model.entropies_, np.tile(entropy(model.memberships_[0]), (6, 1)), atol=1e-12)


# memberships and entropies


@pytest.mark.parametrize("parameters", [{}, {"n_deflections": 2}, {"chains": "shared"}, {"reward": 0.9}], ids=str)
def test_memberships_are_distributions_and_entropies_are_theirs(parameters):
    model = boosted(n_estimators=12, **parameters).fit(X, y)
    for memberships in (model.memberships_, model.final_memberships_):
        assert (memberships >= 0).all()
        np.testing.assert_allclose(memberships.sum(axis=2), 1)
    np.testing.assert_array_equal(model.final_entropies_, entropy(model.final_memberships_))
    assert (model.entropies_ >= 0).all() and (model.entropies_ <= np.log2(3) + 1e-12).all()
    for number, (group, _) in enumerate(model.chains_):
        first = np.flatnonzero(model.learner_chains_ == number)[0]
        np.testing.assert_array_equal(model.entropies_[first], entropy(model.memberships_[group]))


def test_the_last_learner_of_a_chain_has_its_say():
    model = boosted(n_estimators=2).fit(X, y)
    for number, learner in enumerate(model.estimators_):
        expected = move_memberships(model.memberships_[0], y, learner.predict(X) == y, 0.3)
        np.testing.assert_allclose(model.final_memberships_[number], expected, atol=1e-15)


def test_undecided_in_the_end_are_samples_that_learners_are_wrong_about():
    rows, labels = load_iris(return_X_y=True)
    model = boosted(n_estimators=30, chains="hard").fit(rows, labels)
    errors = (member_predictions(model, rows) != labels).mean(axis=0)
    by_entropy = np.argsort(model.final_entropies_[0])
    assert errors[by_entropy[-10:]].mean() > 10 * errors[by_entropy[:75]].mean()


def test_deflected_groups_are_other_memberships():
    model = boosted(n_estimators=3, n_deflections=2).fit(X, y)
    for one, other in ((0, 1), (0, 2), (1, 2)):
        assert distance(model.memberships_[one], model.memberships_[other], aligned=True) > 0.05
    np.testing.assert_array_equal(model.memberships_[0], boosted().fit(X, y).memberships_[0])


def test_shared_chains_need_both_votes_to_be_right():
    model = boosted(n_estimators=2, chains="shared").fit(X, y)
    assert model.chains_ == [(0, "alternate")]
    hard, easy = (learner.predict(X) == y for learner in model.estimators_)
    assert (hard != easy).any()
    expected = move_memberships(model.memberships_[0], y, hard & easy, 0.3)
    np.testing.assert_allclose(model.final_memberships_[0], expected, atol=1e-15)


# learners, tables and weights


@pytest.mark.parametrize(
    "learner",
    [
        None,
        KNeighborsClassifier(3),
        LinearSVC(dual=False),
        RBFNetworkClassifier(),
        make_pipeline(TableTransformer(), LogisticRegression()),
        RealAdaBoostClassifier(STUMP, n_estimators=3),
        FuzzyBoostClassifier(n_estimators=3),
    ],
    ids=lambda one: type(one).__name__,
)
def test_any_classifier_may_learn(learner):
    rows, labels = load_iris(return_X_y=True)
    named = np.array(["setosa", "versicolor", "virginica"])[labels]
    model = boosted(learner, 4).fit(rows, named)
    assert model.score(rows, named) > 0.9
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_proba(rows), model.predict_proba(rows))


def test_it_is_a_learner_of_other_ensembles():
    model = RealAdaBoostClassifier(FuzzyBoostClassifier(STUMP, 4), n_estimators=3, random_state=0).fit(X, y)
    assert model.score(X, y) > 0.9


def test_weights_instead_of_bootstraps():
    model = boosted(resample=False).fit(X, y)
    assert model.score(X, y) > 0.95
    with pytest.raises(ValueError, match="resample=False needs a learner that takes sample_weight"):
        boosted(KNeighborsClassifier(), resample=False).fit(X, y)


def mixed_table(n=150, seed=0):
    """Numbers, names, holes, a column of holes and one of a single name."""
    rng = np.random.default_rng(seed)
    colours = rng.choice(["red", "green", "blue"], n)
    numbers = rng.normal(size=n)
    labels = ((colours == "red") ^ (numbers > 0)).astype(int)
    numbers[::9] = np.nan
    table = pd.DataFrame({"colour": colours, "number": numbers, "hole": np.full(n, np.nan), "same": ["one"] * n})
    table.loc[::11, "colour"] = None
    return table, labels


def test_names_and_holes_go_to_the_learners_as_they_are():
    table, labels = mixed_table()
    model = boosted(make_pipeline(TableTransformer(), TREE), 10).fit(table, labels)
    assert model.score(table, labels) > 0.8
    assert list(model.feature_names_in_) == list(table.columns)
    assert list(model.estimators_[0].feature_names_in_) == list(table.columns)
    assert np.isfinite(model.entropies_).all()


def test_different_names_are_at_squared_distance_1():
    points = coordinates(np.array([["a", 0.0], ["b", 0.0], ["c", 10.0]], dtype=object))
    squares = ((points[:, None] - points) ** 2).sum(axis=2)
    np.testing.assert_allclose(squares, [[0, 1, 2], [1, 0, 2], [2, 2, 0]])


def test_polars_tables():
    polars = pytest.importorskip("polars")
    table, labels = mixed_table()
    table["colour"] = table["colour"].where(table["colour"].notna(), "unknown")
    learner = make_pipeline(TableTransformer(), TREE)
    expected = boosted(learner).fit(table, labels).predict_proba(table)
    frame = polars.DataFrame({name: table[name].to_list() for name in table})
    np.testing.assert_array_equal(boosted(learner).fit(frame, labels).predict_proba(frame), expected)


def test_samples_of_weight_0_are_not_there():
    weight = np.random.default_rng(0).integers(0, 2, 178).astype(float)
    there = weight > 0
    model = boosted(keep_weights=True).fit(X, y, weight)
    alone = boosted(keep_weights=True).fit(X[there], y[there])
    np.testing.assert_array_equal(model.predict_proba(X), alone.predict_proba(X))
    for name in ("memberships_", "final_memberships_", "final_entropies_", "entropies_", "sample_weights_"):
        np.testing.assert_array_equal(getattr(model, name)[:, there], getattr(alone, name))
        assert not getattr(model, name)[:, ~there].any()


def test_a_weight_counts_a_sample_as_so_many():
    """In the clusters, in what is drawn, and in the errors; what is drawn differs by the luck of the draw."""
    weight = np.random.default_rng(0).integers(1, 4, 178)
    model, repeated = (
        boosted(STUMP).fit(X, y, weight),
        boosted(STUMP).fit(np.repeat(X, weight, axis=0), y.repeat(weight)),
    )
    np.testing.assert_allclose(
        model.memberships_[0].repeat(weight, axis=0), repeated.memberships_[0], rtol=0, atol=1e-8
    )
    errors = (member_predictions(model, X) != y) @ (weight / weight.sum())
    np.testing.assert_allclose(model.alphas_, np.maximum(0.5 * np.log((1 - errors) / errors), 0))


def test_a_class_without_weight_is_never_predicted():
    model = boosted(n_deflections=1).fit(X, y, sample_weight=(y != 1).astype(float))
    assert set(model.predict(X)) == {0, 2}
    assert model.memberships_.shape == (2, 178, 3)
    assert not model.memberships_[:, :, 1].any()


def test_weights_are_kept_on_demand_only():
    assert not hasattr(boosted().fit(X, y), "sample_weights_")


def test_a_second_fit_forgets_the_first():
    model = boosted(keep_weights=True).fit(X, y)
    assert not hasattr(model.set_params(keep_weights=False).fit(X, y), "sample_weights_")


@pytest.mark.parametrize("keep_weights", [True, False])
def test_pruning_keeps_what_belongs_to_the_learners(keep_weights):
    model = boosted(n_estimators=2, n_deflections=0, r_per_chain=True, keep_weights=keep_weights).fit(X, y)
    pruned = kappa_prune(model, X, y, keep=3)
    assert len(pruned.estimators_) == len(pruned.alphas_) == len(pruned.learner_chains_) == len(pruned.entropies_) == 3
    assert pruned.chains_ == model.chains_
    assert pruned.score(X, y) > 0.9


# bad input


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"reward": 0}, r"reward=0 is not allowed: reward must be a finite number in \(0, 1\)"),
        ({"reward": 1.0}, "reward=1.0 is not allowed"),
        ({"reward": -0.5}, "reward=-0.5 is not allowed"),
        ({"fuzziness": 1}, r"fuzziness=1 is not allowed: fuzziness must be a finite number in \(1"),
        ({"fuzziness": 0.9}, "fuzziness=0.9 is not allowed"),
        ({"n_deflections": -1}, "n_deflections=-1 is not allowed: n_deflections must be an integer of at least 0"),
        ({"n_deflections": 1.0}, "n_deflections=1.0 is not allowed"),
        ({"n_estimators": 0}, "n_estimators=0 is not allowed"),
        ({"chains": "alternate"}, "chains='alternate' is not allowed: chains must be one of 'both', 'shared', 'hard'"),
        ({"r_per_chain": 1}, "r_per_chain=1 is not allowed"),
        ({"samme": "yes"}, "samme='yes' is not allowed"),
        ({"aligned": None}, "aligned=None is not allowed"),
        ({"keep_weights": 0}, "keep_weights=0 is not allowed"),
        ({"init": "k-means"}, "init='k-means' is not allowed"),
        ({"relaxation": 0}, "relaxation=0 is not allowed"),
        ({"resample": "no"}, "resample='no' is not allowed"),
        ({"random_state": -1}, "random_state=-1 is not allowed"),
    ],
    ids=str,
)
def test_what_is_not_allowed_is_said(parameters, message):
    with pytest.raises(ValueError, match=message):
        boosted(**parameters).fit(X, y)


@pytest.mark.parametrize("estimator", [TREE.__class__, "tree", 3])
def test_only_classifiers_learn(estimator):
    with pytest.raises(TypeError, match="estimator must be a classifier"):
        boosted(estimator).fit(X, y)


def test_one_class_is_refused():
    with pytest.raises(ValueError, match="y holds only one class"):
        boosted().fit(X, np.zeros(178))


def test_a_class_that_bootstraps_miss_is_put_into_each():
    labels = np.zeros(178, dtype=int)
    labels[7] = 1
    model = boosted(n_estimators=20).fit(X, labels)
    assert all(set(learner.classes_) == {0, 1} for learner in model.estimators_)
    assert np.isfinite(model.predict_proba(X)).all()


@pytest.mark.parametrize("init", ["classes", "supervised"])
def test_identical_points(init):
    model = boosted(init=init).fit(np.ones((12, 2)), np.arange(12) % 3)
    np.testing.assert_allclose(model.memberships_, 1 / 3)
    np.testing.assert_allclose(model.predict_proba(np.ones((1, 2))).sum(), 1)


def test_points_without_a_second_minimum_cannot_be_deflected():
    with pytest.raises(ValueError, match="defle"):
        boosted(n_deflections=1).fit(np.ones((12, 2)), np.arange(12) % 3)


@pytest.mark.parametrize("n", [3, 4, 5])
def test_hardly_more_samples_than_classes(n):
    rows, labels = np.arange(n, dtype=float)[:, None], np.arange(n) % 3
    model = boosted(DecisionTreeClassifier()).fit(rows, labels)
    assert np.isfinite(model.predict_proba(rows)).all()
    assert np.isfinite(model.entropies_).all()


def test_ten_thousand_categories():
    rng = np.random.default_rng(0)
    n = 250
    table = {f"id{j}": rng.permutation(n).astype(str) for j in range(40)}  # 40 columns of as many names as rows
    table["number"] = rng.normal(size=n)
    labels = (table["number"] > 0).astype(int)
    learner = make_pipeline(TableTransformer(nominal="ordinal"), TREE)
    model = boosted(learner, 4).fit(pd.DataFrame(table), labels)
    assert np.isfinite(model.final_entropies_).all()
    np.testing.assert_allclose(model.memberships_.sum(axis=2), 1)


def test_names_need_a_learner_that_reads_them():
    table, labels = mixed_table()
    with pytest.raises(ValueError, match="could not convert string to float"):
        boosted().fit(table, labels)
    with pytest.raises(ValueError, match="X holds text, and numbers are needed"):
        boosted(RBFNetworkClassifier()).fit(table, labels)


def test_cells_that_are_no_names_and_no_numbers_are_refused():
    rows = X.astype(object)
    rows[3, 1] = {"a": 1}
    with pytest.raises(
        TypeError, match="must be a table of strings and numbers: column 'x1' holds values of type dict"
    ):
        boosted().fit(rows, y)


def test_infinity_is_refused():
    rows = X.copy()
    rows[3, 1] = np.inf
    with pytest.raises(ValueError, match="'x1' holds infinite values"):
        boosted().fit(rows, y)


def test_other_columns_than_in_training_are_refused():
    table = pd.DataFrame(X[:, :3], columns=list("abc"))
    model = boosted().fit(table, y)
    with pytest.raises(ValueError, match="feature names"):
        model.predict(table.rename(columns={"a": "z"}))
    with pytest.raises(ValueError, match="X has 13 features, but FuzzyBoostClassifier is expecting 3 features"):
        boosted().fit(X[:, :3], y).predict(X)


@pytest.mark.parametrize("errors", [[0.5, 0.5, 0.5], [0.5 - 1e-16, 0.5, 0.5 + 1e-16], [0.5 - 1e-15, 0.7, 0.6]])
def test_learners_that_are_right_by_rounding_only_have_no_vote(errors):
    np.testing.assert_array_equal(pool_votes(np.array(errors), 1000), 1.0)  # none has one: all have the same
    votes = pool_votes(np.array([*errors, 0.4]), 1000)
    np.testing.assert_allclose(votes, [0, 0, 0, 0.5 * np.log(1.5)])
