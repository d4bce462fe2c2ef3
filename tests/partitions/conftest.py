"""A small table in memory and in partitions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

da = pytest.importorskip("dask.array")

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
