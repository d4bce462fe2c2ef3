"""A small table in memory and in partitions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from emphatic.emphasis import (
    Annealed,
    Averaged,
    Brown,
    Controlled,
    CostSensitive,
    DynamicMixed,
    Exponential,
    Focal,
    Logistic,
    Mixed,
    Multiplicative,
    Robust,
    Savage,
    Smooth,
    Tangent,
    Uniform,
)

da = pytest.importorskip("dask.array")

EMPHASES = [
    Exponential(),
    Mixed(0.3),
    Mixed(0.3, f_scale="one_sided"),
    Uniform(),
    Controlled(0.3, 0.5),
    DynamicMixed((0.2, 0.6), f_scale="tanh"),
    Logistic(),
    Savage(),
    Tangent(),
    Focal(),
    Multiplicative(),
    Averaged(Mixed(0.3)),
    Annealed(Mixed(0.2), Mixed(0.8), 4),
    CostSensitive(),
    Smooth(),
    Brown(1.0),
    Robust(),
]
"""All that are functions of margins, and so need no row of another partition."""

PARTITIONS = {"one": (900,), "four": (300, 150, 430, 20)}


def make_table(n_classes: int = 2, n: int = 900) -> tuple[np.ndarray, np.ndarray]:
    """Rows of two or three classes that no line separates, with noise."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, 4))
    y = (X[:, 0] * X[:, 1] + 0.5 * rng.standard_normal(n) > 0).astype(int)
    return X, y + ((X[:, 2] > 0.7) & (y == 1) if n_classes == 3 else 0)


def split(X: np.ndarray, y: np.ndarray, sizes: tuple[int, ...]) -> tuple[Any, Any]:
    """The same rows as Dask arrays; the labels lie in other partitions than the rows."""
    return da.from_array(X, chunks=(sizes, -1)), da.from_array(y, chunks=331)


@contextmanager
def open_cluster() -> Iterator[Any]:
    """The client of a cluster of two processes."""
    distributed = pytest.importorskip("distributed")
    # any free port for the dashboard: others may run a cluster too
    options = {"n_workers": 2, "threads_per_worker": 1, "memory_limit": None, "dashboard_address": ":0"}
    with distributed.LocalCluster(**options, silence_logs=50) as local, distributed.Client(local) as client:
        yield client


@pytest.fixture(params=list(PARTITIONS))
def sizes(request: Any) -> tuple[int, ...]:
    """Of the partitions."""
    return PARTITIONS[request.param]


def assert_same_model(found: Any, expected: Any, X: np.ndarray, tolerance: float) -> None:
    """Votes and scores agree; stopping rules came to the same end."""
    assert found.stop_reason_ == expected.stop_reason_
    np.testing.assert_allclose(found.alphas_, expected.alphas_, rtol=0, atol=tolerance)
    np.testing.assert_allclose(found.decision_function(X), expected.decision_function(X), rtol=0, atol=tolerance)
    np.testing.assert_array_equal(found.candidates_, expected.candidates_)
    np.testing.assert_allclose(found.effective_sample_sizes_, expected.effective_sample_sizes_, rtol=tolerance)
    assert found.margin_ == pytest.approx(expected.margin_, abs=tolerance)
