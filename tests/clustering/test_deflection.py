"""Deflection (identity 28): the gradient, the distance, that groups differ, and why the printed product cannot work."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import approx_fprime
from sklearn.datasets import load_iris, load_wine, make_blobs
from sklearn.preprocessing import scale

from emphatic.clustering import FuzzyCMeans, align, class_memberships, deflect, distance
from emphatic.clustering.deflection import DeflectedObjective
from tests.reference import deflection as slow

plain_and_aligned = pytest.mark.parametrize("aligned", [False, True])


def problem(n=12, d=2, k=3, n_groups=2, seed=0):
    """A table, logits (k, n) and groups of memberships (g, k, n)."""
    rng = np.random.default_rng(seed)
    groups = rng.dirichlet(np.ones(k), (n_groups, n)).transpose(0, 2, 1)
    return rng.normal(size=(n, d)), rng.normal(size=(k, n)), np.ascontiguousarray(groups)


def objective(X, groups, m=2.0, relaxation=10.0, aligned=True):
    deflected = DeflectedObjective(X, m, relaxation, aligned)
    deflected.deflect_from(groups)
    return deflected


def softmax(logits):
    powers = np.exp(logits)
    return powers / powers.sum(axis=0)


# exact identities


@plain_and_aligned
@pytest.mark.parametrize("m", [1.5, 2.0, 3.0])
@pytest.mark.parametrize("relaxation", [0.5, 2.0, 10.0])
def test_the_gradient_is_that_of_finite_differences(aligned, m, relaxation):
    X, logits, groups = problem()
    F = objective(X, groups, m, relaxation, aligned)
    gradient = F(logits.ravel())[1]
    assert np.abs(gradient).max() > 1e-2
    forward, backward = (approx_fprime(logits.ravel(), lambda z: F(z)[0], epsilon=e) for e in (1e-5, -1e-5))
    np.testing.assert_allclose((forward + backward) / 2, gradient, atol=1e-8)


def test_the_gradient_next_to_an_earlier_group():
    X, logits, groups = problem(n_groups=1)
    logits = np.log(groups[0]) + 1e-4 * logits  # where the repulsion is all
    F = objective(X, groups)
    gradient = F(logits.ravel())[1]
    forward, backward = (approx_fprime(logits.ravel(), lambda z: F(z)[0], epsilon=e) for e in (1e-8, -1e-8))
    np.testing.assert_allclose((forward + backward) / 2, gradient, rtol=1e-4, atol=1e-4 * np.abs(gradient).max())


@plain_and_aligned
@pytest.mark.parametrize("m", [1.5, 2.0])
def test_the_objective_is_the_slow_one(aligned, m):
    X, logits, groups = problem(k=4)
    expected = slow.objective(X, softmax(logits).T, groups.transpose(0, 2, 1), m, 3.0, aligned)
    assert objective(X, groups, m, 3.0, aligned)(logits.ravel())[0] == pytest.approx(expected, rel=1e-10)


@settings(max_examples=40, deadline=None)
@given(order=st.permutations(range(4)), seed=st.integers(0, 1000))
def test_relabelling_an_earlier_group_changes_nothing_if_aligned(order, seed):
    X, logits, groups = problem(k=4, seed=seed)
    renamed = np.stack([groups[0][list(order)], groups[1]])
    value, gradient = objective(X, groups)(logits.ravel())
    again, slope = objective(X, renamed)(logits.ravel())
    assert again == pytest.approx(value, rel=1e-12)
    np.testing.assert_allclose(slope, gradient, atol=1e-12)
    if list(order) != sorted(order):
        assert objective(X, renamed, aligned=False)(logits.ravel())[0] != pytest.approx(
            objective(X, groups, aligned=False)(logits.ravel())[0], rel=1e-12
        )


@settings(max_examples=40, deadline=None)
@given(k=st.integers(1, 5), seed=st.integers(0, 1000))
def test_the_distance_is_the_least_over_all_orders(k, seed):
    rng = np.random.default_rng(seed)
    U, V = rng.dirichlet(np.ones(k), (2, 8))
    for aligned in (False, True):
        assert distance(U, V, aligned) == pytest.approx(slow.distance(U, V, aligned), abs=1e-12)
        assert distance(U, V, aligned) == pytest.approx(distance(V, U, aligned), abs=1e-12)
    assert distance(U, U[:, ::-1]) == 0
    assert distance(U, V) <= distance(U, V, aligned=False) + 1e-12 <= np.sqrt(2) + 1e-12


def test_the_printed_product_has_its_global_minimum_where_it_should_have_none_and_the_quotient_a_pole():
    X = scale(load_wine().data)
    found = FuzzyCMeans(3, random_state=0).fit(X).membership_
    noise = np.random.default_rng(0).normal(0, 1, found.T.shape)
    F = objective(X, found.T[None].copy())
    starts = [np.log(found.T) + way * noise for way in (0.3, 0.1, 0.03, 0.01, 1e-3, 1e-5)]
    log_tanh = np.log(np.tanh([10 * distance(F.memberships(start).T, found) for start in starts]))
    quotient = np.array([F(start.ravel())[0] for start in starts])  # log (J / tanh), nearer and nearer to the group
    assert (np.diff(quotient) > 0).all() and quotient[-1] > quotient[0] + 5
    product = quotient + 2 * log_tanh  # log (J tanh)
    assert (np.diff(product) < 0).all() and product[-1] < product[0] - 5


# what deflect returns


def test_memberships_of_every_group_are_distributions_and_the_first_is_that_of_fuzzy_c_means():
    X = scale(load_iris().data)
    groups = deflect(X, 3, random_state=0)
    assert groups.shape == (3, 150, 3)
    assert groups.min() >= 0
    np.testing.assert_allclose(groups.sum(axis=2), 1, rtol=1e-12)
    model = FuzzyCMeans(3, random_state=0).fit(X)
    assert distance(groups[0], model.membership_) < 0.01
    np.testing.assert_array_equal(deflect(X, 3, n_deflections=0, random_state=0), groups[:1])


@pytest.mark.parametrize("load", [load_iris, load_wine])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_groups_differ_by_a_distance_above_a_fifth_after_alignment(load, seed):
    X, y = load(return_X_y=True)
    X = scale(X)
    groups = deflect(X, 3, first=class_memberships(X, y, 3), random_state=seed)
    apart = [distance(groups[g], groups[h]) for g in range(3) for h in range(g)]
    assert min(apart) > 0.2
    assert (align(groups[0], y, 3).argmax(axis=1) == y).mean() > 0.8


def test_with_the_plain_distance_the_new_group_of_wine_is_the_old_one_relabelled():
    X, y = load_wine(return_X_y=True)
    X = scale(X)
    old, new = deflect(X, 3, n_deflections=1, aligned=False, first=class_memberships(X, y, 3), random_state=0)
    assert distance(old, new, aligned=False) > 0.4
    assert distance(old, new) < 0.01


def test_a_new_group_is_a_minimum_of_its_objective():
    X = scale(load_iris().data)
    first, second = deflect(X, 3, n_deflections=1, random_state=0).transpose(0, 2, 1)
    F = objective(X, np.ascontiguousarray(first[None]))
    logits, rng = np.log(second), np.random.default_rng(0)
    lowest = F(logits.ravel())[0]
    nearby = [F((logits + 0.05 * rng.normal(size=logits.shape)).ravel())[0] for _ in range(20)]
    assert min(nearby) > lowest


def test_the_unit_of_the_table_does_not_matter():
    X, _ = make_blobs(40, 3, random_state=0)
    first = FuzzyCMeans(3, random_state=0).fit(X).membership_
    groups = deflect(X, 3, n_deflections=1, first=first, random_state=0)
    for unit in (2.0**300, 2.0**-300):
        np.testing.assert_array_equal(deflect(X * unit, 3, n_deflections=1, first=first, random_state=0), groups)


def test_same_seed_same_bits_and_a_better_of_more_starts():
    X = scale(load_wine().data)
    groups = deflect(X, 3, n_deflections=1, random_state=3)
    np.testing.assert_array_equal(deflect(X, 3, n_deflections=1, random_state=3), groups)
    one = deflect(X, 3, n_deflections=1, n_starts=1, random_state=3)
    np.testing.assert_array_equal(one[0], groups[0])
    F = objective(X, groups[:1].transpose(0, 2, 1).copy())
    assert F(np.log(groups[1].T).ravel())[0] <= F(np.log(one[1].T).ravel())[0]


# bad input


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"n_deflections": -1}, "n_deflections=-1"),
        ({"m": 1.0}, "m=1.0"),
        ({"relaxation": 0.0}, "relaxation=0.0"),
        ({"relaxation": np.inf}, "relaxation=inf"),
        ({"aligned": "yes"}, "aligned='yes'"),
        ({"n_starts": 0}, "n_starts=0"),
        ({"max_iter": 0}, "max_iter=0"),
        ({"k": 0}, "k=0"),
        ({"k": 5}, "X has n_samples=4 rows: k=5"),
        ({"first": np.full((4, 3), 1 / 3)}, r"first has shape \(4, 3\): .* need \(4, 2\)"),
        ({"first": np.full((3, 2), 1 / 2)}, r"first has shape \(3, 2\)"),
        ({"first": np.full((4, 2), 0.6)}, "rows that sum to 1"),
        ({"first": np.tile([1.5, -0.5], (4, 1))}, "no negative values"),
        ({"first": np.full((4, 2), np.nan)}, "NaN"),
    ],
)
def test_parameters_that_are_not_allowed(options, said):
    with pytest.raises(ValueError, match=said):
        deflect([[0.0], [1.0], [2.5], [4.0]], **{"k": 2, **options})


def test_tables_that_are_not_allowed():
    with pytest.raises(ValueError, match="NaN"):
        deflect([[0.0], [np.nan], [1.0]], 2)
    with pytest.raises(ValueError, match="1 distinct rows"):
        deflect(np.ones((5, 2)), 2)
    for X in (np.ones((5, 2)), np.arange(6.0).reshape(-1, 1) % 2):
        with pytest.raises(ValueError, match="fit X without error"):
            deflect(X, 2, first=np.eye(2)[np.arange(len(X)) % 2])
    with pytest.raises(ValueError, match="the shapes must be equal"):
        distance([[1.0]], [[0.5, 0.5]])


@pytest.mark.slow
def test_five_thousand_rows_and_twenty_clusters():
    X, y = make_blobs(5000, 20, centers=20, cluster_std=2.0, random_state=0)
    groups = deflect(scale(X), 20, m=1.5, first=class_memberships(scale(X), y, 20, m=1.5), random_state=0)
    np.testing.assert_allclose(groups.sum(axis=2), 1, rtol=1e-12)
    assert min(distance(groups[g], groups[h]) for g in range(3) for h in range(g)) > 0.2
