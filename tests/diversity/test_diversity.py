"""Kappa, the pairs it chooses, and pruned copies of any ensemble (identity 22)."""

import copy
import math
import pickle
import sys
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_breast_cancer, load_iris, make_blobs
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    IsolationForest,
    RandomForestClassifier,
    RandomForestRegressor,
    StackingClassifier,
    VotingClassifier,
)
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.metrics import cohen_kappa_score
from sklearn.multiclass import OneVsRestClassifier, OutputCodeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from emphatic import RealAdaBoostClassifier
from emphatic.diversity import (
    kappa,
    kappa_error_diagram,
    kappa_error_points,
    kappa_matrix,
    kappa_order,
    kappa_prune,
    kappa_select,
    member_predictions,
)
from emphatic.emphasis import Mixed

STUMP = DecisionTreeClassifier(max_depth=1, random_state=0)
VOTERS = [
    ("bayes", GaussianNB()),
    ("away", "drop"),
    ("tree", DecisionTreeClassifier(random_state=0)),
    ("stump", STUMP),
    ("line", Perceptron(random_state=0)),
]
ENSEMBLES = {
    "bagging": BaggingClassifier(STUMP, 12, random_state=0),
    "bagging of parts": BaggingClassifier(STUMP, 12, max_features=0.5, max_samples=9, random_state=0),
    "bagging without probabilities": BaggingClassifier(Perceptron(), 12, random_state=0),
    "forest": RandomForestClassifier(12, max_depth=2, random_state=0),
    "extra trees": ExtraTreesClassifier(12, max_depth=2, random_state=0),
    "adaboost": AdaBoostClassifier(STUMP, n_estimators=12, random_state=0),
    "hard vote": VotingClassifier(VOTERS),
    "weighed vote": VotingClassifier(VOTERS[:-1], voting="soft", weights=[1, 9, 2, 3]),
    "emphatic": RealAdaBoostClassifier(n_estimators=12, keep_weights=True, random_state=0),
    "emphatic of stumps": RealAdaBoostClassifier(STUMP, Mixed(0.3), n_estimators=12),
    "emphatic of emphatic": RealAdaBoostClassifier(RealAdaBoostClassifier(STUMP, n_estimators=2), n_estimators=5),
}
every_ensemble = pytest.mark.parametrize("ensemble", list(ENSEMBLES), indirect=True)

LABELS = {"text": np.array(["versicolor", "a", "setosa"]), "numbers": np.array([1, 2, 3]), "codes": np.arange(3)}


@pytest.fixture
def data():
    X, y = load_iris(return_X_y=True)
    X = X + np.random.default_rng(0).normal(size=X.shape)  # so that no member is perfect
    return X, LABELS["text"][y]


@pytest.fixture
def ensemble(request, data):
    return clone(ENSEMBLES[request.param]).fit(*data)


def state(ensemble):
    return pickle.dumps(ensemble)


# kappa

labels = st.integers(0, 3)
two_vectors = st.integers(1, 30).flatmap(
    lambda n: st.tuples(st.lists(labels, min_size=n, max_size=n), st.lists(labels, min_size=n, max_size=n))
)


def defined(a, b):
    return len({*a, *b}) > 1


@given(two_vectors)
def test_kappa_is_cohens(vectors):
    a, b = vectors
    if defined(a, b):
        assert kappa(a, b) == pytest.approx(cohen_kappa_score(a, b), abs=1e-12)
    else:
        assert kappa(a, b) == 1


@given(two_vectors)
def test_kappa_by_the_formula(vectors):
    a, b = map(np.array, vectors)
    coincidences = np.array([[((a == i) & (b == j)).sum() for j in range(4)] for i in range(4)]) / len(a)
    observed = np.trace(coincidences)
    chance = coincidences.sum(axis=1) @ coincidences.sum(axis=0)
    expected = (observed - chance) / (1 - chance) if defined(*vectors) else 1
    assert kappa(a, b) == pytest.approx(expected, abs=1e-12)


@given(two_vectors)
def test_kappa_is_symmetric_and_1_with_itself(vectors):
    a, b = vectors
    assert kappa(a, b) == kappa(b, a)
    assert kappa(a, a) == 1
    assert -1 <= kappa(a, b) <= 1


@given(two_vectors, st.permutations(range(4)), st.sampled_from([int, float, "text", "object", bytes]))
def test_kappa_ignores_what_the_labels_are_called_and_the_order_of_the_samples(vectors, names, kind):
    a, b = map(np.array, vectors)
    words = np.array(["north", "n", "west", "é"])
    called = {"text": words, "object": words.astype(object), bytes: np.array([b"a", b"b", b"c", b"d"])}.get(kind)
    called = np.arange(4).astype(kind) if called is None else called
    order = np.random.default_rng(len(a)).permutation(len(a))
    assert kappa(called[names][a][order], list(called[names][b][order])) == kappa(a, b)


def test_kappa_of_independent_labels_is_near_0_and_of_opposite_ones_minus_1():
    rng = np.random.default_rng(0)
    n = 100_000
    assert abs(kappa(rng.integers(0, 3, n), rng.integers(0, 3, n))) < 5 / np.sqrt(n)
    assert kappa([0, 1, 0, 1], [1, 0, 1, 0]) == -1
    assert kappa([0, 0, 0], [1, 1, 1]) == 0  # constant but different: never together, and not expected to be


def test_the_matrix_is_kappa_of_every_pair():
    rng = np.random.default_rng(0)
    predictions = rng.integers(0, 3, (6, 40))
    predictions[4] = predictions[5] = 1
    matrix = kappa_matrix(predictions)
    assert matrix.tolist() == [[kappa(a, b) for a in predictions] for b in predictions]
    assert matrix.tolist() == kappa_matrix(LABELS["text"][predictions].tolist()).tolist()


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ([0, 1], [0, 1, 1], "2 and 3 labels"),
        ([], [], "no labels"),
        ([1, 2], ["1", "2"], r"mixed type \(number, text\)"),
        (np.array([1, "a"], dtype=object), [1, 1], "mixed type"),
        ([0.0, np.nan], [0.0, 1.0], "NaN"),
        ([None, None], [None, None], "None"),
        (["a", None], ["a", "b"], "NoneType"),
        (np.array([0.0, np.nan], dtype=object), [0, 1], "NaN"),
        ([[0, 1], [1, 0]], [0, 1], "1d"),
    ],
)
def test_labels_that_cannot_be_compared(a, b, message):
    with pytest.raises(ValueError, match=message):
        kappa(a, b)


# the selection


def test_pairs_come_by_kappa_and_ties_by_index():
    agreement = np.ones((4, 4))
    for i, j, value in [(0, 1, 0.5), (0, 2, 0.1), (0, 3, 0.5), (1, 2, 0.1), (1, 3, 0.9), (2, 3, 0.5)]:
        agreement[i, j] = agreement[j, i] = value
    assert kappa_order(agreement).tolist() == [[0, 2], [1, 2], [0, 1], [0, 3], [2, 3], [1, 3]]
    assert kappa_select(agreement, 2).tolist() == [0, 2]
    assert kappa_select(agreement, 3).tolist() == [0, 1, 2]
    assert kappa_select(agreement, 1).tolist() == [2]  # of the pair (0, 2) the lower mean kappa: 1.1 and .7


def test_one_place_left_goes_to_the_lower_mean_kappa():
    agreement = np.full((5, 5), 0.8)
    np.fill_diagonal(agreement, 1)
    agreement[0, 1] = agreement[1, 0] = 0.1
    agreement[2, 3] = agreement[3, 2] = 0.2
    assert kappa_select(agreement, 3).tolist() == [0, 1, 2]  # a tie: the first
    agreement[3, 4] = agreement[4, 3] = 0.7
    assert kappa_select(agreement, 3).tolist() == [0, 1, 3]


def slow_select(agreement, keep):
    members = range(len(agreement))
    kept = []
    for _, i, j in sorted((agreement[i][j], i, j) for i in members for j in members if i < j):
        new = [member for member in (i, j) if member not in kept]
        if len(kept) + len(new) > keep:
            new = sorted(new, key=lambda member: (math.fsum(agreement[member]), member))[: keep - len(kept)]
        kept += new
    return sorted(kept)


@given(st.integers(2, 8), st.integers(0, 10_000))
def test_the_selection_is_its_slow_twins(members, seed):
    predictions = np.random.default_rng(seed).integers(0, 2, (members, 6))
    agreement = kappa_matrix(predictions)
    for keep in range(1, members + 1):
        assert kappa_select(agreement, keep).tolist() == slow_select(agreement.tolist(), keep)


def slow_removal(agreement, keep):
    left = list(range(len(agreement)))
    while len(left) > keep:
        pairs = [(-agreement[i][j], i, j) for i in left for j in left if i < j]
        left.remove(min(pairs)[2])
    return left


@given(st.integers(2, 8), st.integers(0, 10_000))
def test_removal_is_its_slow_twins(members, seed):
    predictions = np.random.default_rng(seed).integers(0, 2, (members, 6))
    agreement = kappa_matrix(predictions)
    kept = [kappa_select(agreement, keep, "removal").tolist() for keep in range(1, members + 1)]
    assert kept == [slow_removal(agreement.tolist(), keep) for keep in range(1, members + 1)]
    assert [len(each) for each in kept] == list(range(1, members + 1))
    assert all(set(fewer) < set(more) for fewer, more in pairwise(kept))  # one is dropped after the other
    assert kept[0] == [0]  # the first is never the later of a pair


def test_removal_drops_copies_and_keeps_what_they_copy():
    """Pairs keep the two that differ most and what differs next, here the copies of both; removal has none of them."""
    rng = np.random.default_rng(0)
    different = rng.integers(0, 3, (3, 60))
    predictions = np.vstack([different, different, different])
    assert kappa_select(kappa_matrix(predictions), 3, "removal").tolist() == [0, 1, 2]
    assert kappa_select(kappa_matrix(predictions), 3).tolist() != [0, 1, 2]


def test_an_unknown_pruning_is_refused():
    with pytest.raises(ValueError, match="pruning='cut' is not allowed: pruning must be one of 'pairs', 'removal'"):
        kappa_select([[1.0]], 1, "cut")


def test_pruning_an_ensemble_by_removal(data):
    X, y = data
    forest = RandomForestClassifier(8, max_depth=2, random_state=0).fit(X, y)
    kept = kappa_select(kappa_matrix(member_predictions(forest, X)), 3, "removal")
    pruned = kappa_prune(forest, X, y, keep=3, pruning="removal")
    np.testing.assert_array_equal(member_predictions(pruned, X), member_predictions(forest, X)[kept])


def test_one_member_is_kept():
    assert kappa_order([[1.0]]).shape == (0, 2)
    assert kappa_select([[1.0]], 1).tolist() == [0]


@pytest.mark.parametrize("agreement", [np.ones(3), np.ones((2, 3)), np.ones((0, 0))])
def test_an_agreement_of_another_shape_is_refused(agreement):
    with pytest.raises(ValueError, match="agreement has shape"):
        kappa_select(agreement, 1)


# members


@every_ensemble
def test_members_speak_the_labels_of_the_ensemble(ensemble, data):
    X, y = data
    said = member_predictions(ensemble, X)
    assert said.shape == (len(ensemble.estimators_), len(X))
    assert set(said.ravel()) <= set(y)
    assert (said == y).mean() > 0.45  # a third by luck


@pytest.mark.parametrize("called", LABELS.values(), ids=LABELS)
def test_bootstraps_that_miss_classes_are_read_right(called):
    X, y = make_blobs(60, centers=3, cluster_std=0.1, random_state=0)
    bagging = BaggingClassifier(KNeighborsClassifier(1), 20, max_samples=3, random_state=0).fit(X, called[y])
    for member, said in zip(bagging.estimators_, member_predictions(bagging, X), strict=True):
        drawn = np.isin(np.searchsorted(bagging.classes_, called[y]), member.classes_)  # codes
        np.testing.assert_array_equal(said[drawn], called[y][drawn])
    assert min(len(member.classes_) for member in bagging.estimators_) < 3


@pytest.mark.parametrize(
    "name", ["forest", "bagging of parts", "adaboost", "hard vote", "emphatic", "emphatic of stumps"]
)
def test_tables_with_names(name, data):
    X, y = data
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    plain, named = clone(ENSEMBLES[name]).fit(X, y), clone(ENSEMBLES[name]).fit(frame, y)
    np.testing.assert_array_equal(member_predictions(plain, X), member_predictions(named, frame))
    pruned = kappa_prune(named, frame, y, 2)
    np.testing.assert_array_equal(pruned.predict(frame), kappa_prune(plain, X, y, 2).predict(X))


def test_sparse_tables_and_lists(data):
    X, y = data
    forest = clone(ENSEMBLES["bagging of parts"]).fit(X, y)
    expected = member_predictions(forest, X)
    np.testing.assert_array_equal(member_predictions(forest, csr_matrix(X)), expected)
    np.testing.assert_array_equal(member_predictions(forest, X.tolist()), expected)


# pruning


@every_ensemble
def test_the_kept_are_those_of_the_selection(ensemble, data):
    X, y = data
    keep = len(ensemble.estimators_) // 2
    before = state(ensemble)
    pruned = kappa_prune(ensemble, X, y, keep)
    assert state(ensemble) == before
    assert type(pruned) is type(ensemble)
    kept = kappa_select(kappa_matrix(member_predictions(ensemble, X)), keep)
    np.testing.assert_array_equal(member_predictions(pruned, X), member_predictions(ensemble, X)[kept])
    assert pruned.predict(X).shape == y.shape
    if "n_estimators" in ensemble.get_params():
        assert pruned.n_estimators == keep
    np.testing.assert_array_equal(pickle.loads(state(pruned)).predict(X), pruned.predict(X))
    clone(pruned).fit(X, y)


@every_ensemble
def test_all_kept_is_the_same_ensemble(ensemble, data):
    X, y = data
    same = kappa_prune(ensemble, X, y, len(ensemble.estimators_))
    np.testing.assert_array_equal(same.predict(X), ensemble.predict(X))
    for method in ("predict_proba", "decision_function"):
        if hasattr(ensemble, method):
            np.testing.assert_array_equal(getattr(same, method)(X), getattr(ensemble, method)(X))


@every_ensemble
def test_the_copy_shares_nothing(ensemble, data):
    X, y = data
    before = ensemble.predict(X)
    pruned = kappa_prune(ensemble, X, y, 2)
    for one in (pruned, *pruned.estimators_):
        one.fit(X, np.roll(y, 40))
    np.testing.assert_array_equal(ensemble.predict(X), before)


def test_a_pruned_forest_averages_the_kept_trees(data):
    X, y = data
    for name in ("forest", "bagging"):
        ensemble = clone(ENSEMBLES[name]).fit(X, y)
        pruned = kappa_prune(ensemble, X, y, 5)
        kept = kappa_select(kappa_matrix(member_predictions(ensemble, X)), 5)
        expected = np.mean([ensemble.estimators_[member].predict_proba(X) for member in kept], axis=0)
        np.testing.assert_allclose(pruned.predict_proba(X), expected, atol=1e-12)


def test_pruned_bagging_knows_its_samples_and_features(data):
    X, y = data
    ensemble = clone(ENSEMBLES["bagging of parts"]).fit(X, y)
    pruned = kappa_prune(ensemble, X, y, 5)
    kept = kappa_select(kappa_matrix(member_predictions(ensemble, X)), 5)
    np.testing.assert_array_equal(pruned.estimators_features_, np.array(ensemble.estimators_features_)[kept])
    np.testing.assert_array_equal(pruned.estimators_samples_, np.array(ensemble.estimators_samples_)[kept])


def test_what_was_measured_with_all_members_is_gone(data):
    X, y = data
    ensemble = BaggingClassifier(STUMP, 50, oob_score=True, random_state=0).fit(X, y)
    pruned = kappa_prune(ensemble, X, y, 5)
    assert hasattr(ensemble, "oob_score_")
    assert not hasattr(pruned, "oob_score_")
    assert not hasattr(pruned, "oob_decision_function_")
    boosted = clone(ENSEMBLES["emphatic"]).fit(X, y)
    assert hasattr(boosted, "margin_")
    assert not hasattr(kappa_prune(boosted, X, y, 5), "margin_")


def test_pruned_adaboost_weighs_the_kept(data):
    X, y = data
    ensemble = clone(ENSEMBLES["adaboost"]).fit(X, y)
    pruned = kappa_prune(ensemble, X, y, 5)
    kept = kappa_select(kappa_matrix(member_predictions(ensemble, X)), 5)
    np.testing.assert_array_equal(pruned.estimator_weights_, ensemble.estimator_weights_[kept])
    np.testing.assert_array_equal(pruned.estimator_errors_, ensemble.estimator_errors_[kept])
    votes = [
        weight * (said[:, None] == ensemble.classes_)
        for weight, said in zip(pruned.estimator_weights_, member_predictions(pruned, X), strict=True)
    ]
    np.testing.assert_array_equal(pruned.predict(X), ensemble.classes_[np.sum(votes, axis=0).argmax(axis=1)])


def test_adaboost_that_stopped_early(data):
    X, y = data
    ensemble = AdaBoostClassifier(DecisionTreeClassifier(random_state=0), n_estimators=10, random_state=0).fit(X, y)
    assert len(ensemble.estimators_) == 1 < len(ensemble.estimator_weights_)
    pruned = kappa_prune(ensemble, X, y, 1)
    assert len(pruned.estimator_weights_) == 1
    np.testing.assert_array_equal(pruned.predict(X), ensemble.predict(X))


def test_a_pruned_vote_keeps_names_and_weights(data):
    X, y = data
    ensemble = clone(ENSEMBLES["weighed vote"]).fit(X, y)
    kept = kappa_select(kappa_matrix(member_predictions(ensemble, X)), 2)
    pruned = kappa_prune(ensemble, X, y, 2)
    names = [["bayes", "tree", "stump"][member] for member in kept]
    assert [name for name, _ in pruned.estimators] == list(pruned.named_estimators_) == names
    assert pruned.weights == [[1, 2, 3][member] for member in kept]
    expected = np.average(
        [member.predict_proba(X) for member in pruned.estimators_],
        axis=0,
        weights=[[1, 2, 3][member] for member in kept],
    )
    np.testing.assert_allclose(pruned.predict_proba(X), expected)


def test_a_pruned_ensemble_of_ours_adds_the_kept(data):
    X, y = data
    ensemble = clone(ENSEMBLES["emphatic"]).fit(X, y)
    pruned = kappa_prune(ensemble, X, y, 5)
    kept = kappa_select(kappa_matrix(member_predictions(ensemble, X)), 5)
    for name in ("alphas_", "edges_", "effective_sample_sizes_", "candidates_", "sample_weights_"):
        np.testing.assert_array_equal(getattr(pruned, name), getattr(ensemble, name)[kept])
    expected = sum(ensemble.alphas_[member] * ensemble.estimators_[member].output(X) for member in kept)
    np.testing.assert_allclose(pruned.decision_function(X), expected, atol=1e-12)
    assert len(list(pruned.staged_predict(X))) == 5


@pytest.mark.parametrize("members", [3, 4])
@pytest.mark.parametrize("name", ["forest", "bagging of parts", "adaboost", "emphatic"])
def test_as_many_members_as_classes_or_features(name, members, data):
    X, y = data
    ensemble = clone(ENSEMBLES[name]).set_params(n_estimators=members).fit(X, y)
    pruned = kappa_prune(ensemble, X, y, 2)
    assert pruned.classes_.tolist() == ensemble.classes_.tolist()
    assert set(pruned.predict(X)) <= set(y)


@pytest.mark.parametrize("keep", [0, -1, 2.0, True, "all", None])
def test_keep_is_a_whole_number_from_1(keep, data):
    forest = clone(ENSEMBLES["forest"]).fit(*data)
    with pytest.raises(ValueError, match=r"keep=.*integer of at least 1"):
        kappa_prune(forest, *data, keep)


def test_more_than_there_are_is_refused_naming_both(data):
    forest = clone(ENSEMBLES["forest"]).fit(*data)
    with pytest.raises(ValueError, match=r"keep=13 is not allowed: there are 12 members.*\[1, 12\]"):
        kappa_prune(forest, *data, 13)


def test_labels_are_held_against_the_table_and_the_ensemble(data):
    X, y = data
    forest = clone(ENSEMBLES["forest"]).fit(X, y)
    with pytest.raises(ValueError, match="X has 150 rows but y has 149"):
        kappa_prune(forest, X, y[1:], 3)
    with pytest.raises(ValueError, match="not trained on: \\['rose'\\]"):
        kappa_prune(forest, X, np.where(y == "a", "rose", y), 3)


@pytest.mark.parametrize(
    ("refused", "reason"),
    [
        (GradientBoostingClassifier(n_estimators=2), "corrects the sum of those before it"),
        (HistGradientBoostingClassifier(max_iter=2), "no fitted members"),
        (
            StackingClassifier([("a", GaussianNB()), ("b", STUMP)], LogisticRegression(max_iter=1000)),
            "none can be left out",
        ),
        (OneVsRestClassifier(GaussianNB()), "divides the classes"),
        (OutputCodeClassifier(GaussianNB(), random_state=0), "divides the classes"),
        (RandomForestRegressor(2), "is not a classifier"),
        (IsolationForest(n_estimators=2), "is not a classifier"),
        (LogisticRegression(max_iter=1000), "no fitted members"),
        (make_pipeline(StandardScaler(), RandomForestClassifier(2)), "of a pipeline its last step"),
    ],
    ids=lambda one: type(one).__name__,
)
def test_what_has_no_voting_members_is_refused_with_the_reason(refused, reason):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(TypeError, match=reason):
        kappa_prune(refused.fit(X, y), X, y, 1)


def test_several_outputs_an_unfitted_ensemble_and_a_class_are_refused(data):
    X, y = data
    both = RandomForestClassifier(2, random_state=0).fit(X, np.column_stack([y, y]))
    with pytest.raises(TypeError, match="several outputs"):
        kappa_prune(both, X, y, 1)
    with pytest.raises(NotFittedError):
        kappa_prune(RandomForestClassifier(), X, y, 1)
    with pytest.raises(TypeError, match=r"ensemble=.*is not allowed"):
        kappa_prune(RandomForestClassifier, X, y, 1)


@pytest.mark.filterwarnings("ignore:No learner had an edge:UserWarning")
def test_an_ensemble_that_learnt_nothing_is_refused():
    X, y = np.ones((20, 2)), np.arange(20) % 2
    empty = RealAdaBoostClassifier(STUMP, n_estimators=3).fit(X, y)
    with pytest.raises(ValueError, match="no members"):
        kappa_prune(empty, X, y, 1)


# the protocol


class Committee(ClassifierMixin, BaseEstimator):
    """An ensemble that nobody told us of: stumps, each on a bootstrap, with a vote each."""

    def __init__(self, size=7):
        self.size = size

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.n_features_in_ = X.shape[1]
        draws = np.random.default_rng(0).integers(len(X), size=(self.size, len(X)))
        self.estimators_ = [clone(STUMP).fit(X[rows], y[rows]) for rows in draws]
        self.votes_ = np.array([one.score(X, y) for one in self.estimators_])
        self.history_ = [(member, len(set(rows))) for member, rows in enumerate(draws)]
        return self

    def predict(self, X):
        said = np.array([one.predict(X) for one in self.estimators_])
        support = np.array([self.votes_ @ (said == label) for label in self.classes_])
        return self.classes_[support.argmax(axis=0)]


def test_an_ensemble_of_your_own(data):
    X, y = data
    committee = Committee().fit(X, y)
    kept = kappa_select(kappa_matrix(member_predictions(committee, X)), 3)
    pruned = kappa_prune(committee, X, y, 3)
    np.testing.assert_array_equal(pruned.votes_, committee.votes_[kept])
    assert pruned.history_ == [committee.history_[member] for member in kept]
    assert pruned.size == 7


@pytest.mark.parametrize("size", [3, 4, 150])  # classes, features, rows
def test_where_lengths_do_not_tell_it_says_so(size, data):
    X, y = data
    with pytest.raises(ValueError, match=f"history_, votes_ of Committee may belong to its {size} members"):
        kappa_prune(Committee(size).fit(X, y), X, y, 2)

    class Declared(Committee):
        member_attributes = ("votes_", "history_")

    pruned = kappa_prune(Declared(size).fit(X, y), X, y, 2)
    assert len(pruned.votes_) == len(pruned.history_) == len(pruned.estimators_) == 2
    assert len(pruned.classes_) == 3


def test_an_ensemble_may_read_its_members_out_itself(data):
    class Mirrored(Committee):
        def fit(self, X, y):
            return super().fit(X[:, ::-1], y)

        def predict(self, X):
            return super().predict(X[:, ::-1])

        def member_predictions(self, X):
            return [one.predict(X[:, ::-1]) for one in self.estimators_]

    X, y = data
    mirrored, plain = Mirrored().fit(X[:, ::-1], y), Committee().fit(X, y)
    expected = kappa_prune(plain, X, y, 3).predict(X)
    np.testing.assert_array_equal(kappa_prune(mirrored, X[:, ::-1], y, 3).predict(X[:, ::-1]), expected)


def test_members_that_know_other_classes_are_refused(data):
    X, y = data
    committee = Committee().fit(X, y)
    committee.estimators_ = [clone(STUMP).fit(X, y == "a") for _ in range(7)]
    with pytest.raises(TypeError, match="members must vote on the classes of the ensemble"):
        kappa_prune(committee, X, y, 2)


# the diagram


def test_points_are_kappa_and_mean_error_of_each_pair(data):
    X, y = data
    forest = clone(ENSEMBLES["forest"]).fit(X, y)
    points = kappa_error_points(forest, X, y)
    said = member_predictions(forest, X)
    assert len(points.kappa) == 12 * 11 // 2
    for agreement, error, i, j in zip(*points, strict=True):
        assert i < j
        assert agreement == kappa(said[i], said[j])
        assert error == pytest.approx(((said[i] != y).mean() + (said[j] != y).mean()) / 2)


def test_the_diagram_shows_every_pair_once(data):
    pytest.importorskip("plotly")
    X, y = data
    forest = clone(ENSEMBLES["forest"]).fit(X, y)
    points = kappa_error_points(forest, X, y)
    other, kept = kappa_error_diagram(forest, X, y, keep=4).data
    assert len(kept.x) == 6
    assert sorted([*other.x, *kept.x]) == sorted(points.kappa)
    assert sorted([*other.y, *kept.y]) == sorted(points.error)
    assert len(kappa_error_diagram(forest, X, y).data[0].x) == 66


def test_without_plotly_the_remedy_is_named(data, monkeypatch):
    monkeypatch.setitem(sys.modules, "plotly", None)
    monkeypatch.setitem(sys.modules, "plotly.graph_objects", None)
    forest = clone(ENSEMBLES["forest"]).fit(*data)
    with pytest.raises(ImportError, match=r"emphatic\[plot\]"):
        kappa_error_diagram(forest, *data)


def test_two_classes_and_numbers():
    X, y = load_breast_cancer(return_X_y=True)
    for name in ("forest", "bagging of parts", "adaboost", "emphatic of stumps"):
        ensemble = clone(ENSEMBLES[name]).fit(X, 10 * y - 3)
        pruned = kappa_prune(ensemble, X, 10 * y - 3, 3)
        assert pruned.score(X, 10 * y - 3) > 0.8
        assert copy.deepcopy(pruned).classes_.tolist() == [-3, 7]


@pytest.mark.parametrize("width", [2, 5])
@pytest.mark.parametrize("max_features", [1.0, 0.5])
def test_table_of_another_width_is_refused(width, max_features):
    X, y = load_iris(return_X_y=True)
    bagged = BaggingClassifier(n_estimators=5, max_features=max_features, random_state=0).fit(X, y)
    other = np.zeros((len(y), width))
    for table in (other, other.tolist()):
        with pytest.raises(ValueError, match=f"X has {width} features, but BaggingClassifier was trained on 4"):
            kappa_prune(bagged, table, y, keep=2)
