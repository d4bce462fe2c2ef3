"""Validity indices, the choice of the number of clusters, and the fuzzy adjusted Rand index."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from sklearn.datasets import load_iris, make_blobs
from sklearn.metrics import adjusted_rand_score, silhouette_score

from emphatic.clustering import (
    EntropyCMeans,
    FuzzyCMeans,
    FuzzyKMedoids,
    PossibilisticCMeans,
    fuzzy_adjusted_rand_score,
    fuzzy_silhouette_score,
    modified_partition_coefficient,
    partition_coefficient,
    partition_entropy,
    select_n_clusters,
    xie_beni_index,
)
from tests.reference.clustering import fuzzy_rand

IRIS = load_iris().data
CRISP = np.eye(3)[load_iris().target]
EQUAL = np.full((150, 3), 1 / 3)


def shares(n, c, seed):
    return np.random.default_rng(seed).dirichlet(np.ones(c), n)


def test_what_indices_of_crisp_and_equal_memberships_are():
    assert partition_coefficient(CRISP) == modified_partition_coefficient(CRISP) == 1
    assert partition_entropy(CRISP) == 0
    assert partition_coefficient(EQUAL) == pytest.approx(1 / 3)
    assert modified_partition_coefficient(EQUAL) == pytest.approx(0)
    assert partition_entropy(EQUAL) == pytest.approx(np.log(3))


def test_of_crisp_memberships_or_without_weights_the_fuzzy_silhouette_is_that_of_scikit_learn():
    labels = load_iris().target
    assert fuzzy_silhouette_score(IRIS, CRISP) == pytest.approx(silhouette_score(IRIS, labels))
    U = shares(150, 3, 0)
    expected = silhouette_score(IRIS, U.argmax(axis=1))
    assert fuzzy_silhouette_score(IRIS, U, alpha=0) == pytest.approx(expected)
    assert fuzzy_silhouette_score(cdist(IRIS, IRIS), U, alpha=0, metric="precomputed") == pytest.approx(expected)


def test_xie_beni_is_the_objective_over_the_separation():
    model = FuzzyCMeans(3, random_state=0).fit(IRIS)
    apart = min(
        ((model.cluster_centers_[j] - model.cluster_centers_[k]) ** 2).sum() for j in range(3) for k in range(j)
    )
    found = xie_beni_index(IRIS, model.membership_, model.cluster_centers_)
    assert found == pytest.approx(model.objective_ / (150 * apart))
    assert xie_beni_index(IRIS, EQUAL, np.zeros((3, 4))) == np.inf


def test_indices_of_iris_are_those_of_another_library():
    # fuzzy-c-means 2.3.1 on iris with 3 clusters, m=2 and error=1e-9: partition_coefficient,
    # partition_entropy_coefficient (which takes logarithms to the base 2), xie_beni and fuzzy_silhouette
    model = FuzzyCMeans(3, tol=1e-15, max_iter=1000, random_state=0).fit(IRIS)
    U = model.membership_
    assert partition_coefficient(U) == pytest.approx(0.783397487, abs=1e-7)
    assert partition_entropy(U) / np.log(2) == pytest.approx(0.570573743, abs=1e-7)
    assert xie_beni_index(IRIS, U, model.cluster_centers_) == pytest.approx(0.136908153, abs=1e-7)
    assert fuzzy_silhouette_score(IRIS, U) == pytest.approx(0.620774482, abs=1e-7)


# the fuzzy adjusted Rand index


@settings(max_examples=40, deadline=None)
@given(
    labels=st.lists(st.tuples(st.integers(0, 3), st.sampled_from("abc")), min_size=1, max_size=90),
)
def test_of_crisp_partitions_it_is_that_of_scikit_learn(labels):
    first, second = (np.array(one) for one in zip(*labels))
    expected = adjusted_rand_score(first, second)
    assert fuzzy_adjusted_rand_score(first, second) == pytest.approx(expected, abs=1e-12)
    assert fuzzy_adjusted_rand_score(np.eye(4)[first], second) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("c", "k"), [(2, 2), (3, 2), (4, 3), (1, 3)])
def test_it_is_the_slow_one(c, k):
    U, V = shares(25, c, 0), shares(25, k, 1)
    assert fuzzy_adjusted_rand_score(U, V) == pytest.approx(fuzzy_rand(U, V), abs=1e-12)


def test_it_knows_no_order_of_partitions_clusters_or_rows():
    U, V, order = shares(150, 3, 0), shares(150, 4, 1), np.random.default_rng(2).permutation(150)
    found = fuzzy_adjusted_rand_score(U, V)
    assert fuzzy_adjusted_rand_score(V, U) == pytest.approx(found)
    assert fuzzy_adjusted_rand_score(U[:, [2, 0, 1]], V) == pytest.approx(found)
    assert fuzzy_adjusted_rand_score(U[order], V[order]) == pytest.approx(found)
    assert abs(found) < 0.05


def test_fuzzier_memberships_agree_less_with_the_truth():
    X, y = make_blobs(90, centers=3, random_state=1)
    found = [fuzzy_adjusted_rand_score(y, FuzzyCMeans(3, m=m, random_state=0).fit(X).membership_) for m in (1.1, 2, 4)]
    assert found[0] > found[1] > found[2] > 0


# the number of clusters


def test_all_indices_are_in_the_table():
    X, _ = make_blobs(150, centers=[[0, 0], [9, 0], [0, 9], [9, 9]], random_state=0)
    found = select_n_clusters(X, [2, 5, 3, 4, 4], random_state=0)
    table = found.table
    assert table["n_clusters"].tolist() == [2, 3, 4, 5]
    assert found.n_clusters == found.estimator.n_clusters == table["n_clusters"][table["chosen"]].item() == 4
    assert list(table.columns[1:-1]) == list(found.indices) == list(found.choices)
    assert set(found.choices.values()) == {4}
    best = found.estimator
    assert table["xie_beni_index"][2] == pytest.approx(
        xie_beni_index(X, best.membership_, best.cluster_centers_), rel=1e-12
    )
    assert table["fuzzy_silhouette_score"][2] == pytest.approx(fuzzy_silhouette_score(X, best.membership_))


@pytest.mark.parametrize("estimator", [EntropyCMeans(), PossibilisticCMeans(), FuzzyKMedoids()], ids=repr)
def test_any_clusterer_can_be_asked(estimator):
    X, _ = make_blobs(60, centers=[[0, 0], [20, 0], [0, 20]], random_state=0)
    found = select_n_clusters(X, range(2, 5), estimator=estimator, index="xie_beni_index", random_state=0)
    assert found.n_clusters == found.choices["xie_beni_index"] == 3


def test_distances_have_no_xie_beni_index():
    X, _ = make_blobs(60, centers=[[0, 0], [20, 0], [0, 20]], random_state=0)
    distances, medoids = cdist(X, X), FuzzyKMedoids(metric="precomputed")
    found = select_n_clusters(distances, range(2, 5), estimator=medoids)
    assert found.n_clusters == 3
    assert found.choices["xie_beni_index"] is None
    with pytest.raises(ValueError, match="index='xie_beni_index' is not defined for any"):
        select_n_clusters(distances, [2], estimator=medoids, index="xie_beni_index")


# bad input


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: partition_coefficient([[0.5], [0.5]]), "minimum of 2 is required"),
        (lambda: partition_coefficient([[0.5, 1.5]]), r"membership holds values from 0.5 to 1.5"),
        (lambda: partition_entropy([[0.5, np.nan]]), "NaN"),
        (lambda: xie_beni_index([[0.0], [1.0]], [[1, 0]], [[0.0], [1.0]]), "membership has 1 rows and X has 2"),
        (lambda: xie_beni_index([[0.0], [1.0]], CRISP[:2], [[0.0], [1.0]]), r"centers has shape \(2, 1\): .* \(3, 1\)"),
        (lambda: fuzzy_silhouette_score([[0.0], [1.0]], [[1, 0], [1, 0]]), "no silhouette"),
        (lambda: fuzzy_silhouette_score(IRIS, CRISP, alpha=-1), "alpha=-1"),
        (lambda: fuzzy_adjusted_rand_score([0, 1], [0, 1, 1]), "first has 2 rows and second has 3"),
        (lambda: fuzzy_adjusted_rand_score([[2.0, 0.0]], [0]), "first holds values from 0 to 2"),
        (lambda: select_n_clusters(IRIS, 3), "n_clusters=3 is not allowed: n_clusters must list integers"),
        (lambda: select_n_clusters(IRIS, [1, 2]), "n_clusters=1"),
        (lambda: select_n_clusters(IRIS, []), "n_clusters is empty"),
        (lambda: select_n_clusters(IRIS, [2], index="best"), "index='best'"),
    ],
)
def test_input_that_is_not_allowed(call, said):
    with pytest.raises(ValueError, match=said):
        call()


def test_a_clusterer_of_another_library_is_not_allowed():
    from sklearn.cluster import KMeans

    with pytest.raises(TypeError, match="estimator=KMeans"):
        select_n_clusters(IRIS, estimator=KMeans())


def test_values_whose_squares_overflow_are_refused():
    X = np.array([[0.0], [1.0], [5.0], [1e200]])
    with pytest.raises(ValueError, match="whose squares can overflow"):
        fuzzy_silhouette_score(X, [[1, 0], [0.6, 0.4], [0.1, 0.9], [0, 1]])
