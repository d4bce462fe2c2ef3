"""`python -m benchmarks.scale [--rows 1 4 16] [--peers] [--page docs/scale.md]`: one model from a table in partitions.

The table is drawn anew, partition by partition, in every pass, and is never in memory as a whole. Two local workers of
one thread and 2 GB each fit 20 rounds of RBF networks of 50 centres; one worker fits the same to 4 million rows. With
`--peers`, XGBoost's and LightGBM's own Dask estimators are fitted to 4 million rows on a cluster of the same kind.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import dask.array as da
import numpy as np
from distributed import Client, LocalCluster

from benchmarks.pages import write_figures
from emphatic import RBFNetworkClassifier, RealAdaBoostClassifier
from emphatic.learners import SampledCentres

N_COLUMNS, N_CLUSTERS, N_CENTRES, N_ROUNDS = 20, 16, 50, 20
PARTITION = 250_000
MILLION = 1_000_000
COMPARED = 4
"""Million rows."""
MEMORY = "2GB"
REGULARISATION = 1e-9
"""Chosen on 100,000 other rows; the default, 1e-4, is for tables of hundreds."""


def draw(n: int, seed: int) -> np.ndarray:
    """Rows of two classes of eight clusters each, the label in the last column; 5% of the labels are flipped."""
    places = np.random.default_rng(0).uniform(-1.2, 1.2, (N_CLUSTERS, N_COLUMNS)).astype(np.float32)
    rng = np.random.default_rng([1, seed])
    cluster = rng.integers(N_CLUSTERS, size=n)
    table = np.empty((n, N_COLUMNS + 1), dtype=np.float32)
    table[:, :-1] = rng.standard_normal((n, N_COLUMNS), dtype=np.float32) + places[cluster]
    table[:, -1] = (cluster % 2) ^ (rng.random(n) < 0.05)
    return table


def draw_lazily(n: int, first: int = 0) -> tuple[Any, Any]:
    """Rows and labels as Dask arrays; partition i is drawn with the seed `first` + i."""
    sizes = [PARTITION] * (n // PARTITION) + [n % PARTITION] * (n % PARTITION > 0)
    seeds = da.from_array(np.arange(first, first + len(sizes)), chunks=1)
    chunks = tuple(sizes)

    def rows(seed: np.ndarray) -> np.ndarray:
        return draw(chunks[seed[0] - first], int(seed[0]))[:, :-1]

    def labels(seed: np.ndarray) -> np.ndarray:
        return draw(chunks[seed[0] - first], int(seed[0]))[:, -1].astype(np.int8)

    X = seeds.map_blocks(rows, dtype=np.float32, new_axis=1, chunks=(chunks, N_COLUMNS), meta=np.empty((0, 0), "f4"))
    return X, seeds.map_blocks(labels, dtype=np.int8, chunks=(chunks,), meta=np.empty(0, np.int8))


@contextmanager
def start_cluster(n_workers: int) -> Iterator[Client]:
    options = {"n_workers": n_workers, "threads_per_worker": 1, "memory_limit": MEMORY, "dashboard_address": ":0"}
    with LocalCluster(**options, silence_logs=50) as cluster, Client(cluster) as client:
        yield client


@dataclass(frozen=True)
class Measured:
    """A fit: million rows, workers, seconds, peak memory of a worker in GB, bytes sent per round, model."""

    million: float
    n_workers: int
    seconds: float
    gigabytes: float
    sent: float
    model: Any


def boost() -> RealAdaBoostClassifier:
    network = RBFNetworkClassifier(SampledCentres(n_centres=N_CENTRES), regularisation=REGULARISATION)
    return RealAdaBoostClassifier(network, n_estimators=N_ROUNDS, negative="flip", random_state=0)


def measure(fit: Callable[[Client, Any, Any], Any], million: float, n_workers: int) -> Measured:
    """Of one fit on a new cluster, whose workers have compiled or read what they need."""
    with start_cluster(n_workers) as client:
        fit(client, *draw_lazily(2 * n_workers * 10_000, first=10**6))
        client.run(forget_transfers)
        started = perf_counter()
        model = fit(client, *draw_lazily(round(million * MILLION)))
        seconds = perf_counter() - started
        sent = sum(client.run(count_sent_bytes).values()) / N_ROUNDS
        gigabytes = max(client.run(find_peak_memory).values())
    return Measured(million, n_workers, seconds, gigabytes, sent, model)


def forget_transfers(dask_worker: Any) -> None:
    dask_worker.transfer_outgoing_log.clear()
    dask_worker.bytes_before = dask_worker.transfer_outgoing_bytes_total


def count_sent_bytes(dask_worker: Any) -> int:
    return int(dask_worker.transfer_outgoing_bytes_total - dask_worker.bytes_before)


def find_peak_memory() -> float:
    """Largest resident memory that the process ever had, in GB."""
    text = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(text.split("VmHWM:")[1].split()[0]) * 1024 / 1e9


def fit_ours(client: Client, X: Any, y: Any) -> Any:
    return boost().fit(X, y)


def fit_ours_kept(client: Client, X: Any, y: Any) -> Any:
    """With the rows kept in the memory of the workers, as the peers keep them."""
    return boost().fit(*client.persist([X, y]))


def fit_xgboost(client: Client, X: Any, y: Any) -> Any:
    from xgboost.dask import DaskXGBClassifier

    model = DaskXGBClassifier(n_estimators=100, tree_method="hist")
    model.client = client
    return model.fit(X, y)


def fit_lightgbm(client: Client, X: Any, y: Any) -> Any:
    from lightgbm import DaskLGBMClassifier

    return DaskLGBMClassifier(n_estimators=100, verbose=-1, client=client).fit(X, y).to_local()


def find_error(model: Any) -> float:
    """In percent, of 200,000 rows that no model has seen."""
    table = draw(200_000, 10**7)
    inner = getattr(model, "get_booster", None)
    if inner is not None:
        import xgboost

        predicted = inner().predict(xgboost.DMatrix(table[:, :-1])) > 0.5
    else:
        predicted = model.predict(table[:, :-1])
    return 100.0 * float(np.mean(np.asarray(predicted).astype(np.int8) != table[:, -1]))


def write_growth(found: list[Measured]) -> Iterator[str]:
    yield "| million rows | workers | seconds | per million rows | peak memory of a worker | sent per round |"
    yield "|---:|---:|---:|---:|---:|---:|"
    for one in found:
        yield (
            f"| {one.million:g} | {one.n_workers} | {one.seconds:.0f} | {one.seconds / one.million:.2f} | "
            f"{one.gigabytes:.2f} GB | {one.sent / 1e6:.1f} MB |"
        )


def write_peers(found: dict[str, Measured]) -> Iterator[str]:
    yield f"| {COMPARED} million rows, two workers | seconds | error, % | peak memory of a worker |"
    yield "|---|---:|---:|---:|"
    for name, one in found.items():
        yield f"| {name} | {one.seconds:.0f} | {find_error(one.model):.2f} | {one.gigabytes:.2f} GB |"


PEERS: dict[str, Callable[[Client, Any, Any], Any]] = {
    f"RealAdaBoost, {N_ROUNDS} RBF networks": fit_ours,
    "the same, rows kept in memory": fit_ours_kept,
    "xgboost.dask, 100 trees": fit_xgboost,
    "lightgbm.dask, 100 trees": fit_lightgbm,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=float, nargs="*", default=[1, 4, 16], help="in millions")
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--page", type=Path)
    arguments = parser.parse_args()
    lines: list[str] = []
    if arguments.rows:
        found = [measure(fit_ours, million, 2) for million in arguments.rows]
        found.append(measure(fit_ours, COMPARED, 1))
        lines += [*write_growth(found), ""]
    if arguments.peers:
        lines += [*write_peers({name: measure(fit, COMPARED, 2) for name, fit in PEERS.items()}), ""]
    print("\n".join(lines))
    if arguments.page is not None:
        write_figures(arguments.page, lines, "benchmarks.scale")


if __name__ == "__main__":
    main()
