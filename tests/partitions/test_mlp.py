"""Networks on partitions: batch training adds up gradients, and is the same algorithm in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from emphatic import MLPNetworkClassifier, RealAdaBoostClassifier
from emphatic.emphasis import Mixed
from tests.partitions.conftest import assert_same_model, make_table, split

# every step of L-BFGS depends on all before it: what differs in the last bit differs by 1e-9 after 50 epochs
NETWORK = MLPNetworkClassifier(4, updates="batch", max_epochs=15, random_state=0)


def assert_same_network(found: Any, expected: Any, tolerance: float) -> None:
    np.testing.assert_allclose(found.hidden_weights_, expected.hidden_weights_, rtol=0, atol=tolerance)
    np.testing.assert_allclose(found.output_weights_, expected.output_weights_, rtol=0, atol=tolerance)
    np.testing.assert_allclose(found.validation_errors_, expected.validation_errors_, rtol=0, atol=tolerance)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("options", [{}, {"validation_fraction": 0.0}, {"largest_weight": 0.7}], ids=repr)
def test_a_network_is_the_one_in_memory(options: dict[str, Any], n_classes: int, sizes: tuple[int, ...]) -> None:
    X, y = make_table(n_classes)
    weights = np.random.default_rng(1).random(len(y)) + 0.1
    network = clone(NETWORK).set_params(**options)
    expected, found = clone(network).fit(X, y, weights), clone(network).fit(*split(X, y, sizes), weights)
    assert_same_network(found, expected, 1e-10 if len(sizes) == 1 else 1e-8)
    np.testing.assert_allclose(found.output(X), expected.output(X), rtol=0, atol=1e-8)


def test_judges_are_drawn_by_the_number_of_the_row() -> None:
    # beyond the first block of noise, and with partitions that begin inside blocks
    X, y = make_table(n=150_000)
    network = clone(NETWORK).set_params(max_epochs=4)
    expected = clone(network).fit(X, y)
    for sizes in [(150_000,), (70_000, 10, 29_990, 50_000)]:
        assert_same_network(clone(network).fit(*split(X, y, sizes)), expected, 1e-10)


def test_boosted_networks_are_those_in_memory(sizes: tuple[int, ...]) -> None:
    X, y = make_table()
    network = MLPNetworkClassifier(3, updates="batch", max_epochs=15)
    model = RealAdaBoostClassifier(network, Mixed(0.3), 3, random_state=0)
    expected, found = clone(model).fit(X, y), clone(model).fit(*split(X, y, sizes))
    assert_same_model(found, expected, X, 1e-10 if len(sizes) == 1 else 1e-8)
