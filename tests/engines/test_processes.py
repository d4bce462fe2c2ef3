"""Workers that are processes, one of which is killed in the middle of a fit."""

import logging
import os
import signal
import threading

import distributed
import numpy as np
import pytest
from sklearn.datasets import make_classification

from emphatic import EmphaticClassifier
from emphatic.audit import audit_labels
from emphatic.engines import on_dask

pytestmark = pytest.mark.slow
X, y = make_classification(3000, 10, n_informative=5, random_state=0)


@pytest.fixture(scope="module")
def client():
    options = {"dashboard_address": "127.0.0.1:0", "memory_limit": None, "silence_logs": logging.CRITICAL}
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, **options) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        client.wait_for_workers(2)
        yield client


def fit(engine):
    return EmphaticClassifier(random_state=0, engine=engine).fit(X, y).out_of_fold_


def test_models_and_audits_are_the_same(client):
    engine = on_dask(client)
    np.testing.assert_array_equal(fit(engine), fit(None))
    suspicions = [audit_labels(X[:500], y[:500], engine=one).suspicion for one in (engine, None)]
    np.testing.assert_array_equal(*suspicions)


def test_a_worker_that_is_killed_changes_nothing(client):
    expected, engine = fit(None), on_dask(client)
    before = client.run(os.getpid)
    killer = threading.Timer(0.5, os.kill, (next(iter(before.values())), signal.SIGKILL))
    killer.start()
    np.testing.assert_array_equal(fit(engine), expected)
    killer.join()
    client.wait_for_workers(2, timeout=60)
    assert set(client.run(os.getpid).values()) != set(before.values())
