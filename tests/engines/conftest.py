"""Clusters whose workers are threads of this process, but talk to each other as if they were elsewhere."""

import distributed
import pytest


def start_cluster(n_workers, **options):
    settings = {"processes": False, "protocol": "tcp://", "host": "127.0.0.1", "dashboard_address": "127.0.0.1:0"}
    return distributed.LocalCluster(n_workers=n_workers, threads_per_worker=1, **{**settings, **options})


@pytest.fixture(scope="module")
def pair():
    """A cluster of two workers."""
    with start_cluster(2) as cluster:
        yield cluster


@pytest.fixture
def client(pair):
    """A client that is not active: it must be asked for."""
    with distributed.Client(pair, set_as_default=False) as client:
        client.wait_for_workers(2)
        yield client
