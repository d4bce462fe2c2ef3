"""Parallel perceptrons on partitions: every epoch is a sum, and the machine is that of the fit in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from emphatic import ParallelPerceptronClassifier, RealAdaBoostClassifier
from emphatic.emphasis import PatternType
from tests.partitions.conftest import assert_same_model, split

MACHINE = ParallelPerceptronClassifier(3, n_epochs=40, random_state=0)


def make_lines(n_classes: int = 2, n: int = 900) -> tuple[np.ndarray, np.ndarray]:
    """Classes that lines tell apart, but for noise.

    Judgements of activations are discontinuous. Machines that cannot learn their problem (that of `make_table`, where
    signs of a product are the classes) wander, until one of them hangs on the last bit of a sum; these do not.
    """
    rng = np.random.default_rng(0)
    X = rng.random((n, 4))
    beyond = X[:, 0] + X[:, 1] + 0.2 * rng.standard_normal(n) > 1
    return X, beyond.astype(int) + ((X[:, 2] > 0.6) & beyond if n_classes == 3 else 0)


def assert_same_machine(found: Any, expected: Any, tolerance: float) -> None:
    np.testing.assert_allclose(found.weights_, expected.weights_, rtol=0, atol=tolerance)
    np.testing.assert_allclose(found.margins_, expected.margins_, rtol=0, atol=tolerance)
    np.testing.assert_allclose(found.training_errors_, expected.training_errors_, rtol=0, atol=tolerance)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize(
    "options",
    [{}, {"keep": "last", "step": "mean", "gamma_step": "sum"}, {"gamma_step": "unweighted", "stabilisation": 0.5}],
    ids=repr,
)
def test_a_machine_is_the_one_in_memory(options: dict[str, Any], n_classes: int, sizes: tuple[int, ...]) -> None:
    X, y = make_lines(n_classes)
    machine = clone(MACHINE).set_params(**options)
    expected, found = clone(machine).fit(X, y), clone(machine).fit(*split(X, y, sizes))
    assert_same_machine(found, expected, 1e-10 if len(sizes) == 1 else 1e-8)
    np.testing.assert_array_equal(found.predict(X), expected.predict(X))


def test_rows_of_weight_0_count_as_absent() -> None:
    X, y = make_lines()
    weights = np.random.default_rng(1).random(len(y))
    weights[::7] = 0.0
    expected = clone(MACHINE).fit(X, y, weights)
    found = clone(MACHINE).fit(*split(X, y, (300, 150, 430, 20)), weights)
    assert_same_machine(found, expected, 1e-8)


@pytest.mark.parametrize("policy", ["positive", "balanced"])
def test_pattern_types_are_found_where_the_rows_are(policy: str, sizes: tuple[int, ...]) -> None:
    X, y = make_lines()
    emphasis = PatternType(policy, near_noisy="majority")
    model = RealAdaBoostClassifier(ParallelPerceptronClassifier(3, n_epochs=30), emphasis, 3, random_state=0)
    expected, found = clone(model).fit(X, y), clone(model).fit(*split(X, y, sizes))
    assert_same_model(found, expected, X, 1e-10 if len(sizes) == 1 else 1e-8)
