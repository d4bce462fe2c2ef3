"""The variants of fuzzy c-means: what holds exactly, their slow twins, other libraries, the contract, bad input."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris, make_blobs
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.utils.estimator_checks import parametrize_with_checks

from emphatic.clustering import (
    EntropyCMeans,
    EvidentialCMeans,
    FuzzyCMeans,
    FuzzyKMedoids,
    GustafsonKessel,
    NoiseCMeans,
    PossibilisticCMeans,
)
from emphatic.fusion.evidence import Masses
from tests.reference import clustering as slow

VARIANTS = [
    EntropyCMeans(),
    EvidentialCMeans(),
    FuzzyKMedoids(),
    GustafsonKessel(),
    NoiseCMeans(),
    PossibilisticCMeans(),
]
every_variant = pytest.mark.parametrize("model", VARIANTS, ids=lambda one: type(one).__name__)
IRIS = load_iris().data
START = IRIS[[0, 60, 120]] + 0.1


def table(n=60, d=3, seed=0):
    return make_blobs(n, d, centers=3, cluster_std=2.0, random_state=seed)[0]


def few_steps(model, X, n_iter=3, **more):
    """A fit of so many iterations."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.set_params(max_iter=n_iter, tol=0.0).fit(X, **more)


def same_clusters(one, other, atol=1e-9):
    np.testing.assert_allclose(one.cluster_centers_, other.cluster_centers_, atol=atol)
    np.testing.assert_allclose(one.membership_, other.membership_, atol=atol)
    assert one.objective_ == pytest.approx(other.objective_, rel=atol)


# what they are when they are something else

SPECIAL_CASES = {
    "noise that is infinitely far away": NoiseCMeans(3, noise_distance=np.inf),
    "spheres by shrinking": GustafsonKessel(3, shrinkage=1.0),
    "spheres by their condition": GustafsonKessel(3, max_condition=1.0),
    "masses on single clusters": EvidentialCMeans(3, focal_sets="singletons", noise_distance=np.inf),
}


@pytest.mark.parametrize("model", SPECIAL_CASES.values(), ids=SPECIAL_CASES)
@pytest.mark.parametrize("m", [1.5, 2.0])
def test_fuzzy_c_means_is_a_special_case(model, m):
    same_clusters(clone(model).set_params(m=m, random_state=0).fit(IRIS), FuzzyCMeans(3, m=m, random_state=0).fit(IRIS))


def test_masses_on_single_clusters_and_the_empty_set_are_a_noise_cluster():
    evidence = EvidentialCMeans(3, focal_sets="singletons", noise_distance=1.5, init=START).fit(IRIS)
    noise = NoiseCMeans(3, noise_distance=1.5, init=START).fit(IRIS)
    np.testing.assert_allclose(evidence.cluster_centers_, noise.cluster_centers_, atol=1e-9)
    np.testing.assert_allclose(evidence.masses_[:, 1:], noise.membership_, atol=1e-9)
    np.testing.assert_allclose(evidence.masses_[:, 0], 1 - noise.membership_.sum(axis=1), atol=1e-9)
    np.testing.assert_array_equal(evidence.labels_, noise.labels_)


def test_towards_the_temperature_0_entropy_is_k_means():
    cold = EntropyCMeans(3, temperature=1e-9, init=START, tol=0.0).fit(IRIS)
    means = KMeans(3, init=START, n_init=1, tol=0.0).fit(IRIS)
    np.testing.assert_allclose(cold.cluster_centers_, means.cluster_centers_, atol=1e-9)
    np.testing.assert_array_equal(cold.labels_, means.labels_)
    assert cold.objective_ == pytest.approx(means.inertia_)


def test_a_hot_table_is_one_cluster():
    X = table()
    hot = EntropyCMeans(3, temperature=1e6, random_state=0).fit(X)
    np.testing.assert_allclose(hot.cluster_centers_, np.tile(X.mean(axis=0), (3, 1)), atol=1e-3)
    np.testing.assert_allclose(hot.membership_, 1 / 3, atol=1e-3)


@pytest.mark.parametrize("metric", ["euclidean", "sqeuclidean", "cityblock", "chebyshev"])
@pytest.mark.parametrize("init", ["build", "random"])
def test_medoids_of_vectors_are_those_of_their_distances(metric, init):
    X, new = table(), table(seed=1)[:7]
    vectors = FuzzyKMedoids(3, metric=metric, init=init, random_state=0).fit(X)
    matrix = FuzzyKMedoids(3, metric="precomputed", init=init, random_state=0).fit(cdist(X, X, metric))
    np.testing.assert_array_equal(vectors.medoid_indices_, matrix.medoid_indices_)
    np.testing.assert_array_equal(vectors.cluster_centers_, X[matrix.medoid_indices_])
    np.testing.assert_allclose(vectors.membership_, matrix.membership_, atol=1e-12)
    np.testing.assert_allclose(
        vectors.predict_membership(new), matrix.predict_membership(cdist(new, X, metric)), atol=1e-12
    )


def test_memberships_of_evidence_are_pignistic_probabilities():
    model = EvidentialCMeans(4, focal_sets="all", random_state=0).fit(IRIS)
    masses = Masses.of(model.sets_, model.predict_masses(IRIS), 4)
    np.testing.assert_allclose(masses.pignistic(), model.membership_, atol=1e-12)
    np.testing.assert_array_equal(model.predict_masses(IRIS), model.masses_)


@every_variant
def test_the_order_of_the_rows_does_not_matter(model):
    X, order = table(), np.random.default_rng(0).permutation(60)
    plain, shuffled = (clone(model).set_params(random_state=0).fit(rows) for rows in (X, X[order]))
    np.testing.assert_allclose(shuffled.membership_, plain.membership_[order], atol=1e-9)
    np.testing.assert_array_equal(shuffled.labels_, plain.labels_[order])


@every_variant
@pytest.mark.parametrize("m", [1.3, 2.0])
def test_the_objective_never_rises(model, m):
    model = clone(model).set_params(n_clusters=4, random_state=0, tol=0.0, max_iter=1000)
    if not isinstance(model, EntropyCMeans):
        model.set_params(m=m)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(IRIS)
    changes = np.diff(model.objectives_)
    assert (changes <= 1e-12 * model.objectives_[0]).all()
    assert model.objective_ < model.objectives_[0] or isinstance(model, FuzzyKMedoids)  # which needs few iterations


@every_variant
def test_a_weight_counts_as_so_many_repeats(model):
    X, rng = table(), np.random.default_rng(1)
    weights = rng.integers(0, 4, len(X))
    repeated = rng.permutation(np.repeat(X, weights, axis=0))
    model = clone(model).set_params(random_state=0)
    weighted, again = clone(model).fit(X, sample_weight=weights), clone(model).fit(repeated)
    np.testing.assert_allclose(weighted.cluster_centers_, again.cluster_centers_, atol=1e-9)
    assert weighted.objective_ == pytest.approx(again.objective_, rel=1e-9)
    scaled = clone(model).fit(X, sample_weight=weights * 7.0)
    assert scaled.objective_ == pytest.approx(7 * weighted.objective_, rel=1e-9)


@every_variant
def test_what_is_learnt_is_what_is_predicted(model):
    X = table()
    model = clone(model).set_params(random_state=0).fit(X)
    np.testing.assert_allclose(model.predict_membership(X), model.membership_, atol=1e-12)
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    assert model.membership_.shape == (len(X), 3) and model.membership_.min() >= 0
    sums = model.membership_.sum(axis=1)
    if isinstance(model, PossibilisticCMeans | NoiseCMeans):
        assert (sums > 0).all() and sums.min() < 0.99
    else:
        np.testing.assert_allclose(sums, 1)


@pytest.mark.parametrize(
    "model",
    [FuzzyCMeans(2), EntropyCMeans(2), NoiseCMeans(2), PossibilisticCMeans(2), GustafsonKessel(2), EvidentialCMeans(2)],
    ids=lambda one: type(one).__name__,
)
def test_the_body_of_a_butterfly_belongs_to_both_wings(model):
    wing = [[0, 0], [0, 2], [0, 4], [1, 1], [1, 2], [1, 3], [2, 2]]  # of Ruspini, the first example of fclust's paper
    X = np.array([*wing, [3, 2], *([6 - x, y] for x, y in wing)], dtype=float)
    fitted = clone(model).set_params(init=[[1.0, 2.0], [5.0, 2.0]]).fit(X)
    left, right = fitted.membership_.T
    assert left[7] == pytest.approx(right[7], abs=1e-9)
    np.testing.assert_allclose(left[:7], right[8:], atol=1e-9)
    assert (left[:7] > right[:7]).all()
    if isinstance(fitted, EvidentialCMeans):
        assert fitted.masses_[7].argmax() == 3  # the pair: it is in both wings rather than in none


# rows that lie far away, clusters that become empty or singular


@pytest.mark.parametrize("model", [NoiseCMeans(3), EvidentialCMeans(3)], ids=lambda one: type(one).__name__)
def test_outliers_belong_to_the_noise_and_do_not_pull(model):
    X = make_blobs(90, 2, centers=[[0, 0], [10, 0], [0, 10]], random_state=0)[0]
    model = clone(model).set_params(noise_distance=3.0, init=[[0, 0], [10, 0], [0, 10]])
    alone = clone(model).fit(X)
    disturbed = clone(model).fit(np.vstack([X, [[300.0, 300.0], [-400.0, 100.0]]]))
    np.testing.assert_array_equal(disturbed.labels_[-2:], [-1, -1])
    np.testing.assert_allclose(disturbed.cluster_centers_, alone.cluster_centers_, atol=0.01)
    assert disturbed.predict([[1000.0, 0.0], [0.5, 0.5]]).tolist() == [-1, 0]


def test_outliers_are_not_typical():
    X = np.vstack([make_blobs(90, 2, centers=[[0, 0], [10, 0], [0, 10]], random_state=0)[0], [[60.0, 60.0]]])
    model = PossibilisticCMeans(3, widths=[4.0, 4.0, 4.0], init=[[0, 0], [10, 0], [0, 10]]).fit(X)
    assert model.membership_[-1].max() < 0.01 < 0.5 < np.median(model.membership_.max(axis=1))


@pytest.mark.parametrize(
    "model",
    [EntropyCMeans(temperature=1e-3), GustafsonKessel(m=1.001), NoiseCMeans(m=1.001), EvidentialCMeans(m=1.001)],
    ids=lambda one: type(one).__name__,
)
def test_an_empty_cluster_keeps_its_centre(model):
    X = table()
    centres = np.vstack([X[:2], np.full(3, 1e6)])
    if isinstance(model, EvidentialCMeans):
        model = clone(model).set_params(focal_sets="singletons")
    fitted = clone(model).set_params(init=centres).fit(X)
    np.testing.assert_allclose(fitted.cluster_centers_[2], centres[2], rtol=1e-12)
    assert not fitted.membership_[:, 2].any()


def test_clusters_in_a_plane_have_shapes_of_a_limited_condition():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=(80, 2)), np.zeros(80)]) + np.repeat([[0, 0, 0], [9, 0, 0]], 40, axis=0)
    for limit in (10.0, 1e6, 1e12):
        model = GustafsonKessel(2, max_condition=limit, random_state=0).fit(X)
        values = np.linalg.eigvalsh(model.covariances_)
        np.testing.assert_allclose(values[:, -1] / values[:, 0], limit, rtol=1e-3)
        assert np.bincount(model.labels_).tolist() == [40, 40]


def test_a_cluster_of_equal_rows_is_a_sphere():
    X = np.array([[0.0, 0.0]] * 5 + [[10.0, 0.0]] * 5)
    model = GustafsonKessel(2, random_state=0).fit(X)
    np.testing.assert_array_equal(model.covariances_, [np.eye(2)] * 2)
    assert model.objective_ == 0
    widths = PossibilisticCMeans(2, random_state=0).fit(np.vstack([X, [[10.0, 1.0]]])).widths_
    assert (widths > 0).all()
    np.testing.assert_array_equal(PossibilisticCMeans(2, random_state=0).fit(X).widths_, [1, 1])


def test_two_clusters_never_have_the_same_medoid():
    X = np.array([[0.0], [0.0], [0.1], [0.2], [50.0]])
    model = FuzzyKMedoids(3, init=[2, 3, 0]).fit(X)
    assert len(set(X[model.medoid_indices_, 0])) == 3


@pytest.mark.parametrize("scale", [1e-120, 1e-3, 1e97])
@every_variant
def test_units_do_not_matter(model, scale):
    def cluster(X):
        starts = {} if isinstance(model, FuzzyKMedoids) else {"init": X[[3, 20, 40]]}
        return clone(model).set_params(**starts).fit(X).membership_

    np.testing.assert_allclose(cluster(table() * scale), cluster(table()), atol=1e-9)


@settings(max_examples=25, deadline=None)
@given(
    rows=st.lists(st.tuples(*[st.sampled_from([-2.0, 0.0, 0.5, 1.0, 1e6])] * 2), min_size=4, max_size=9),
    m=st.sampled_from([1.01, 1.5, 2.0, 10.0]),
    number=st.integers(0, len(VARIANTS) - 1),
)
def test_any_table(rows, m, number):
    X = np.array(rows)
    model = clone(VARIANTS[number]).set_params(n_clusters=min(3, len(np.unique(X, axis=0))), random_state=0)
    if hasattr(model, "m"):
        model.set_params(m=m)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(X)
    assert np.isfinite(model.membership_).all() and np.isfinite(model.objectives_).all()
    assert model.membership_.min() >= 0 and model.membership_.max() <= 1 + 1e-12


# the slow twins

VECTORS = {"check_clustering": "it hands over vectors in place of distances"}
WEIGHTS = np.random.default_rng(5).random(60) + 0.1


@pytest.mark.parametrize("m", [1.5, 2.0, 3.0])
def test_steps_are_the_slow_ones(m):
    X, start = table(), table()[[3, 20, 40]]
    shares = WEIGHTS / WEIGHTS.mean()
    common = {"m": m, "init": start}

    found = few_steps(NoiseCMeans(3, noise_distance=4.0, **common), X, sample_weight=shares)
    assert_equal(found, *slow.noise(X, shares, start, m, 4.0, 3))
    found = few_steps(EntropyCMeans(3, temperature=5.0, init=start), X, sample_weight=shares)
    assert_equal(found, *slow.entropy(X, shares, start, 5.0, 3))
    widths = np.array([2.0, 5.0, 9.0])
    found = few_steps(PossibilisticCMeans(3, widths=widths, **common), X, sample_weight=shares)
    assert_equal(found, *slow.possibilistic(X, shares, start, m, widths, 3))
    for limit, shrinkage in [(1e12, 0.0), (2.0, 0.0), (1e12, 0.4)]:
        model = GustafsonKessel(3, max_condition=limit, shrinkage=shrinkage, **common)
        found = few_steps(model, X, sample_weight=shares)
        assert_equal(found, *slow.gustafson_kessel(X, shares, start, m, 3, limit, shrinkage))
    for focal_sets, sets in [
        ("all", [(), (0,), (1,), (0, 1), (2,), (0, 2), (1, 2), (0, 1, 2)]),
        ("singletons", [(), (0,), (1,), (2,)]),
    ]:
        model = EvidentialCMeans(3, alpha=1.5, noise_distance=6.0, focal_sets=focal_sets, **common)
        found = few_steps(model, X, sample_weight=shares)
        centres, masses, objective = slow.evidential(X, shares, start, sets, m, 1.5, 6.0, 3)
        np.testing.assert_allclose(found.cluster_centers_, centres, rtol=1e-9)
        np.testing.assert_allclose(found.masses_, masses, atol=1e-9)
        assert found.objective_ == pytest.approx(objective, rel=1e-9)


def assert_equal(found, centres, membership, objective):
    np.testing.assert_allclose(found.cluster_centers_, centres, rtol=1e-9)
    np.testing.assert_allclose(found.membership_, membership, atol=1e-9)
    assert found.objective_ == pytest.approx(objective, rel=1e-9)


@pytest.mark.parametrize("m", [1.5, 2.0])
def test_steps_of_medoids_are_the_slow_ones(m):
    X = make_blobs(60, centers=[[0, 0], [9, 0], [0, 9]], cluster_std=2.0, random_state=0)[0]
    shares = WEIGHTS / WEIGHTS.mean()
    found = FuzzyKMedoids(3, m=m, init=[3, 20, 40]).fit(X, sample_weight=shares)
    rows, membership, objective = slow.medoids(cdist(X, X), shares, [3, 20, 40], m, found.n_iter_)
    np.testing.assert_array_equal(found.medoid_indices_, rows)
    np.testing.assert_allclose(found.membership_, membership, atol=1e-9)
    assert found.objective_ == pytest.approx(objective, rel=1e-9)


# other libraries, to the last digit that was noted: iris, from the rows 0, 60 and 120 plus 0.1


def converged(model):
    return model.set_params(init=START, tol=1e-15, max_iter=3000).fit(IRIS)


ELLIPSOIDS = {
    2.0: [
        [5.014117766, 3.437939817, 1.465400341, 0.24407119],
        [6.127932277, 2.801895925, 4.510189986, 1.402049917],
        [6.397934753, 2.975165246, 5.304889478, 2.014708791],
    ],
    1.7: [
        [5.008334936, 3.431776268, 1.462838415, 0.245357727],
        [6.032753655, 2.805616691, 4.375851533, 1.357542872],
        [6.499405405, 2.955881421, 5.453009984, 2.050145843],
    ],
}


@pytest.mark.parametrize(("m", "centres"), ELLIPSOIDS.items(), ids=str)
def test_ellipsoids_of_iris_are_those_of_another_library(m, centres):
    # fuzzy-c-means 2.3.1: GK(3, m=m, reg=0, error=1e-9, max_iter=1000), memberships started from the same centres
    found = converged(GustafsonKessel(3, m=m, max_condition=1e12))
    np.testing.assert_allclose(found.cluster_centers_, centres, atol=1e-6)


def test_typical_clusters_of_iris_are_those_of_another_library():
    # fuzzy-c-means 2.3.1: PCM(3, m=2, error=1e-9, max_iter=1000) after FCM from the same centres. Two clusters meet,
    # as they do not know of each other
    found = converged(PossibilisticCMeans(3))
    np.testing.assert_allclose(found.widths_, [0.342700587, 0.582435712, 0.689426969], atol=1e-6)
    centres = [
        [5.002621848, 3.398096447, 1.484791769, 0.247275262],
        [6.172881893, 2.879010315, 4.763515684, 1.606556379],
        [6.17230291, 2.877981151, 4.763066802, 1.607743366],
    ]
    np.testing.assert_allclose(found.cluster_centers_, centres, atol=1e-6)


def test_medoids_of_iris_are_those_of_another_library():
    # fuzzy-c-means 2.3.1: FCMedoids(3), which squares distances, started from the rows 0, 60 and 120
    assert FuzzyKMedoids(3, metric="sqeuclidean", init=[0, 60, 120]).fit(IRIS).medoid_indices_.tolist() == [7, 99, 112]


EVIDENCE = {
    "all sets": (
        EvidentialCMeans(3, focal_sets="all", noise_distance=2.0),
        [
            [4.96219079, 3.35407646, 1.4925013, 0.24806654],
            [6.03849111, 2.77435352, 4.7841463, 1.62926342],
            [6.97157542, 3.02746905, 5.97294301, 2.14473153],
        ],
    ),
    "other exponents": (
        EvidentialCMeans(3, focal_sets="all", alpha=2, m=1.5, noise_distance=3.0),
        [
            [4.9944824, 3.4067019, 1.47180108, 0.25316962],
            [5.80591775, 2.70167762, 4.28914241, 1.36870443],
            [6.80733216, 3.04865069, 5.70656708, 2.07900471],
        ],
    ),
    "noise": (
        NoiseCMeans(3, noise_distance=1.5),
        [
            [4.99862949, 3.40934506, 1.47984906, 0.2490393],
            [5.88300825, 2.77592172, 4.33975668, 1.37442508],
            [6.63338041, 3.02744984, 5.50113483, 2.0341339],
        ],
    ),
}


@pytest.mark.parametrize(("model", "centres"), EVIDENCE.values(), ids=EVIDENCE)
def test_evidence_of_iris_is_that_of_another_library(model, centres):
    # evclust 0.2.1: ecm(X, 3, g0=START, epsi=1e-11) with type="full", delta=2; with alpha=2, beta=1.5, delta=3; and
    # with type="simple", Omega=False, delta=1.5, which are single clusters and the empty set. Its J is not compared, as
    # it adds up the empty set of the first few rows only (ours is compared with the slow twin's)
    np.testing.assert_allclose(converged(clone(model)).cluster_centers_, centres, atol=1e-6)


# the contract and bad input


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # it allows 5 iterations
@parametrize_with_checks(
    [*VARIANTS, EvidentialCMeans(focal_sets="all"), FuzzyKMedoids(metric="precomputed")],
    expected_failed_checks=lambda one: VECTORS if getattr(one, "metric", "") == "precomputed" else {},
)
def test_scikit_learns_checks(estimator, check):
    check(estimator)


@every_variant
def test_an_unfitted_one_says_so(model):
    for method in ("predict", "predict_membership"):
        with pytest.raises(NotFittedError):
            getattr(model, method)([[0.0]])
    with pytest.raises(NotFittedError):
        EvidentialCMeans().predict_masses([[0.0]])


@every_variant
@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"n_clusters": 0}, "n_clusters=0"),
        ({"n_clusters": 7}, "X has n_samples=6 rows: n_clusters=7"),
        ({"n_clusters": 6}, "X has 5 distinct rows of positive weight, but 6 clusters"),
        ({"init": "kmeans"}, "init='kmeans'"),
        ({"init": [[0.0]]}, "init"),
        ({"n_init": 0}, "n_init=0"),
        ({"max_iter": 0}, "max_iter=0"),
        ({"tol": -1e-3}, "tol=-0.001"),
    ],
)
def test_parameters_that_none_allows(model, parameters, said):
    X = np.array([[0, 0], [0, 0], [1, 1], [1, 2], [2, 1], [3, 3.0]])
    with pytest.raises(ValueError, match=said):
        clone(model).set_params(**{"n_clusters": 2, "random_state": 0, **parameters}).fit(X)


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (NoiseCMeans(2, noise_distance=0), r'noise_distance=0 .* in \(0, inf\], "auto" or infinity'),
        (NoiseCMeans(2, noise_distance="far"), "noise_distance='far'"),
        (EvidentialCMeans(2, noise_distance=-1.0), "noise_distance=-1.0"),
        (EvidentialCMeans(2, alpha=-1), "alpha=-1"),
        (EvidentialCMeans(2, focal_sets="triples"), "focal_sets='triples'"),
        (EvidentialCMeans(13, focal_sets="all"), "n_clusters=13 is not allowed: at most 12, with focal_sets='all'"),
        (EvidentialCMeans(63), "n_clusters=63"),
        (EntropyCMeans(2, temperature=0), "temperature=0"),
        (EntropyCMeans(2, temperature="hot"), "temperature='hot'"),
        (PossibilisticCMeans(2, widths=[1.0]), r"widths has shape \(1,\): it must be a number or have shape \(2,\)"),
        (PossibilisticCMeans(2, widths=[1.0, 0.0]), "every width must be a finite number above 0"),
        (PossibilisticCMeans(2, widths="wide"), "widths='wide'"),
        (GustafsonKessel(2, max_condition=0.5), "max_condition=0.5"),
        (GustafsonKessel(2, shrinkage=1.5), "shrinkage=1.5"),
        (GustafsonKessel(2, m=1.0), "m=1.0"),
        (FuzzyKMedoids(2, metric="manhattan"), "metric='manhattan'"),
        (FuzzyKMedoids(2, init=[0, 0]), "names a row twice"),
        (FuzzyKMedoids(2, init=[0, 9]), "row numbers below 4"),
        (FuzzyKMedoids(2, init=[0.0, 1.0]), "row numbers below 4"),
    ],
)
def test_parameters_that_are_not_allowed(model, said):
    with pytest.raises(ValueError, match=said):
        model.fit([[0.0], [1.0], [3.0], [4.0]])


@pytest.mark.parametrize(
    ("matrix", "said"),
    [
        ([[0, 1, 2], [1, 0, 3]], r"X has shape \(2, 3\): .* square"),
        ([[0, 1, 2], [1, 0, 3], [2, 4, 0]], "not symmetric: the distance from row 1 to row 2 is 3, and back it is 4"),
        ([[0, 1, 2], [1, 0, -3], [2, -3, 0]], "Negative values in data: X holds the distance -3 of row 1 and column 2"),
        ([[0, 1, 2], [1, 5, 3], [2, 3, 0]], "row 1 is at distance 5 from itself"),
        ([[0, np.nan, 2], [1, 0, 3], [2, 3, 0]], "NaN"),
        (np.zeros((3, 3)), "1 distinct rows"),
    ],
)
def test_distances_that_are_not_allowed(matrix, said):
    with pytest.raises(ValueError, match=said):
        FuzzyKMedoids(2, metric="precomputed").fit(matrix)


@pytest.mark.parametrize(("row", "column"), [(0, 299), (128, 127), (290, 140), (5, 3)])
def test_one_distance_that_differs_from_its_way_back_is_found(row, column):
    points = np.arange(300.0)
    matrix = np.abs(points[:, None] - points)
    matrix[row, column] += 7.0
    first, second = sorted((row, column))
    with pytest.raises(ValueError, match=f"not symmetric: the distance from row {first} to row {second} is"):
        FuzzyKMedoids(2, metric="precomputed").fit(matrix)


def test_distances_in_any_layout_have_the_same_medoids():
    matrix = cdist(X := make_blobs(200, 3, random_state=0)[0], X)
    fixed = matrix.copy()
    fixed.flags.writeable = False
    fits = [FuzzyKMedoids(3, metric="precomputed").fit(one) for one in (matrix, np.asfortranarray(matrix), fixed)]
    for one in fits:
        np.testing.assert_array_equal(one.medoid_indices_, fits[0].medoid_indices_)
        np.testing.assert_allclose(one.objective_, fits[0].objective_)


def test_new_distances_are_checked_too():
    model = FuzzyKMedoids(2, metric="precomputed").fit([[0, 1, 9], [1, 0, 9], [9, 9, 0]])
    assert not hasattr(model, "cluster_centers_")
    with pytest.raises(ValueError, match="Negative"):
        model.predict([[1, -2, 3]])
    with pytest.raises(ValueError, match="features"):
        model.predict([[1, 2]])
