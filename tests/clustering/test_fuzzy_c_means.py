"""Fuzzy c-means and the memberships of classes (identity 26): what holds exactly, the slow twin, bad input."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine, make_blobs
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.preprocessing import scale
from sklearn.utils.estimator_checks import parametrize_with_checks

from emphatic.clustering import FuzzyCMeans, align, class_memberships
from emphatic.clustering.alternation import first_lowest
from emphatic.kernels import fuzzy_c_means as kernel
from tests.reference import fuzzy_c_means as slow

both_types = pytest.mark.parametrize("dtype", [np.float32, np.float64])
fuzzinesses = pytest.mark.parametrize("m", [1.1, 1.5, 2.0, 3.5])
TOLERANCE = {np.float32: 2e-5, np.float64: 1e-11}


def table(n=300, d=4, dtype=np.float64, seed=0):
    X, _ = make_blobs(n, d, centers=3, cluster_std=3.0, random_state=seed)
    return X.astype(dtype)


def same_fit(a, b, rtol=1e-9):
    np.testing.assert_allclose(a.cluster_centers_, b.cluster_centers_, rtol=rtol)
    assert a.objective_ == pytest.approx(b.objective_, rel=rtol)
    assert a.n_iter_ == b.n_iter_


# exact identities


@both_types
@fuzzinesses
def test_the_objective_never_rises(dtype, m):
    model = FuzzyCMeans(4, m=m, tol=0, max_iter=3000, random_state=0).fit(table(dtype=dtype))
    assert (np.diff(model.objectives_) <= 0).all()
    assert model.n_iter_ == len(model.objectives_) > 5
    assert model.objectives_[-1] == model.objective_ < model.objectives_[0]


@both_types
@fuzzinesses
def test_memberships_are_distributions(dtype, m):
    X = table(dtype=dtype)
    model = FuzzyCMeans(3, m=m, random_state=0).fit(X)
    for rows in (X, X * 1e3, X[:1], np.full((1, 4), 1e35, dtype)):
        U = model.predict_membership(rows)
        assert U.dtype == dtype and U.min() >= 0
        np.testing.assert_allclose(U.sum(axis=1), 1, rtol=10 * np.finfo(dtype).eps)


@both_types
@fuzzinesses
def test_a_point_on_a_centre_belongs_to_it_alone_and_coincident_centres_share_it(dtype, m):
    centres = np.array([[0, 0], [3, 4], [3, 4], [9, 9]], dtype)
    model = FuzzyCMeans(4, m=m, init=centres, max_iter=1, tol=1.0).fit(centres)
    U = kernel.memberships(np.ascontiguousarray(centres.T), centres, m).T
    np.testing.assert_array_equal(U, [[1, 0, 0, 0], [0, 0.5, 0.5, 0], [0, 0.5, 0.5, 0], [0, 0, 0, 1]])
    np.testing.assert_array_equal(model.membership_, U)  # and so the start is the end
    np.testing.assert_array_equal(model.cluster_centers_, centres)
    assert model.objective_ == 0


@pytest.mark.parametrize("init", ["k-means++", "random"])
@both_types
def test_a_weight_counts_as_so_many_repeats_in_any_order(init, dtype):
    X, rng = table(dtype=dtype), np.random.default_rng(1)
    weights = rng.integers(0, 4, len(X))
    repeated = rng.permutation(np.repeat(X, weights, axis=0))
    model = FuzzyCMeans(3, init=init, random_state=0)
    weighted, again = clone(model).fit(X, sample_weight=weights), clone(model).fit(repeated)
    same_fit(weighted, again, 1e-9 if dtype is np.float64 else 1e-4)
    scaled = clone(model).fit(X, sample_weight=weights * 7.0)
    np.testing.assert_allclose(scaled.cluster_centers_, weighted.cluster_centers_, rtol=TOLERANCE[dtype])
    assert scaled.objective_ == pytest.approx(7 * weighted.objective_, rel=1e-6)


@both_types
@pytest.mark.parametrize("power", [-100, -20, 15, 40, 90])
def test_a_power_of_two_as_the_unit_changes_no_bit(dtype, power):
    X, factor = table(dtype=dtype), dtype(2.0**power)
    plain, scaled = (FuzzyCMeans(3, random_state=0).fit(one) for one in (X, X * factor))
    np.testing.assert_array_equal(scaled.membership_, plain.membership_)
    np.testing.assert_array_equal(scaled.cluster_centers_, plain.cluster_centers_ * factor)
    assert scaled.objective_ == plain.objective_ * float(factor) ** 2


@both_types
def test_what_is_learnt_is_what_is_predicted(dtype):
    X = table(dtype=dtype)
    model = FuzzyCMeans(3, random_state=0)
    labels = model.fit_predict(X, sample_weight=np.arange(len(X)))
    np.testing.assert_array_equal(model.predict_membership(X), model.membership_)
    np.testing.assert_array_equal(model.predict(X), labels)
    np.testing.assert_array_equal(model.membership_.argmax(axis=1), labels)
    assert model.cluster_centers_.dtype == model.membership_.dtype == dtype
    assert model.membership_.shape == (len(X), 3)


def test_near_1_the_clusters_are_crisp_and_far_above_they_are_all_alike():
    X = table()
    crisp, blurred = (FuzzyCMeans(3, m=m, random_state=0).fit(X).membership_ for m in (1.01, 10.0))
    assert np.median(crisp.max(axis=1)) == pytest.approx(1)
    assert blurred.max() < 0.5


def test_an_empty_cluster_keeps_its_centre():
    X = table()
    centres = np.vstack([X[:2], np.full(4, 1e6)])
    model = FuzzyCMeans(3, m=1.001, init=centres).fit(X)
    np.testing.assert_array_equal(model.cluster_centers_[2], centres[2])
    assert not model.membership_[:, 2].any()


def test_the_best_of_several_starts_is_kept():
    X, _ = make_blobs(200, 2, centers=8, cluster_std=0.3, random_state=2)
    rng = np.random.default_rng(0)
    one_by_one = [FuzzyCMeans(8, init="random", random_state=rng).fit(X).objective_ for _ in range(5)]
    together = FuzzyCMeans(8, init="random", n_init=5, random_state=np.random.default_rng(0)).fit(X)
    assert len(set(np.round(one_by_one, 6))) > 1
    assert together.objective_ == min(one_by_one)


def test_it_tells_when_it_ran_out_of_iterations():
    X = table()
    with pytest.warns(ConvergenceWarning, match="max_iter=2"):
        model = FuzzyCMeans(3, max_iter=2, random_state=0).fit(X)
    assert model.n_iter_ == 2


@settings(max_examples=60, deadline=None)
@given(
    X=arrays.arrays(
        st.sampled_from([np.float32, np.float64]),
        st.tuples(st.integers(2, 12), st.integers(1, 3)),
        elements=st.integers(-3, 3).map(float) | st.floats(-(2.0**60), 2.0**60, width=32),
    ),
    m=st.floats(1.01, 10.0),
    seed=st.integers(0, 5),
)
def test_any_table(X, m, seed):
    c = min(3, len(np.unique(X + 0.0, axis=0)))
    weights = np.random.default_rng(seed).random(len(X)) + 0.01
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = FuzzyCMeans(c, m=m, random_state=seed).fit(X, sample_weight=weights)
    U = model.membership_
    assert U.min() >= 0
    np.testing.assert_allclose(U.sum(axis=1), 1, rtol=1e-5)
    assert (np.diff(model.objectives_) <= 0).all()
    assert (model.cluster_centers_ <= X.max(axis=0) + 1e-5 * np.abs(X).max()).all()
    assert (model.cluster_centers_ >= X.min(axis=0) - 1e-5 * np.abs(X).max()).all()


# the slow twin


@both_types
@fuzzinesses
@pytest.mark.parametrize(("n", "c"), [(40, 1), (130, 3), (300, 7)])
def test_a_fit_is_the_slow_one(dtype, m, n, c):
    X = table(n, dtype=dtype)
    weights = np.random.default_rng(0).random(n)
    start = np.vstack([X[: c - 1], [X[c] / 2]])  # c - 1 of them on a point
    model = FuzzyCMeans(c, m=m, init=start, tol=0, max_iter=5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(X, sample_weight=weights)
    centres, U, objectives = slow.fit(X, weights, start, m, 5)
    rtol = TOLERANCE[dtype] * (10 if m < 1.5 else 1)  # a power of 10 multiplies relative errors by 10
    np.testing.assert_allclose(model.cluster_centers_, centres, rtol=rtol, atol=rtol)
    np.testing.assert_allclose(model.membership_, U, atol=rtol)
    np.testing.assert_allclose(model.objectives_, objectives[: model.n_iter_], rtol=rtol)


@pytest.mark.parametrize(("n", "d", "c"), [(1, 1, 1), (127, 3, 2), (128, 4, 3), (300, 9, 5), (1000, 20, 3)])
def test_weighted_sums_are_a_product_of_matrices(n, d, c):
    rng = np.random.default_rng(0)
    features, powers = rng.normal(size=(d, n)), rng.random((c, n))
    np.testing.assert_allclose(kernel.weighted_sums(features, powers), powers @ features.T, atol=1e-11)


@both_types
def test_squared_distances(dtype):
    X = table(dtype=dtype)
    found = kernel.squared_distances(np.ascontiguousarray(X.T), X[:5])
    expected = ((X[None, :, :].astype(float) - X[:5, None, :]) ** 2).sum(axis=2)
    np.testing.assert_allclose(found, expected, rtol=TOLERANCE[dtype])
    assert found.dtype == dtype


# memberships of classes


def test_well_separated_classes_keep_their_clusters():
    centres = 30.0 * np.eye(4)
    X, y = make_blobs(200, centers=centres, random_state=0)
    for init in ("classes", "supervised", "random"):
        U = class_memberships(X, y, 4, init=init, random_state=1)
        np.testing.assert_array_equal(U.argmax(axis=1), y)


def test_supervised_memberships_are_those_of_the_class_means():
    X, y = load_iris(return_X_y=True)
    means = np.stack([X[y == j].mean(axis=0) for j in range(3)])
    np.testing.assert_allclose(class_memberships(X, y, 3, init="supervised"), slow.memberships(X, means, 2.0))
    weights = np.where(np.arange(len(X)) % 2, 0, 3.0)
    half = class_memberships(X, y, 3, init="supervised", sample_weight=weights)
    np.testing.assert_allclose(half[::2], class_memberships(X[::2], y[::2], 3, init="supervised"))


@pytest.mark.parametrize(("load", "agreement"), [(load_iris, 0.84), (load_wine, 0.966)])
def test_all_starts_lead_to_the_one_minimum_of_iris_and_wine(load, agreement):
    X, y = load(return_X_y=True)
    X = scale(X)
    U = class_memberships(X, y, 3)
    assert (U.argmax(axis=1) == y).mean() == pytest.approx(agreement, abs=1e-3)
    for seed in range(5):
        other = class_memberships(X, y, 3, init="random", random_state=seed)
        np.testing.assert_allclose(other, U, atol=0.01)


@both_types
def test_class_memberships_are_distributions_of_the_type_of_the_table(dtype):
    X, y = load_wine(return_X_y=True)
    U = class_memberships(X.astype(dtype), y, 3, m=1.5)
    assert U.dtype == dtype
    np.testing.assert_allclose(U.sum(axis=1), 1, rtol=1e-6)


@both_types
def test_equal_memberships_need_no_clusters(dtype):
    X, y = load_wine(return_X_y=True)
    U = class_memberships(X.astype(dtype), y, 3, init="equal")
    assert U.dtype == dtype
    np.testing.assert_array_equal(U, np.full((178, 3), 1 / 3, dtype=dtype))


def test_classes_of_identical_rows_share_them_equally():
    for init in ("classes", "supervised"):
        U = class_memberships(np.full((6, 2), 0.1), [0, 1, 2] * 2, 3, init=init)
        np.testing.assert_array_equal(U, np.full((6, 3), 1 / 3))
    with pytest.raises(ValueError, match="1 distinct rows"):
        class_memberships(np.full((6, 2), 0.1), [0, 1, 2] * 2, 3, init="random")


@settings(max_examples=50, deadline=None)
@given(order=st.permutations(range(4)), seed=st.integers(0, 100))
def test_alignment_undoes_any_order_of_clusters(order, seed):
    rng = np.random.default_rng(seed)
    y = np.arange(40) % 4
    U = rng.dirichlet(np.ones(4), 40) + 2 * np.eye(4)[y]
    np.testing.assert_array_equal(align(U[:, order], y, 4), U)


def test_alignment_counts_weights_and_leaves_a_cluster_to_an_absent_class():
    U, y = [[0.9, 0.1, 0.0], [0.1, 0.8, 0.1]], [0, 0]
    np.testing.assert_array_equal(align(U, y, 3)[:, 0], [0.9, 0.1])
    np.testing.assert_array_equal(align(U, y, 3, sample_weight=[1, 9])[:, 0], [0.1, 0.8])


# the contract and bad input


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # it allows 5 iterations
@parametrize_with_checks([FuzzyCMeans(), FuzzyCMeans(init="random", m=1.5)])
def test_scikit_learns_checks(estimator, check):
    check(estimator)


def test_an_unfitted_one_says_so():
    for method in ("predict", "predict_membership"):
        with pytest.raises(NotFittedError):
            getattr(FuzzyCMeans(), method)([[0.0]])


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"m": 1.0}, r"m=1.0 is not allowed: m must be a finite number in \(1, 10\]"),
        ({"m": 0.5}, "m=0.5"),
        ({"m": np.nan}, "m=nan"),
        ({"m": "2"}, "m='2'"),
        ({"n_clusters": 0}, "n_clusters=0"),
        ({"n_clusters": 7}, "X has n_samples=6 rows: n_clusters=7"),
        ({"n_clusters": 6}, "X has 5 distinct rows of positive weight, but 6 clusters"),
        ({"init": "kmeans"}, "init='kmeans'"),
        ({"init": [[0.0, 1.0]]}, r"init has shape \(1, 2\): .* need \(2, 2\)"),
        ({"init": [[0.0, 1.0], [np.nan, 1.0]]}, "init holds NaN"),
        ({"init": [["a", "b"]] * 2}, "init must be"),
        ({"n_init": 0}, "n_init=0"),
        ({"max_iter": 0}, "max_iter=0"),
        ({"tol": -1e-3}, "tol=-0.001"),
        ({"random_state": "a"}, "random_state='a'"),
    ],
)
def test_parameters_that_are_not_allowed(parameters, said):
    X = np.array([[0, 0], [0, 0], [1, 1], [1, 2], [2, 1], [3, 3.0]])
    with pytest.raises(ValueError, match=said):
        FuzzyCMeans(**{"n_clusters": 2, **parameters}).fit(X)


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ([1, 1, -1], "negative"),
        ([1, 1], "shape"),
        ([0, 0, 0], "zero for every sample"),
        ([1, np.nan, 1], "NaN"),
        ([1, 1e101, 1], "J can overflow"),
        ([1, 0, 0], "1 distinct rows of positive weight"),
    ],
)
def test_weights_that_are_not_allowed(weights, said):
    with pytest.raises(ValueError, match=said):
        FuzzyCMeans(2).fit([[0.0], [1.0], [2.0]], sample_weight=weights)


def test_tables_that_are_not_allowed():
    with pytest.raises(ValueError, match="NaN"):
        FuzzyCMeans(2).fit([[0.0], [np.nan], [1.0]])
    with pytest.raises(ValueError, match="beyond"):
        FuzzyCMeans(2).fit([[0.0], [1e101], [1.0]])
    with pytest.raises(ValueError, match="2 distinct rows"):
        FuzzyCMeans(3).fit([[0.0, -0.0], [-0.0, 0.0], [1.0, 1.0]])


@pytest.mark.parametrize(
    ("y", "n_classes", "options", "said"),
    [
        ([0, 1, 2], 2, {}, r"codes from 0 to 2: .* must be in 0 .. 1"),
        ([0, -1, 1], 2, {}, "codes from -1"),
        ([0, 1], 2, {}, "3 integer codes"),
        ([0.0, 1.0, 1.0], 2, {}, "integer codes"),
        ([0, 1, 1], 3, {}, "no sample of positive weight of class 2"),
        ([0, 1, 1], 2, {"sample_weight": [0, 1, 1]}, "no sample of positive weight of class 0"),
        ([0, 1, 1], 2, {"init": "means"}, "init='means'"),
        ([0, 1, 1], 2, {"m": 1}, "m=1 "),
        ([0, 1, 1], 0, {}, "n_classes=0"),
    ],
)
def test_classes_that_are_not_allowed(y, n_classes, options, said):
    with pytest.raises(ValueError, match=said):
        class_memberships([[0.0], [1.0], [2.0]], y, n_classes, **options)


def test_alignment_needs_a_cluster_for_each_class():
    with pytest.raises(ValueError, match="membership has 2 columns: n_classes=3"):
        align([[0.5, 0.5]], [0], 3)


@pytest.mark.parametrize(
    ("values", "dtype", "place"),
    [
        ([1.0 + 1e-14, 1.0], np.float64, 0),  # rounding: the first
        ([1.0 + 1e-11, 1.0], np.float64, 1),  # a lower minimum
        ([3.0, 1.0, 1.0 - 1e-15], np.float64, 1),
        ([1.0 + 1e-6, 1.0], np.float32, 0),
        ([1.0 + 1e-2, 1.0], np.float32, 1),
        ([0.0, 0.0], np.float64, 0),
    ],
)
def test_of_minima_that_differ_by_rounding_the_first_is_taken(values, dtype, place):
    assert first_lowest(values, dtype) == place
