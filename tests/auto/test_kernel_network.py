"""Kernel networks of `EmphaticClassifier`: large coefficients that cancel leave their digits to the score."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from emphatic.auto.candidates.kernels import KernelModel
from emphatic.auto.candidates.points import IndependentPoints


@pytest.mark.parametrize("metric", ["cityblock", "euclidean", "sqeuclidean"])
def test_scores_are_those_of_double_precision(metric):
    rng = np.random.default_rng(0)
    rows, units = (rng.integers(-4, 5, size=(n, 1)).astype(np.float32) for n in (50, 400))  # exact distances
    coefficients = rng.normal(scale=20.0, size=(400, 2)).astype(np.float32)
    model = KernelModel(metric, 0.25, coefficients, coefficients.sum(axis=0, dtype=np.float64))
    expected = (np.exp(-0.25 * cdist(rows, units, metric)) + 1.0) @ coefficients
    scores = model.scores(IndependentPoints(rows, np.ascontiguousarray(units.T)))
    np.testing.assert_allclose(scores, expected, rtol=0, atol=1e-10)
