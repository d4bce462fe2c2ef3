"""The factor that makes probabilities of scores."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax

from emphatic.blending.temperature import calibrate, fit_factor, score_columns


def noisy_scores(n=200, n_classes=3, seed=3):
    rng = np.random.default_rng(seed)
    scores, codes = rng.normal(size=(n, n_classes)), rng.integers(n_classes, size=n)
    scores[np.arange(n), codes] += 1.0
    return scores, codes


def test_calibration_is_invariant_to_the_scale_of_the_scores():
    scores, codes = noisy_scores()
    one, two = calibrate(scores, codes), calibrate(7.0 * scores, codes)
    np.testing.assert_allclose(one, two, atol=5e-3)
    np.testing.assert_allclose(one.sum(axis=1), 1.0)


def test_the_factor_of_calibrated_logarithms_is_one():
    rng = np.random.default_rng(4)
    p = rng.uniform(0.05, 0.95, 20_000)
    codes = (rng.random(20_000) < p).astype(int)
    probabilities = np.column_stack([1 - p, p])
    np.testing.assert_allclose(calibrate(np.log(probabilities), codes), probabilities, atol=0.01)


@pytest.mark.parametrize("smoothing", [0.0, 0.2])
def test_the_factor_minimises_the_weighted_loss_against_smoothed_labels(smoothing):
    scores, codes = noisy_scores()
    weights = np.where(scores.argmax(axis=1) == codes, 1.0, 0.1)
    targets = (1 - smoothing) * np.eye(3)[codes] + smoothing / 3

    def loss(log_factor):
        return -np.average((targets * log_softmax(np.exp(log_factor) * scores, axis=1)).sum(axis=1), weights=weights)

    best = minimize_scalar(loss, bounds=(-3, 5), method="bounded")
    factor, found = fit_factor(scores, codes, weights, smoothing)
    assert np.log(factor) == pytest.approx(best.x, abs=0.01)
    assert found == pytest.approx(best.fun, abs=1e-4)


def test_integer_weights_are_repeated_samples():
    scores, codes = noisy_scores(50)
    weights = np.random.default_rng(5).integers(0, 4, 50)
    repeated = np.repeat(np.arange(50), weights)
    expected = fit_factor(scores[repeated], codes[repeated])
    assert fit_factor(scores, codes, weights.astype(float)) == pytest.approx(expected, rel=1e-6)
    factor = expected[0]
    np.testing.assert_allclose(
        calibrate(scores, codes, weights.astype(float)), np.exp(log_softmax(factor * scores, axis=1)), rtol=1e-5
    )


def test_the_factor_stays_in_its_range_where_the_loss_has_no_minimum():
    scores, codes = score_columns(np.array([-1.0, 1.0, 2.0])), np.array([0, 1, 1])
    assert fit_factor(scores, codes)[0] == pytest.approx(np.exp(5.0))
    assert fit_factor(scores, 1 - codes)[0] == pytest.approx(np.exp(-3.0))


def test_two_classes_have_two_columns_of_scores():
    expected = [[-1.0, 1.0], [2.0, -2.0]]
    assert score_columns(np.array([1.0, -2.0])).tolist() == expected
    assert score_columns(np.array([[1.0], [-2.0]], dtype=np.float32)).tolist() == expected
    assert score_columns(np.array(expected)).tolist() == expected
