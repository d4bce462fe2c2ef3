"""Forests of class trees: one view is its tree, shared nodes, pruning by kappa, any number of jobs, bad input."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_digits, load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.utils.estimator_checks import parametrize_with_checks

from emphatic import RBFNetworkClassifier
from emphatic.datasets import load
from emphatic.diversity import kappa_matrix, kappa_prune, kappa_select, member_predictions
from emphatic.fusion.rules import RULES, mean, product
from emphatic.learners.prototypes import ClassKMeans
from emphatic.multiview.class_tree import ClassTreeClassifier
from emphatic.multiview.forest import MultiViewForestClassifier
from emphatic.multiview.views import DigitViews

X, y = load_iris(return_X_y=True)
VIEWS = {"sepal": [0, 1], "petal": [2, 3], "lengths": [0, 2], "widths": [1, 3]}
NETWORK = RBFNetworkClassifier(ClassKMeans(5), regularisation=1e-8)


def grown(views=VIEWS, **parameters):
    """A forest of small networks."""
    return MultiViewForestClassifier(views, NETWORK, **{"random_state": 0, **parameters})


@pytest.fixture(scope="module")
def digits():
    """Five views of 900 digits, and the columns of each."""
    images, labels = load_digits(return_X_y=True)
    rows = np.random.default_rng(0).permutation(len(labels))[:900]
    views = DigitViews().fit(images[rows])
    return views.transform(images[rows]), labels[rows], views.views_


@pytest.mark.contract
@parametrize_with_checks(
    [
        MultiViewForestClassifier(),
        MultiViewForestClassifier({"some": slice(0, None, 2), "all": None}, view_sets="all", fusion="product", keep=2),
        MultiViewForestClassifier({"first": slice(0, 1), "all": "all"}, GaussianNB(), fusion="dempster_shafer"),
    ]
)
def test_scikit_learns_checks(estimator, check):
    check(estimator)


# identity 23


@pytest.mark.parametrize("rule", RULES)
def test_a_forest_of_one_view_is_its_tree(rule):
    tree = ClassTreeClassifier(NETWORK, {"petal": [2, 3]}, random_state=0).fit(X, y)
    forest = grown({"petal": [2, 3]}, fusion=rule).fit(X, y)
    np.testing.assert_array_equal(forest.member_supports(X)[0], tree.supports(X))
    np.testing.assert_array_equal(forest.predict(X), tree.predict(X))
    if rule in ("mean", "maximum"):
        np.testing.assert_array_equal(forest.predict_proba(X), tree.predict_proba(X))


def test_every_tree_of_a_forest_is_the_tree_of_its_views():
    forest = grown(view_sets="all").fit(X, y)
    for names, supports, member in zip(forest.view_sets_, forest.member_supports(X), forest.estimators_):
        alone = ClassTreeClassifier(NETWORK, {name: VIEWS[name] for name in names}, random_state=0).fit(X, y)
        assert alone.root_ == member.root_
        np.testing.assert_array_equal(alone.supports(X), supports)
        np.testing.assert_array_equal(member.supports(X), supports)


@pytest.mark.parametrize("rule", RULES)
def test_copies_of_a_tree_are_that_tree(rule):
    once = grown({"a": [2, 3]}, fusion=rule).fit(X, y)
    copies = grown({"a": [2, 3]}, view_sets=[["a"], ["a"], ["a"]], fusion=rule, dedupe=False).fit(X, y)
    assert len(copies.estimators_) == 3
    np.testing.assert_array_equal(copies.predict(X), once.predict(X))
    assert len(grown({"a": [2, 3]}, view_sets=[["a"], ["a"], ["a"]]).fit(X, y).estimators_) == 1


def test_rules_are_those_of_fusion():
    forest = grown().fit(X, y)
    supports = forest.member_supports(X)
    assert supports.shape == (4, 150, 3)
    np.testing.assert_array_equal(forest.predict_proba(X), mean(supports))
    np.testing.assert_array_equal(forest.set_params(fusion="product").predict_proba(X), product(supports))
    logs = np.exp(np.log(np.maximum(supports, 1e-12)).sum(axis=0))
    np.testing.assert_allclose(product(supports), logs / logs.sum(axis=1, keepdims=True))


# sharing


def test_a_split_is_trained_once_however_many_trees_have_it():
    forest = grown(view_sets="all", dedupe=False).fit(X, y)
    assert len(forest.estimators_) == 15
    kept = {}
    for tree in forest.estimators_:
        for split, classifier in tree.classifiers_.items():
            assert kept.setdefault(split, classifier) is classifier
    assert len(kept) < 15
    different = grown(view_sets="all").fit(X, y)
    assert len(different.estimators_) == len({tree.root_ for tree in forest.estimators_}) < 15
    assert different.view_sets_[:4] == [(name,) for name in VIEWS]  # of equal trees the one of the fewest views
    restored = pickle.loads(pickle.dumps(forest))
    np.testing.assert_array_equal(restored.predict_proba(X), forest.predict_proba(X))


def test_the_number_of_jobs_does_not_matter():
    one, two = (grown(view_sets="all", n_jobs=jobs, keep=2, kappa_folds=2).fit(X, y) for jobs in (1, 2))
    np.testing.assert_array_equal(one.member_supports(X), two.member_supports(X))
    assert one.view_sets_ == two.view_sets_


# pruning


def test_kappa_keeps_the_trees_that_agree_least_on_the_training_samples():
    forest = grown(view_sets="all").fit(X, y)
    pruned = grown(view_sets="all", keep=2).fit(X, y)
    kept = kappa_select(kappa_matrix(forest.member_predictions(X)), 2)
    assert pruned.view_sets_ == [forest.view_sets_[number] for number in kept]
    by_hand = kappa_prune(forest, X, y, keep=2)
    assert by_hand.view_sets_ == pruned.view_sets_
    np.testing.assert_array_equal(by_hand.predict_proba(X), pruned.predict_proba(X))
    np.testing.assert_array_equal(member_predictions(forest, X), forest.member_predictions(X))


def test_removal_keeps_what_the_selection_keeps():
    forest = grown(view_sets="all").fit(X, y)
    pruned = grown(view_sets="all", keep=3, pruning="removal").fit(X, y)
    kept = kappa_select(kappa_matrix(forest.member_predictions(X)), 3, "removal")
    assert pruned.view_sets_ == [forest.view_sets_[number] for number in kept]
    assert pruned.view_sets_[0] == ("sepal",)  # the first tree is never the later of a pair


@pytest.mark.parametrize("kappa_folds", [None, 3])
def test_trees_of_a_forest_have_its_ratio(kappa_folds):
    """A view with numbers far larger than all others takes every node that it is asked for."""
    large = X * np.array([1.0, 1.0, 1e3, 1e3])
    forest = grown(view_sets="all", ratio="squared_gap", keep=2, kappa_folds=kappa_folds).fit(large, y)
    tree = ClassTreeClassifier(NETWORK, {"sepal": [0, 1], "petal": [2, 3]}, ratio="squared_gap", random_state=0)
    assert {node.view for node in tree.fit(large, y).root_} == {"petal"}
    assert {one.ratio for one in forest.estimators_} == {"squared_gap"}
    every = grown(view_sets="all", ratio="squared_gap", dedupe=False).fit(large, y)
    assert every.estimators_[every.view_sets_.index(("sepal", "petal"))].root_ == tree.root_


def test_kappa_on_folds_asks_trees_that_did_not_see_the_fold():
    forest = MultiViewForestClassifier(VIEWS, GaussianNB(), keep=2, kappa_folds=3, random_state=0).fit(X, y)
    predictions = [
        cross_val_predict(ClassTreeClassifier(GaussianNB(), {name: VIEWS[name]}), X, y, cv=3) for name in VIEWS
    ]
    agreement = kappa_matrix(predictions)  # other folds than the forest's: only a clear choice is the same
    assert set(forest.view_sets_) == {(list(VIEWS)[number],) for number in kappa_select(agreement, 2)}


def test_keep_beyond_the_different_trees_keeps_them_all():
    assert len(grown({"a": [2, 3], "b": [2, 3]}, view_sets="all", keep=3, dedupe=False).fit(X, y).estimators_) == 3
    assert len(grown(view_sets="all", keep=15).fit(X, y).estimators_) < 15
    with pytest.raises(ValueError, match="keep=16 is not allowed: keep must be at most 15, the number of trees"):
        grown(view_sets="all", keep=16).fit(X, y)


# what it is for


def test_a_forest_is_better_than_its_best_tree(digits):
    table, labels, views = digits
    train, test = slice(0, 400), slice(400, None)
    forest = MultiViewForestClassifier(views, random_state=0).fit(table[train], labels[train])
    best = (forest.member_predictions(table[test]) == labels[test]).mean(axis=1).max()
    assert forest.score(table[test], labels[test]) > best > 0.9


def test_sets_views_and_members_are_readable(digits):
    table, labels, views = digits
    forest = MultiViewForestClassifier(views, GaussianNB(), view_sets=[["pca_40"], ["rows_sum", "cols_sum"]])
    forest.fit(table, labels)
    assert forest.view_sets_ == [("pca_40",), ("rows_sum", "cols_sum")]
    assert {node.view for node in forest.estimators_[1].root_} == {"rows_sum", "cols_sum"}
    assert "rows_sum: " in forest.estimators_[1].export_text()
    assert forest.member_predictions(table).shape == (2, 900)
    assert forest.conflict(table).shape == (900,)


def test_six_views_of_another_source():
    mfeat = load("mfeat")
    rows = np.random.default_rng(0).permutation(2000)[:400]
    forest = grown(mfeat.views).fit(mfeat.X[rows[:300]], mfeat.y[rows[:300]])
    assert forest.score(mfeat.X[rows[300:]], mfeat.y[rows[300:]]) > 0.9


def test_views_by_name_and_as_tables_are_the_same():
    expected = grown({"sepal": [0, 1], "petal": [2, 3]}, view_sets="all").fit(X, y).predict_proba(X)
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    by_name = grown({"sepal": ["a", "b"], "petal": ["c", "d"]}, view_sets="all").fit(frame, y)
    np.testing.assert_array_equal(by_name.predict_proba(frame), expected)
    np.testing.assert_array_equal(by_name.estimators_[0].supports(frame), by_name.member_supports(frame)[0])
    tables = {"sepal": X[:, :2], "petal": X[:, 2:]}
    as_tables = grown(None, view_sets="all").fit(tables, y)
    np.testing.assert_array_equal(as_tables.predict_proba(tables), expected)


@pytest.mark.parametrize("rule", ["majority", "mean"])
def test_walks_are_fused_as_votes(rule):
    forest = grown(evaluation="walk", fusion=rule).fit(X, y)
    supports = forest.member_supports(X)
    assert set(np.unique(supports)) == {0.0, 1.0}
    votes = supports.sum(axis=0)
    clear = np.sort(votes, axis=1)[:, -1] > np.sort(votes, axis=1)[:, -2]
    np.testing.assert_array_equal(forest.predict(X)[clear], votes.argmax(axis=1)[clear])


# bad input


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"view_sets": "every"}, "view_sets='every' is not allowed"),
        ({"view_sets": []}, r"view_sets=\[\] is not allowed"),
        ({"view_sets": [[]]}, r"view_sets holds \[\]"),
        ({"view_sets": ["petal"]}, "view_sets holds 'petal': each set must be a list"),
        ({"view_sets": [["petal", "petals"]]}, "unknown view petals; did you mean petal"),
        ({"views": {"a": []}}, "view 'a' has no columns"),
        ({"views": {"a": [7]}}, "view 'a' asks for column 7, but the table has 4 columns"),
        ({"views": {f"v{k}": [0] for k in range(13)}, "view_sets": "all"}, "13 views, which have 8191 sets"),
        ({"fusion": "vote"}, "fusion='vote' is not allowed"),
        ({"fusion": "product", "evaluation": "walk"}, "fusion='product' is not allowed with evaluation=\"walk\""),
        ({"keep": 0}, "keep=0 is not allowed"),
        ({"keep": 2, "kappa_folds": 1}, "kappa_folds=1 is not allowed"),
        ({"dedupe": "yes"}, "dedupe='yes' is not allowed"),
        ({"pruning": "cut"}, "pruning='cut' is not allowed"),
        ({"evaluation": "run"}, "evaluation='run' is not allowed"),
        ({"estimator": LogisticRegression(), "masses": "plain"}, 'masses="plain" is not allowed'),
    ],
    ids=str,
)
def test_parameters_that_are_refused(parameters, message):
    with pytest.raises(ValueError, match=message):
        MultiViewForestClassifier(**{"views": VIEWS, **parameters}).fit(X, y)


def test_nan_names_its_views():
    broken = X.copy()
    broken[0, 1] = np.nan
    with pytest.raises(ValueError, match="view 'sepal', 'widths': Input X contains NaN"):
        grown().fit(broken, y)
    forest = grown().fit(X, y)
    with pytest.raises(ValueError, match="view 'sepal', 'widths': Input X contains NaN"):
        forest.member_supports(broken)


def test_few_samples_and_two_classes():
    rows = [0, 1, 50, 51]
    forest = grown(view_sets="all", keep=2, kappa_folds=2).fit(X[rows], y[rows])
    np.testing.assert_array_equal(forest.predict(X[rows]), y[rows])
    with pytest.raises(ValueError, match="kappa_folds needs at least 2 samples per class"):
        grown(view_sets="all", keep=2, kappa_folds=2).fit(X[rows[1:]], y[rows[1:]])
    with pytest.raises(ValueError, match="only one class"):
        grown().fit(X[:50], y[:50])


def test_a_constant_view_harms_nothing():
    table = np.hstack([np.zeros((150, 1)), X])
    forest = grown({"constant": [0], "petal": [3, 4]}, view_sets="all").fit(table, y)
    assert np.isfinite(forest.member_supports(table)).all()
    assert np.isfinite(forest.predict_proba(table)).all()
    assert forest.score(table, y) > 0.9
