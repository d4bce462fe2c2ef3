"""Prototypes of every class and widths from the nearest of another; indicators as targets, and what is ignorance."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris
from sklearn.utils.estimator_checks import parametrize_with_checks

from emphatic import RBFNetworkClassifier, RealAdaBoostClassifier
from emphatic.learners.prototypes import LEAST_WIDTH, ClassKMeans, Prototypes, other_class_widths

X, y = load_iris(return_X_y=True)


@pytest.mark.contract
@parametrize_with_checks(
    [
        RBFNetworkClassifier(ClassKMeans(3)),
        RBFNetworkClassifier(ClassKMeans(20), targets="indicators"),
    ]
)
def test_scikit_learns_checks(estimator, check):
    few = estimator.design.per_class < 20
    if few and check.func.__name__ == "check_sample_weight_equivalence_on_dense_data":
        pytest.skip("k-means starts from rows that are drawn: a version of scikit-learn decides whether they agree")
    check(estimator)


# centres


def test_each_class_has_prototypes_of_its_own():
    network = RBFNetworkClassifier(ClassKMeans(5), random_state=0).fit(X, y)
    for code in range(3):
        own = X[y == code]
        centres = network.centres_[5 * code : 5 * code + 5]
        cell = cdist(own, centres).argmin(axis=1)
        means = [own[cell == k].mean(axis=0) for k in range(5)]
        np.testing.assert_allclose(centres, means, atol=0.05)  # where Lloyd's iterations rest, within their tolerance
        assert ((own - centres[cell]) ** 2).sum() <= 1.2 * KMeans(5, n_init=10, random_state=0).fit(own).inertia_


def test_a_class_has_no_more_prototypes_than_different_samples():
    table = np.array([[0.0], [-0.0], [0.0], [1.0], [5.0], [6.0], [7.0], [8.0]])
    network = RBFNetworkClassifier(ClassKMeans(3), random_state=0).fit(table, [0, 0, 0, 0, 1, 1, 1, 1])
    np.testing.assert_array_equal(np.sort(network.centres_[:2], axis=0), [[0.0], [1.0]])
    assert len(network.centres_) == 2 + 3


def test_weights_draw_the_prototypes():
    table = np.linspace(0, 1, 101)[:, None]
    labels = np.r_[np.zeros(100), 1]
    weights = np.where(table[:, 0] < 0.5, 1.0, 1e-6)
    network = RBFNetworkClassifier(ClassKMeans(1), random_state=0).fit(table, labels, design_weight=weights)
    assert network.centres_[0, 0] == pytest.approx(0.245, abs=1e-3)


def test_a_class_without_design_weight_still_has_prototypes():
    weights = (y != 1).astype(float)
    network = RBFNetworkClassifier(ClassKMeans(4), random_state=0).fit(X, y, design_weight=weights)
    assert len(network.centres_) == 12
    assert network.score(X, y) > 0.9


def test_the_same_seed_gives_the_same_prototypes():
    first, second, other = (RBFNetworkClassifier(ClassKMeans(4), random_state=s).fit(X, y).centres_ for s in (0, 0, 1))
    np.testing.assert_array_equal(first, second)
    assert not np.array_equal(first, other)


# widths


@given(st.integers(0, 1000), st.floats(0.1, 3))
def test_widths_are_distances_to_the_nearest_of_another_class(seed, overlap):
    rng = np.random.default_rng(seed)
    centres, classes = rng.normal(size=(12, 3)), np.arange(12) % 3
    nearest = [min(np.linalg.norm(c - d) for d in centres[classes != k]) for c, k in zip(centres, classes)]
    np.testing.assert_allclose(other_class_widths(centres, classes, overlap), overlap * np.array(nearest))


def test_equal_prototypes_of_two_classes_have_the_least_width():
    centres, classes = np.array([[0.0], [0.0], [1.0], [1.0]]), np.array([0, 1, 0, 1])
    np.testing.assert_allclose(other_class_widths(centres, classes, 1.0), LEAST_WIDTH)
    np.testing.assert_array_equal(other_class_widths(np.zeros((3, 2)), np.array([0, 1, 1]), 1.0), LEAST_WIDTH)


@pytest.mark.parametrize("table", [np.zeros((20, 2)), np.repeat(np.eye(2), 10, axis=0), np.full((20, 2), 1e-200)])
def test_a_constant_or_discrete_table_is_no_trouble(table):
    labels = np.arange(20) % 2
    network = RBFNetworkClassifier(ClassKMeans(3), regularisation=1e-8).fit(table, labels)
    assert np.isfinite(network.output(table)).all()
    assert network.score(table, labels) == 0.5


def test_widths_scale_with_the_data():
    small, large = (RBFNetworkClassifier(ClassKMeans(4), random_state=0).fit(s * X, y).widths_ for s in (1.0, 1e6))
    np.testing.assert_allclose(large, 1e6 * small, rtol=1e-6)


# given prototypes, and sides


def test_given_prototypes():
    network = RBFNetworkClassifier(Prototypes(X[[0, 60, 120]], [0, 1, 2], overlap=2.0)).fit(X, y)
    np.testing.assert_array_equal(network.centres_, X[[0, 60, 120]])
    np.testing.assert_allclose(network.widths_[0], 2 * min(np.linalg.norm(X[0] - X[60]), np.linalg.norm(X[0] - X[120])))
    assert clone(network).fit(X, y).score(X, y) == network.score(X, y)


def test_settled_prototypes_serve_any_two_sides():
    weights = np.full(150, 1 / 150)
    settled = ClassKMeans(4).fit_classes(X, y, weights, np.random.default_rng(0))
    assert isinstance(settled, Prototypes)
    np.testing.assert_array_equal(settled.classes, np.repeat([0, 1, 2], 4))
    half = settled.for_sides(np.array([1, -1, 0]))
    np.testing.assert_array_equal(half.centres, settled.centres[[0, 1, 2, 3, 8, 9, 10, 11]])
    np.testing.assert_array_equal(half.classes, [1, 1, 1, 1, 0, 0, 0, 0])
    design = ClassKMeans(4, per="super_class")
    assert design.fit_classes(X, y, weights, np.random.default_rng(0)) is design
    network = RBFNetworkClassifier(ClassKMeans(4)).fit_classes(X, y, weights, np.random.default_rng(0))
    assert network.for_sides(np.array([0, 1, 1])).targets == "indicators"


# indicators


def both(n_classes, **parameters):
    rows = y < n_classes
    return [
        RBFNetworkClassifier(ClassKMeans(5), targets=targets, random_state=0, **parameters).fit(X[rows], y[rows])
        for targets in ("signs", "indicators")
    ]


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("output_range", ["clip", "tanh", "none"])
def test_outputs_of_indicators_are_those_of_signs(n_classes, output_range):
    """The targets are a linear function of each other, and so are the solutions."""
    signs, indicators = both(n_classes, output_range=output_range)
    np.testing.assert_allclose(indicators.output(X), signs.output(X), atol=1e-9)
    assert len(indicators.weights_) == n_classes


def test_supports_are_evidence_and_the_rest_is_ignorance():
    signs, indicators = both(3)
    supports = indicators.supports(np.vstack([X, X + 1e4]))
    assert supports.min() >= 0 and supports.sum(axis=1).max() <= 1 + 1e-12
    np.testing.assert_array_equal(supports[150:], 0)  # far from all units
    assert (supports[:150].argmax(axis=1) == y).mean() > 0.95
    assert not hasattr(signs, "supports")


def test_descent_learns_indicators():
    network = RBFNetworkClassifier(ClassKMeans(5), solver="sgd", targets="indicators", random_state=0).fit(X, y)
    assert network.score(X, y) > 0.9
    assert (network.supports(X).argmax(axis=1) == y).mean() > 0.9


def test_it_may_be_boosted():
    boosted = RealAdaBoostClassifier(RBFNetworkClassifier(ClassKMeans(2)), n_estimators=5, random_state=0).fit(X, y)
    assert len(boosted.estimators_) == 5
    assert not np.array_equal(boosted.estimators_[0].centres_, boosted.estimators_[1].centres_)  # other weights
    assert boosted.score(X, y) > 0.9


# bad input


@pytest.mark.parametrize(
    ("design", "message"),
    [
        (ClassKMeans(0), "per_class=0 is not allowed"),
        (ClassKMeans(2.5), "per_class=2.5 is not allowed"),
        (ClassKMeans(overlap=0), "overlap=0 is not allowed"),
        (ClassKMeans(per="node"), "per='node' is not allowed"),
        (Prototypes([[0.0]], [0], overlap=-1), "overlap=-1 is not allowed"),
        (Prototypes([0.0, 1.0], [0, 1]), r"centres has shape \(2,\)"),
        (Prototypes([[0.0, np.nan]], [0]), "finite"),
        (Prototypes([[0.0], [1.0]], [0]), r"classes has shape \(1,\)"),
        (Prototypes([[0.0], [1.0]], ["a", "b"]), "an integer for each of 2 centres"),
        (Prototypes([[0.0], [1.0]], [0, 1]), "centres has 1 columns, but X has 4"),
    ],
    ids=str,
)
def test_parameters_that_are_refused(design, message):
    with pytest.raises(ValueError, match=message):
        RBFNetworkClassifier(design).fit(X, y)


def test_targets_must_be_known():
    with pytest.raises(ValueError, match="targets='onehot' is not allowed"):
        RBFNetworkClassifier(targets="onehot").fit(X, y)
    with pytest.raises(TypeError, match="design='k-means' is not allowed"):
        RBFNetworkClassifier("k-means").fit_classes(X, y, np.full(150, 1 / 150), np.random.default_rng(0))
