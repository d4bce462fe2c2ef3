"""Workers, schedulers and clients that go away while a model is fitted on their cluster."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from emphatic import (
    EmphaticClassifier,
    MLPNetworkClassifier,
    ParallelPerceptronClassifier,
    RBFNetworkClassifier,
    RealAdaBoostClassifier,
    cluster,
)
from emphatic.boosting import growth
from emphatic.cluster import EngineError
from emphatic.emphasis import Mixed
from emphatic.engines import versions
from emphatic.learners import SampledCentres
from emphatic.learners.random_tree import RandomTree, Shape
from tests.partitions.conftest import make_table, open_cluster

da = pytest.importorskip("dask.array")
distributed = pytest.importorskip("distributed")

X, Y = make_table(n=4000)
ROWS, LABELS = da.from_array(X, chunks=(500, -1)), da.from_array(Y, chunks=500)
MODEL = RealAdaBoostClassifier(RBFNetworkClassifier(SampledCentres(n_centres=10)), Mixed(0.3), 6, random_state=0)


@pytest.fixture
def client() -> Iterator[Any]:
    """Of a cluster of two processes."""
    with open_cluster() as client:
        yield client


def before_round(monkeypatch: pytest.MonkeyPatch, number: int, action: Any) -> None:
    """Do something before a round of the next fit begins."""
    ask = growth.Growth.ask
    rounds = 0

    def ask_after_action(self: Any) -> Any:
        nonlocal rounds
        rounds += 1
        if rounds == number:
            action()
        return ask(self)

    monkeypatch.setattr(growth.Growth, "ask", ask_after_action)


def kill_a_worker(client: Any) -> None:
    os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)


LEARNERS = [
    MODEL.estimator,
    ParallelPerceptronClassifier(3, n_epochs=10),
    MLPNetworkClassifier(3, updates="batch", max_epochs=8),
    RandomTree(Shape(4, 20)),
]


@pytest.mark.slow
@pytest.mark.parametrize("learner", LEARNERS, ids=lambda one: type(one).__name__)
def test_a_killed_worker_changes_nothing(client: Any, monkeypatch: pytest.MonkeyPatch, learner: Any) -> None:
    model = clone(MODEL).set_params(estimator=learner)
    expected = clone(model).fit(X, Y)
    before_round(monkeypatch, 4, lambda: kill_a_worker(client))
    found = clone(model).fit(ROWS, LABELS)
    np.testing.assert_allclose(found.decision_function(X), expected.decision_function(X), rtol=0, atol=1e-8)
    np.testing.assert_allclose(found.predict_proba(ROWS).compute(), expected.predict_proba(X), rtol=0, atol=1e-8)


@contextmanager
def start_scheduler(folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """A scheduler and a worker as processes of their own, as on a real cluster; the scheduler and its address."""
    file = str(folder / "scheduler.json")
    scheduler = ("dask_scheduler", "--port", "0", "--scheduler-file", file, "--no-dashboard")
    worker = ("dask_worker", "--scheduler-file", file, "--nthreads", "1", "--no-dashboard", "--no-nanny")
    commands = [[sys.executable, "-m", f"distributed.cli.{name}", *options] for name, *options in (scheduler, worker)]
    running = [subprocess.Popen(one, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for one in commands]
    try:
        with distributed.Client(scheduler_file=file, set_as_default=False, timeout=60) as first:
            first.wait_for_workers(1, timeout=60)
            address = first.scheduler.address
        yield running[0], address
    finally:
        for process in running:
            process.kill()
            process.wait()


@pytest.mark.slow
def test_a_killed_scheduler_is_said_and_a_checkpoint_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE_SECONDS", 3.0)
    kept = clone(MODEL).set_params(checkpoint=str(tmp_path / "fit"))
    with start_scheduler(tmp_path) as (scheduler, address), monkeypatch.context() as patch:
        before_round(patch, 4, scheduler.kill)
        with distributed.Client(address), pytest.raises(EngineError, match=r"scheduler.*checkpoint=folder"):
            kept.fit(ROWS, LABELS)
    assert len(list(tmp_path.glob("fit/round-*"))) == 3
    expected = clone(MODEL).fit(X, Y)
    found = kept.fit(ROWS, LABELS)  # goes on in this process: any scheduler will do
    np.testing.assert_allclose(found.decision_function(X), expected.decision_function(X), rtol=0, atol=1e-8)


@pytest.mark.slow
def test_a_cluster_without_workers_is_said(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE_SECONDS", 2.0)
    before_round(monkeypatch, 3, lambda: client.cluster.scale(0))
    with pytest.raises(EngineError, match="The Dask cluster has had no workers for 2 seconds"):
        clone(MODEL).fit(ROWS, LABELS)


@pytest.mark.slow
def test_no_row_but_the_centres_leaves_its_worker(client: Any) -> None:
    """When Dask balances the load it sends columns, such as weights, after a task; the rows of no partition."""
    n, size, n_rounds, n_centres = 200_000, 25_000, 3, 10
    rows = da.random.default_rng(0).standard_normal((n, 20), chunks=(size, -1))
    labels = da.from_array(np.random.default_rng(0).integers(2, size=n), chunks=size)
    model = clone(MODEL).set_params(n_estimators=n_rounds, negative="flip")
    client.run(forget_transfers)
    model.fit(rows, labels)
    sent = np.concatenate(list(client.run(list_transfers).values()))
    column, centres = 8 * size, n_centres * 20 * 8
    assert sent.max() <= column + 500  # bytes; the rows of a partition are 20 columns
    assert sent.sum() < 0.1 * n_rounds * n * 20 * 8
    assert (sent == centres).sum() >= n_rounds  # what learners need was counted


def forget_transfers(dask_worker: Any) -> None:
    dask_worker.transfer_outgoing_log.clear()


def list_transfers(dask_worker: Any) -> list[int]:
    """Bytes of all that a worker has sent to others or to the client."""
    return [size for entry in dask_worker.transfer_outgoing_log for size in entry["keys"].values()]


@pytest.mark.slow
@pytest.mark.parametrize("model", [MODEL, EmphaticClassifier()])
def test_a_closed_client_is_said(model: Any) -> None:
    options = {"n_workers": 1, "processes": False, "dashboard_address": ":0"}
    with distributed.LocalCluster(**options) as local, distributed.Client(local):
        rows, labels = ROWS.persist(), LABELS.persist()
    with pytest.raises(EngineError, match="client"):
        clone(model).fit(rows, labels)


@pytest.mark.slow
def test_stragglers_change_nothing(client: Any) -> None:
    expected = clone(MODEL).fit(X, Y)
    slow = ROWS.map_blocks(wait_in_the_first, dtype=float, meta=np.empty((0, 0)))
    found = clone(MODEL).fit(slow, LABELS)
    np.testing.assert_allclose(found.decision_function(X), expected.decision_function(X), rtol=0, atol=1e-8)


def wait_in_the_first(rows: np.ndarray, block_info: Any = None) -> np.ndarray:
    if block_info and block_info[0]["chunk-location"][0] == 0:
        time.sleep(0.02)
    return rows


@pytest.mark.slow
def test_workers_with_another_version_are_refused(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(versions, "__version__", "9.9.9")
    with pytest.raises(EngineError, match=r"2 workers.*this process has version 9\.9\.9"):
        clone(MODEL).fit(ROWS, LABELS)
