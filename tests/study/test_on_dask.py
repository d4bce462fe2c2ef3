import logging
import os
import signal
import socket
import sys
import time
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from emphatic.engines import EngineError, on_dask
from emphatic.study import Store
from emphatic.study.limits import Limits
from emphatic.study.runner import run_studies
from emphatic.study.tasks import make_item, read_item
from tests.study.fakes import FakeProblem, build_by_depth, build_logged, errors, make_study

distributed = pytest.importorskip("distributed", reason="needs the extra `dask`")


@pytest.fixture(scope="module")
def cluster():
    options = {"dashboard_address": "127.0.0.1:0", "memory_limit": None, "silence_logs": logging.CRITICAL}
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, **options) as cluster:
        yield cluster


@pytest.fixture
def engine(cluster):
    with on_dask(cluster.scheduler_address) as engine:
        engine.client.wait_for_workers(2)
        yield engine


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "s.sqlite") as store:
        yield store


@pytest.fixture
def expected(tmp_path):
    with Store(tmp_path / "expected.sqlite") as expected:
        make_study().run(expected, progress=False)
        yield errors(expected)


def test_records_are_those_of_one_process(engine, store, expected):
    assert run_studies([make_study()], store, engine, progress=False).n_done == 36
    assert errors(store) == expected
    assert run_studies([make_study()], store, engine, progress=False).n_done == 0


def test_predictions_are_kept(engine, store):
    study = replace(make_study(n_runs=2), keep_predictions=True)
    run_studies([study], store, engine, progress=False)
    assert store.keys_of_predictions([study.name]) == {task.key for task in study.tasks()}


def test_worker_that_dies_is_replaced_and_its_tasks_are_repeated(engine, store, expected, tmp_path):
    log = tmp_path / "log"
    before = engine.client.run(os.getpid)

    def deadly(function, items):
        for number, records in enumerate(engine(function, items)):
            if number == 3:
                os.kill(next(iter(before.values())), signal.SIGKILL)
            yield records

    study = make_study(partial(build_logged, log=str(log), seconds=0.05))
    summary = run_studies([study], store, deadly, progress=False)
    assert (summary.n_done, summary.n_failed) == (36, 0)
    assert errors(store) == expected
    begun = log.read_text().splitlines()
    assert 36 <= len(begun) <= 36 + 2  # what was lost with the worker is all that was done again
    assert len(set(begun)) == 36
    engine.client.wait_for_workers(2, timeout=30)
    assert len(set(engine.client.run(os.getpid).values()) - set(before.values())) == 1


def test_limits_hold_on_a_cluster(engine, store):
    study = make_study(build_by_depth, (1, 2), n_runs=1)
    summary = run_studies([study], store, engine, progress=False, limits=Limits(seconds=3))
    assert (summary.n_done, summary.n_over_limits) == (1, 1)


def test_few_are_sent_at_once_and_a_problem_is_sent_once(engine):
    class Heavy(FakeProblem):
        """Counts how often it is packed."""

        n_packed = 0

        def __reduce__(self):
            Heavy.n_packed += 1
            return FakeProblem, ()

    asked = []

    def items():
        for number, task in enumerate(make_study(n_runs=8, problem=Heavy()).tasks()):
            asked.append(number)
            yield make_item([task])

    results = engine(_name, items())
    answers = [next(results)]
    assert len(asked) <= 4 + 1  # two a worker, and one for the first that has ended
    answers += list(results)
    assert len(answers) == len(asked) == 24
    assert set(answers) == {"fake"}
    assert Heavy.n_packed == 1


def test_large_problem_is_sent_without_a_warning(engine, store):
    problem = FakeProblem()
    problem.X = np.hstack([problem.X, np.zeros((120, 12_000))])  # 11 MB, and warnings are errors
    assert run_studies([make_study(n_runs=1, problem=problem)], store, engine, progress=False).n_done == 3


@pytest.mark.slow
def test_fit_that_kills_its_workers_fails_and_the_study_goes_on(store):
    options = {"dashboard_address": "127.0.0.1:0", "memory_limit": None, "silence_logs": logging.CRITICAL}
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, **options) as cluster:
        cluster.scheduler.allowed_failures = 0
        with on_dask(cluster.scheduler_address) as engine:
            study = make_study(build_by_depth, (4, 1), n_runs=1)
            summary = run_studies([study], store, engine, progress=False)
    assert summary.n_done + summary.n_failed == 2
    assert "KilledWorker" in summary.first_failure


def test_stopping_early_leaves_nothing_on_the_cluster(engine, tmp_path):
    tasks = make_study(partial(build_logged, log=str(tmp_path / "log"), seconds=0.02)).tasks()
    results = engine(_name, (make_item([task]) for task in tasks))
    next(results)
    results.close()
    until = time.monotonic() + 20
    while engine.client.who_has() and time.monotonic() < until:
        time.sleep(0.05)
    assert not engine.client.who_has()


@pytest.mark.parametrize("address", ["nonsense", "", "carrier-pigeon://127.0.0.1:1"])
def test_address_that_is_not_one(address):
    with pytest.raises(EngineError, match="no Dask scheduler answers at"):
        on_dask(address)


@pytest.mark.slow
def test_unreachable_scheduler_is_reported_within_ten_seconds():
    with socket.socket() as closed, socket.socket() as silent:
        for each in (closed, silent):
            each.bind(("127.0.0.1", 0))
        silent.listen()
        for each in (closed, silent):
            started = time.monotonic()
            with pytest.raises(EngineError, match="no Dask scheduler answers at"):
                on_dask(f"127.0.0.1:{each.getsockname()[1]}")
            assert time.monotonic() - started < 10


def test_dask_that_is_not_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(EngineError, match=r'pip install "emphatic\[dask\]"'):
        on_dask()


@pytest.mark.slow
def test_cluster_of_this_machine(store, expected):
    with on_dask() as engine:
        assert set(engine.client.nthreads().values()) == {1}
        assert run_studies([make_study()], store, engine, progress=False).n_done == 36
    assert errors(store) == expected


def _name(item):
    return read_item(item)[0].problem.name
