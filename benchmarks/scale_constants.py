"""What a round on partitions costs on this machine: the constants of `benchmarks.scale_model`."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import dask.array as da
import numpy as np
from distributed import Client

from benchmarks.scale import N_CENTRES, N_COLUMNS, PARTITION, boost, draw, start_cluster
from benchmarks.timing import interleaved
from emphatic.kernels.draws import first_arrivals
from emphatic.learners.rbf_network import RBFNetworkClassifier, root_of_weights
from emphatic.learners.rbf_partitions import describe_cells, sum_products_of_rows
from emphatic.randomness import RowNoise

ROUNDS = 4
FEW, MANY = 50, 250
"""Partitions of a handful of rows each: what the second costs more than the first is what partitions cost Dask."""


@dataclass(frozen=True)
class Constants:
    """Seconds per row of the passes of a round, and of what Dask adds to them."""

    read: float
    """To read a row from Parquet, in a pass."""
    draw: float
    """To draw its arrival, without reading it."""
    cells: float
    gram: float
    respond: float
    per_partition: float
    """Seconds of the scheduler and the client per partition and round."""
    per_round: float
    """Seconds of a round with next to no rows."""
    sum_bytes: float
    """That a partition sends for one Gram matrix and its moments."""

    @property
    def passes(self) -> tuple[float, ...]:
        """Seconds per row of each pass of a round: draw, take centres, cells, Gram matrix, response."""
        return self.draw, self.read, self.read + self.cells, self.read + self.gram, self.read + self.respond


def measure_constants(repeats: int = 5) -> Constants:
    """On one thread; of the processor's time the shortest of several, of the cluster's the time by the clock."""
    table = draw(PARTITION, 0)
    X, y = np.ascontiguousarray(table[:, :-1], np.float64), table[:, -1].astype(np.int16)
    weights, centres, widths = np.full(PARTITION, 1 / PARTITION), X[:N_CENTRES].copy(), np.full(N_CENTRES, 10.0)
    network = RBFNetworkClassifier()
    network.centres_, network.widths_, network.weights_ = centres, widths, np.zeros((1, N_CENTRES))
    network.classes_ = np.arange(2)
    noise, counts = RowNoise(np.random.default_rng(0), 10**9), np.full(2, N_CENTRES // 2)

    def draw_arrivals() -> np.ndarray:
        """As in a partition that is not the first."""
        return first_arrivals(noise.between(PARTITION, 2 * PARTITION), weights, y.astype(np.intp), counts)

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        write_rows(path, table)
        seconds = interleaved(
            {
                "read": lambda: read_rows(path),
                "draw": draw_arrivals,
                "cells": lambda: describe_cells(X, y, weights, centres, None, (4.0, 20.0)),
                "gram": lambda: sum_products_of_rows(X, y, weights, centres, widths, 2, False, root_of_weights),
                "respond": lambda: network.respond(X),
            },
            repeats,
        )
    per_row = {name: value / PARTITION for name, value in seconds.items()}
    few, many = measure_overhead(FEW), measure_overhead(MANY)
    per_partition = max(0.0, (many - few) / (MANY - FEW))
    sum_bytes = 8.0 * N_CENTRES * (N_CENTRES + 1)
    return Constants(**per_row, per_partition=per_partition, per_round=few - FEW * per_partition, sum_bytes=sum_bytes)


def write_rows(path: Path, table: np.ndarray) -> None:
    import pandas as pd

    pd.DataFrame(table).rename(columns=str).to_parquet(path)


def read_rows(path: Path) -> np.ndarray:
    import pandas as pd

    return np.ascontiguousarray(pd.read_parquet(path).to_numpy()[:, :N_COLUMNS], dtype=np.float64)


def measure_overhead(n_partitions: int) -> float:
    """Seconds per round on partitions of 50 rows, on as many workers as there are cores."""
    n = 50 * n_partitions
    X = da.random.default_rng(0).standard_normal((n, N_COLUMNS), chunks=(50, -1))
    y = da.from_array(np.arange(n) % 2, chunks=50)
    with start_cluster(os.cpu_count() or 1) as client:
        return min(_time_round(client, X, y) for _ in range(2))


def _time_round(client: Client, X: Any, y: Any) -> float:
    times = []
    for n_rounds in (1, 1 + ROUNDS):
        started = perf_counter()
        boost().set_params(n_estimators=n_rounds).fit(X, y)
        times.append(perf_counter() - started)
    return (times[1] - times[0]) / ROUNDS
