"""The synthetic problems have the distributions they claim: moments, and the error of the Bayes rule."""

import numpy as np
import pytest

from emphatic.datasets import five_gaussians_not_kwok, load, ripley_mixture, waveform
from emphatic.datasets.generators import FIVE_CENTRES, FIVE_LABELS, RIPLEY_CENTRES


def densities(X, centres, variance):
    """Sum over the centres of the normal density, up to a constant."""
    return np.exp(-((X[:, None, :] - centres) ** 2).sum(axis=2) / (2 * variance)).sum(axis=1)


def test_ripley_mixture_centres_and_bayes_error():
    X, y = ripley_mixture(40_000, random_state=1)
    assert np.bincount(y).tolist() == [40_000, 40_000]
    for label, centres in enumerate([[(-0.7, 0.3), (0.3, 0.3)], [(-0.3, 0.7), (0.4, 0.7)]]):
        points = X[y == label]
        np.testing.assert_allclose(points.mean(axis=0), np.mean(centres, axis=0), atol=0.01)
        # Variance of a mixture: 0.03 inside the components, and half their distance squared between them.
        between = (np.diff(centres, axis=0)[0] / 2) ** 2
        np.testing.assert_allclose(points.var(axis=0), 0.03 + between, rtol=0.03)
        left = points[:, 0] < np.mean(centres, axis=0)[0]
        assert abs(left.mean() - 0.5) < 0.02
    guess = densities(X, RIPLEY_CENTRES[1], 0.03) > densities(X, RIPLEY_CENTRES[0], 0.03)
    assert abs(np.mean(guess != y) - 0.089) < 0.004


def test_waveform_class_means_and_noise():
    X, y = waveform(60_000, random_state=2)
    place = np.arange(1, 22)
    triangle = {peak: np.maximum(6 - abs(place - peak), 0) for peak in (7, 11, 15)}
    for label, (first, second) in enumerate([(7, 15), (7, 11), (11, 15)]):
        points = X[y == label]
        assert abs(len(points) / len(X) - 1 / 3) < 0.01
        np.testing.assert_allclose(points.mean(axis=0), (triangle[first] + triangle[second]) / 2, atol=0.06)
        # Noise has variance 1, the uniform share 1/12.
        expected = 1 + (triangle[first] - triangle[second]) ** 2 / 12
        np.testing.assert_allclose(points.var(axis=0), expected, rtol=0.05)


def test_five_gaussians_centres_deviation_and_bayes_error():
    X, y = five_gaussians_not_kwok(20_000, random_state=3)
    assert int((y == 1).sum()) == 60_000
    assert int((y == -1).sum()) == 40_000
    positive, negative = (FIVE_CENTRES[label == FIVE_LABELS] for label in (1, -1))
    np.testing.assert_allclose(X[y == 1].mean(axis=0), [0, 0.5], atol=0.02)
    np.testing.assert_allclose(X[y == -1].mean(axis=0), [0, -0.5], atol=0.02)
    np.testing.assert_allclose(X[y == 1].std(axis=0)[1], 0.501, atol=0.01)
    guess = np.where(densities(X, positive, 0.501**2) > densities(X, negative, 0.501**2), 1, -1)
    assert abs(np.mean(guess != y) - 0.114) < 0.004


@pytest.mark.parametrize("draw", [ripley_mixture, waveform, five_gaussians_not_kwok])
def test_draws_repeat_with_the_seed_only(draw):
    X, y = draw(50, random_state=5)
    again, labels = draw(50, random_state=np.random.default_rng(5))
    np.testing.assert_array_equal(X, again)
    np.testing.assert_array_equal(y, labels)
    assert not np.array_equal(X, draw(50, random_state=6)[0])
    assert np.unique(y[: len(y) // 2]).tolist() == np.unique(y).tolist()  # not sorted by class


@pytest.mark.parametrize("draw", [ripley_mixture, waveform, five_gaussians_not_kwok])
@pytest.mark.parametrize("size", [0, -1, 2.5])
def test_bad_sizes_are_refused(draw, size):
    with pytest.raises(ValueError, match="integer of at least 1"):
        draw(size)


def test_waveform_takes_labels():
    assert waveform(labels=[2, 2, 0])[1].tolist() == [2, 2, 0]
    with pytest.raises(ValueError, match="0, 1 or 2"):
        waveform(labels=[3])


@pytest.mark.parametrize(
    ("name", "paper"),
    [("waveform", None), ("waveform", "001"), ("ripley_mixture", None), ("five_gaussians_not_kwok", "000")],
)
def test_loaded_draws_depend_on_the_seed_only(name, paper):
    first, second, other = (load(name, paper, random_state=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.X, second.X)
    np.testing.assert_array_equal(first.y, second.y)
    assert not np.array_equal(first.X, other.X)


def test_waveform_under_001_mixes_the_other_classes():
    problem = load("waveform", "001", random_state=4)
    # Class 0 mixes triangles at 7 and 15, class 2 at 11 and 15; equally often, their mean has the shares 1, 1 and 2.
    low, middle, high = (np.maximum(6 - abs(np.arange(1, 22) - peak), 0) for peak in (7, 11, 15))
    np.testing.assert_allclose(problem.X[problem.y == -1].mean(axis=0), (low + middle + 2 * high) / 4, atol=0.2)
    np.testing.assert_allclose(problem.X[problem.y == 1].mean(axis=0), (low + middle) / 2, atol=0.2)
    assert np.array_equal(problem.train, np.arange(400))
