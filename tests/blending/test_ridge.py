"""Kernel ridge in closed form, against plain retraining."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from emphatic.blending import ridge as module
from emphatic.blending.ridge import RIDGES, Features, Kernel, RidgePath, draw_units, encode_targets
from emphatic.blending.temperature import fit_factor


def test_leave_one_out_is_what_retraining_without_the_sample_gives():
    rng = np.random.default_rng(0)
    Z, targets, weights = rng.normal(size=(12, 5)), rng.normal(size=(12, 2)), rng.uniform(0.1, 2.0, 12)
    path = RidgePath(Z, targets, weights)
    for ridge in (0.01, 1.0, 30.0):
        scores = path.leave_one_out(ridge)
        for i in range(12):
            others = np.arange(12) != i
            A, W = Z[others], np.diag(weights[others])
            solution = np.linalg.solve(A.T @ W @ A + ridge * np.eye(5), A.T @ W @ targets[others])
            np.testing.assert_allclose(scores[i], Z[i] @ solution, rtol=1e-9)


def test_a_fold_left_out_is_what_retraining_without_it_gives():
    rng = np.random.default_rng(0)
    Z, targets, weights = rng.normal(size=(12, 5)), rng.normal(size=(12, 2)), rng.uniform(0.1, 2.0, 12)
    folds = [np.array([0, 5, 7]), np.array([1, 2, 3, 4, 6]), np.array([8, 9, 10, 11])]
    scores = RidgePath(Z, targets, weights, folds).respond_left_out(0.3)
    for fold in folds:
        rest = np.setdiff1d(np.arange(12), fold)
        model = Ridge(0.3, fit_intercept=False).fit(Z[rest], targets[rest], sample_weight=weights[rest])
        np.testing.assert_allclose(scores[fold], model.predict(Z[fold]), atol=1e-10)


def test_folds_of_one_sample_are_left_out_as_single_samples_are():
    rng = np.random.default_rng(0)
    Z, targets, weights = rng.normal(size=(12, 5)), rng.normal(size=(12, 2)), rng.uniform(0.1, 2.0, 12)
    one_by_one = RidgePath(Z, targets, weights, [np.array([i]) for i in range(12)])
    np.testing.assert_allclose(
        one_by_one.respond_left_out(0.3), RidgePath(Z, targets, weights).respond_left_out(0.3), atol=1e-10
    )


def test_a_ridge_path_is_ridge_regression():
    rng = np.random.default_rng(0)
    Z, targets, weights = rng.normal(size=(20, 4)), rng.normal(size=(20, 2)), rng.random(20) + 0.1
    path = RidgePath(Z, targets, weights)
    for ridge in (0.1, 10.0):
        model = Ridge(ridge, fit_intercept=False).fit(Z, targets, sample_weight=weights)
        np.testing.assert_allclose(path.solution(ridge), model.coef_.T, atol=1e-10)
        for i in (0, 7):
            others = np.arange(20) != i
            without = Ridge(ridge, fit_intercept=False).fit(Z[others], targets[others], sample_weight=weights[others])
            np.testing.assert_allclose(path.leave_one_out(ridge)[i], without.predict(Z[i : i + 1])[0], atol=1e-10)


def test_features_reproduce_the_kernel_with_a_unit_on_every_sample_and_approximate_it_with_fewer():
    X = np.random.default_rng(1).normal(size=(30, 2))
    for metric in ("cityblock", "sqeuclidean"):
        kernel, units = Kernel(metric, 2.0), np.arange(30)
        matrix = kernel.activations(X, units)
        Z = Features.of(matrix.copy(), units).Z
        np.testing.assert_allclose(Z @ Z.T, matrix, atol=1e-5)
        few = np.arange(0, 30, 2)
        part = Features.of(matrix[:, few].copy(), few).Z
        np.testing.assert_allclose((part @ part.T)[few], matrix[few], atol=1e-5)  # exact in the rows of the units


@pytest.mark.parametrize("n_units", [30, 12])
def test_coefficients_of_units_give_the_output_of_the_features(n_units):
    rng = np.random.default_rng(0)
    X, units = rng.normal(size=(30, 2)), np.arange(n_units)
    activations = Kernel("cityblock", 2.0).activations(X, units)
    features = Features.of(activations.copy(), units)
    solution = rng.normal(size=(n_units, 3))
    np.testing.assert_allclose(activations @ features.coefficients(solution), features.Z @ solution, atol=1e-5)


def test_a_left_out_score_does_not_depend_on_the_sample_s_own_label():
    rng = np.random.default_rng(2)
    X, codes, weights = rng.normal(size=(40, 3)), rng.integers(2, size=40), np.ones(40)
    Z = Features.of(Kernel("cityblock", 2.0).activations(X, np.arange(40)), np.arange(40)).Z
    other = codes.copy()
    other[7] = 1 - codes[7]
    one, two = (RidgePath(Z, encode_targets(y, 2), weights).leave_one_out(1.0) for y in (codes, other))
    np.testing.assert_allclose(one[7], two[7], atol=1e-9)
    assert np.abs(one - two).max() > 0.01


@pytest.mark.parametrize("heavy", [0, 1])
def test_the_chosen_ridge_has_the_lowest_left_out_loss_under_the_weights(heavy):
    """Half of the samples is noise, and the other half a line: which ridge is best depends on whom the loss is of."""
    rng = np.random.default_rng(3)
    Z = rng.normal(size=(120, 30))
    noise = np.arange(120) % 2
    codes = np.where(noise, rng.integers(2, size=120), Z[:, 0] > 0).astype(int)
    weights = np.where(noise == heavy, 1.0, 1e-3)
    path = RidgePath(Z, encode_targets(codes, 2), np.ones(120))
    scores, ridge = path.choose_ridge(codes, weights)
    losses = [fit_factor(path.leave_one_out(one), codes, weights)[1] for one in RIDGES]
    assert ridge == RIDGES[np.argmin(losses)]
    np.testing.assert_array_equal(scores, path.leave_one_out(ridge))
    one_column = RidgePath(Z, encode_targets(codes, 2)[:, 1:], np.ones(120))
    np.testing.assert_allclose(one_column.choose_ridge(codes, weights)[0], scores, atol=1e-9)


def test_units_are_all_rows_or_as_many_as_time_and_memory_allow(monkeypatch):
    rng = np.random.default_rng(4)
    assert draw_units(30, 10**6, rng).tolist() == list(range(30))
    few = draw_units(30, 150, rng)
    assert len(few) == len(set(few)) == 5 and (np.diff(few) > 0).all()
    assert len(draw_units(30, 3, rng)) == 1
    monkeypatch.setattr(module, "MOST_UNITS", 7)
    assert len(draw_units(30, 10**6, rng)) == 7


def test_repeated_rows_and_constant_tables_have_features():
    X = np.repeat(np.random.default_rng(5).normal(size=(10, 2)), 3, axis=0)
    matrix = Kernel("sqeuclidean", 1.0).activations(X, np.arange(30))  # singular
    np.testing.assert_allclose(np.diag(matrix), 2.0)  # exp(0), and 1 for the bias
    Z = Features.of(matrix.copy(), np.arange(30)).Z
    np.testing.assert_allclose(Z @ Z.T, matrix, atol=1e-5)
    assert (Kernel("cityblock", 1.0).activations(np.ones((4, 2)), np.arange(2)) == 2.0).all()


def test_a_sample_that_alone_determines_its_output_has_a_finite_score():
    path = RidgePath(np.eye(3), encode_targets(np.array([0, 1, 1]), 2), np.ones(3))
    assert np.abs(path.leave_one_out(0.0)).max() <= 1.0 + 1e-6  # its leverage is 1, and 0 / 0 must not come of it
    np.testing.assert_allclose(path.leave_one_out(1e-3), 0.0, atol=1e-9)  # without it nothing is known of it
