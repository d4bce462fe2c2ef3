"""Tasks on a Dask cluster: values are sent once, an active client is used, and what cannot work is said."""

import copy
import gc
import pickle
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import dask
import distributed
import numpy as np
import pytest
from joblib import effective_n_jobs
from sklearn.base import clone

from emphatic import FusionClassifier
from emphatic.engines import (
    DaskEngine,
    EngineError,
    Item,
    Shared,
    check_workers,
    count_jobs,
    find_engine,
    in_turn,
    iterate_tasks,
    on_dask,
    run_tasks,
    sending,
    versions,
)
from emphatic.engines import dask as dask_module
from tests.engines.conftest import start_cluster
from tests.engines.test_tasks import TABLE, add, fail, read_setting


def ignore(table, number):
    return number


def find_nested(number, engine=None):
    return find_engine(engine) is None, effective_n_jobs(2)


def test_results_are_in_the_order_of_the_items(client):
    items = [Item((row % 5, 10 * row), shared=(TABLE,)) for row in range(20)]
    assert run_tasks(add, items, engine=on_dask(client)) == run_tasks(add, items)
    assert count_jobs(1, on_dask(client)) == 2


GO = threading.Event()
RAN: list[int] = []


def wait_if_first(number):
    if number == 0:
        assert GO.wait(60)
    RAN.append(number)  # the workers are threads of this process
    return number


def test_a_slow_item_does_not_make_the_results_after_it_pile_up(client):
    """Two workers, of which one waits: the other runs what there is room for, and no more items are asked for."""
    asked = []
    items = (asked.append(number) or Item((number,)) for number in range(20))
    results = iterate_tasks(wait_if_first, items, engine=on_dask(client).in_order())
    with ThreadPoolExecutor(1) as aside:
        first = aside.submit(next, results)
        until = time.monotonic() + 20
        while not RAN and time.monotonic() < until:
            time.sleep(0.02)
        time.sleep(0.3)  # in which others would be asked for
        n_asked = len(asked)
        GO.set()
        assert first.result(60) == 0
    assert RAN[0] != 0
    assert n_asked == 4
    assert list(results) == list(range(1, 20))


def test_connections_keep_few_messages(monkeypatch):
    """Dask would log a thousand messages per connection, with the rows in them."""
    seen = []
    monkeypatch.setattr(
        dask_module, "connect", lambda address: seen.append(dask.config.get("distributed.admin.low-level-log-length"))
    )
    on_dask("somewhere")
    assert seen == [10]


def test_what_a_task_raises_is_raised(client):
    with pytest.raises(KeyError, match="row 2"):
        run_tasks(fail, [Item((row,), shared=(TABLE,)) for row in range(5)], engine=on_dask(client))


@pytest.fixture
def sent(monkeypatch):
    """The values that were sent, in their order."""
    values, submit = [], sending.Shipments._submit
    monkeypatch.setattr(
        sending.Shipments, "_submit", lambda shipments, value: values.append(value) or submit(shipments, value)
    )
    return values


def test_a_value_is_sent_once_per_run(client, sent):
    items = [Item((number,), shared=(TABLE,)) for number in range(10)]
    for n_sent in (1, 2):
        assert run_tasks(ignore, items, engine=on_dask(client)) == list(range(10))
        assert len(sent) == n_sent


def test_a_shared_value_is_sent_once_for_all_runs_and_forgotten_with_it(client, sent):
    shared = Shared(TABLE)
    for _ in range(3):
        run_tasks(ignore, [Item((number,), shared=(shared,)) for number in range(10)], engine=on_dask(client))
    assert len(sent) == 1
    del shared
    gc.collect()
    until = time.monotonic() + 20
    while client.who_has() and time.monotonic() < until:
        time.sleep(0.02)
    assert not client.who_has()


def test_an_active_client_is_used(pair):
    assert find_engine() is None
    with distributed.Client(pair, set_as_default=False) as aside:
        assert find_engine() is None
        with aside.as_current():
            assert find_engine().client is aside
    with distributed.Client(pair) as active:
        assert find_engine().client is active
        assert find_engine(in_turn) is in_turn
        items = [Item((row % 5, 1.0), shared=(TABLE,)) for row in range(4)]
        assert run_tasks(add, items) == [1.0, 2.0, 3.0, 4.0]
        assert run_tasks(read_setting, [Item(("assume_finite",))]) == [False]
    assert find_engine() is None


def test_inside_a_worker_there_is_no_engine_and_one_job(pair):
    with distributed.Client(pair) as active:
        assert run_tasks(find_nested, [Item((0,)), Item((1, in_turn))]) == [(True, 1)] * 2
        # in a task of someone else's, too; but there joblib does what it is told
        assert active.submit(find_nested, 0).result() == (True, 2)
        assert active.submit(_find_inside_client, 0).result()


def _find_inside_client(number):
    with distributed.worker_client():
        return find_engine() is None


def test_workers_with_another_version_are_refused(pair, monkeypatch):
    with distributed.Client(pair, set_as_default=False) as client:
        check_workers(client)
        check_workers(client)
    monkeypatch.setattr(versions, "__version__", "9.9.9")
    with distributed.Client(pair, set_as_default=False) as client:
        message = (
            r"2 workers, the first at .*has emphatic \d\S*, and this process has version 9\.9\.9: install the same"
        )
        with pytest.raises(EngineError, match=message):
            check_workers(client)
        with pytest.raises(EngineError, match=message):
            run_tasks(add, [Item((0, 1.0), shared=(TABLE,))], engine=on_dask(client))


def test_a_worker_with_another_version_that_comes_later_is_refused(client, monkeypatch):
    check_workers(client)
    monkeypatch.setattr(dask_module, "__version__", "9.9.9")
    with pytest.raises(EngineError, match=r"a worker of the Dask cluster has emphatic .* version 9\.9\.9"):
        run_tasks(add, [Item((0, 1.0), shared=(TABLE,))], engine=on_dask(client))


def test_a_client_that_was_closed(pair):
    client = distributed.Client(pair, set_as_default=False)
    engine = on_dask(client)
    assert run_tasks(add, [Item((0, 1.0), shared=(TABLE,))], engine=engine) == [1.0]
    client.close()
    for call in (lambda: run_tasks(add, [Item((0, 1.0))], engine=engine), lambda: check_workers(client)):
        with pytest.raises(EngineError, match=r"client is not connected \(its status is 'closed'\)"):
            call()


def test_a_client_is_no_engine_but_makes_one(client):
    with pytest.raises(TypeError, match=r"on_dask\(client\)"):
        find_engine(client)
    with on_dask(client) as engine:
        assert isinstance(engine, DaskEngine)
    assert client.status == "running"


def test_estimators_keep_their_engine_and_leave_it_behind(client):
    engine = on_dask(client)
    model = FusionClassifier(engine=engine)
    assert clone(model).engine is engine
    assert copy.deepcopy(model).engine is engine
    assert pickle.loads(pickle.dumps(model)).engine is None


@pytest.mark.slow
def test_a_scheduler_that_is_lost_is_an_error_and_not_a_hang():
    with start_cluster(1) as cluster, distributed.Client(cluster, set_as_default=False, timeout=5) as client:
        started = time.monotonic()

        def items():
            yield Item((0, 1.0), shared=(TABLE,))
            cluster.sync(cluster.scheduler.close)
            for number in range(3):
                yield Item((number, 1.0), shared=(TABLE,))

        with pytest.raises(EngineError, match=r"lost|not connected"):
            run_tasks(add, items(), engine=on_dask(client))
        assert time.monotonic() - started < 60
        with pytest.raises(EngineError, match=r"lost|not connected"):
            run_tasks(add, [Item((0, 1.0), shared=(TABLE,))], engine=on_dask(client))


@pytest.mark.slow
def test_large_values_are_sent_without_a_warning(client):
    large = np.zeros(2_000_000)  # 16 MB, and warnings are errors
    assert run_tasks(add, [Item((0, 1.0), shared=(large,))], engine=on_dask(client)) == [1.0]
