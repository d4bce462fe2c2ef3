"""`python -m benchmarks.cluster_search`: searches on one and on two workers of a Dask cluster, with the same results.

`EmphaticClassifier().fit` and `audit_labels` on 5,000 generated rows of 20 columns, on local worker processes of one
thread each. Seconds of the clock are the shortest of several runs; they mean something only on a machine with more idle
cores than workers, as the process that searches needs one, too. CPU seconds of workers and of that process are measured
in the same runs.

The replay needs no idle cores: every task is run here, one after another, and timed in CPU seconds, packing and
unpacking of what is sent included; a made-up clock then says when so many workers would have finished it. It knows no
network and no delays of Dask's scheduler.
"""

from __future__ import annotations

import argparse
import logging
import pickle
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import distributed
import numpy as np
from sklearn.datasets import make_classification

from benchmarks.replay import Replay, replay
from emphatic import EmphaticClassifier
from emphatic.audit import audit_labels
from emphatic.engines import DaskEngine, Item, on_dask

N, N_COLUMNS = 5_000, 20
HELD = {"EmphaticClassifier": 1, "audit_labels": 2}
"""Items per worker, as `DaskEngine` holds them: a search chooses late what it fits next."""

GOAL = 1.7


def make_table() -> tuple[np.ndarray, np.ndarray]:
    """Two classes; one label in a hundred is wrong."""
    table: tuple[np.ndarray, np.ndarray] = make_classification(N, N_COLUMNS, n_informative=8, random_state=0)
    return table


def fit(engine: Any) -> np.ndarray:
    """What tells models apart: predictions, and those out of fold."""
    X, y = make_table()
    model = EmphaticClassifier(random_state=0, engine=engine).fit(X, y)
    return np.hstack([model.predict_proba(X), model.out_of_fold_])


def audit(engine: Any) -> np.ndarray:
    """Suspicions."""
    return audit_labels(*make_table(), engine=engine).suspicion


USES: dict[str, Callable[[Any], np.ndarray]] = {"EmphaticClassifier": fit, "audit_labels": audit}


class PackedReplay(Replay):
    """Workers are processes: packing and unpacking of what is sent counts."""

    def __init__(self, n_workers: int, n_held: int) -> None:
        super().__init__(n_workers, n_held)
        self._copies: dict[tuple[int, int], tuple[Any, Any]] = {}

    def pack(self, item: Item) -> tuple[bytes, tuple[Any, ...]]:
        return pickle.dumps(item.own, 5), item.shared

    def execute(self, function: Callable[[Any], Any], packed: Any, worker: int) -> bytes:
        """The packed result; the first task of a worker pays for its copy of a table."""
        own, values = packed
        for value in values:
            if (id(value), worker) not in self._copies:
                self._copies[id(value), worker] = value, pickle.loads(pickle.dumps(value, 5))
        shared = tuple(self._copies[id(value), worker][1] for value in values)
        return pickle.dumps(function(Item(pickle.loads(own), shared)), 5)

    def unpack(self, result: bytes) -> Any:
        return pickle.loads(result)


@dataclass
class Measured:
    """One use on so many workers."""

    found: np.ndarray
    seconds: float
    worker_seconds: list[float]
    own_seconds: float


def measure(use: Callable[[Any], np.ndarray], engine: DaskEngine, n_runs: int) -> Measured:
    """The fastest of several runs, after one that is not counted: workers import and compile in it."""
    use(engine)
    runs = []
    for _ in range(n_runs):
        before, own, start = engine.client.run(time.process_time), time.process_time(), time.perf_counter()
        found = use(engine)
        seconds, own = time.perf_counter() - start, time.process_time() - own
        after = engine.client.run(time.process_time)
        runs.append(Measured(found, seconds, [after[one] - before[one] for one in before], own))
    return min(runs, key=lambda one: one.seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3, help="runs of which the fastest counts")
    parser.add_argument("--only-replay", action="store_true", help="no cluster")
    options = parser.parse_args()
    for name, use in USES.items():
        print(f"{name}, {N:,} rows x {N_COLUMNS}")
        expected = use(None)
        if not options.only_replay:
            show_clusters(use, expected, options.runs)
        make = partial(PackedReplay, n_held=HELD[name])
        one, two = (replay(use, n_workers, options.runs, make) for n_workers in (1, 2))
        print(f"  replay: {one:.2f} s on one worker, {two:.2f} s on two: {one / two:.2f}x (goal: {GOAL}x)")


def show_clusters(use: Callable[[Any], np.ndarray], expected: np.ndarray, n_runs: int) -> None:
    """Print what real workers take."""
    seconds = {}
    for n_workers in (1, 2):
        settings = {"dashboard_address": "127.0.0.1:0", "memory_limit": None, "silence_logs": logging.CRITICAL}
        with (
            distributed.LocalCluster(n_workers=n_workers, threads_per_worker=1, **settings) as cluster,
            distributed.Client(cluster, set_as_default=False) as client,
        ):
            client.wait_for_workers(n_workers)
            measured = measure(use, on_dask(client), n_runs)
        seconds[n_workers] = measured.seconds
        difference = float(np.nanmax(np.abs(measured.found - expected)))
        by_worker = " + ".join(f"{one:.2f}" for one in measured.worker_seconds)
        cpu = f"CPU: workers {by_worker} s, own {measured.own_seconds:.2f} s"
        same = f"largest difference to no engine {difference:.1g}"
        print(f"  workers: {n_workers}; {measured.seconds:.2f} s; {cpu}; {same}", flush=True)
    print(f"  clock: {seconds[1] / seconds[2]:.2f}x (goal: {GOAL}x)")


if __name__ == "__main__":
    main()
