"""Tasks: the same results, in the order of the items, wherever they run."""

import pickle
import sys
from itertools import count, islice

import numpy as np
import pytest
from joblib import parallel_config
from sklearn import config_context, get_config

from emphatic.engines import (
    EngineError,
    Item,
    Lost,
    Shared,
    count_jobs,
    in_processes,
    in_turn,
    iterate_tasks,
    run_tasks,
)
from tests.engines.fakes import Hasty

ENGINES = {"none": None, "in turn": in_turn, "hasty": Hasty(4, seed=1), "processes": in_processes(2)}


@pytest.fixture(params=list(ENGINES))
def engine(request):
    return ENGINES[request.param]


def add(table, row, value):
    return float(table[row] + value)


def fail(table, row):
    if row == 2:
        raise KeyError(f"row {row}")
    return row


def read_setting(name):
    return get_config()[name]


TABLE = np.arange(5.0)


def test_results_are_in_the_order_of_the_items(engine):
    items = [Item((row, 10 * row), shared=(TABLE,)) for row in range(5)]
    assert run_tasks(add, items, engine=engine) == [0.0, 11.0, 22.0, 33.0, 44.0]
    assert list(iterate_tasks(add, iter(items), engine=engine)) == [0.0, 11.0, 22.0, 33.0, 44.0]
    assert run_tasks(add, [], engine=engine) == []


def test_a_shared_value_arrives_as_it_is(engine):
    shared = Shared(TABLE)
    for value in (1.0, 2.0):
        assert run_tasks(add, [Item((0, value), shared=(shared,))], engine=engine) == [value]


def test_what_a_task_raises_is_raised(engine):
    with pytest.raises(KeyError, match="row 2"):
        run_tasks(fail, [Item((row,), shared=(TABLE,)) for row in range(5)], engine=engine)


def test_settings_of_scikit_learn_travel(engine):
    with config_context(assume_finite=True):
        assert run_tasks(read_setting, [Item(("assume_finite",))], engine=engine) == [True]
    assert run_tasks(read_setting, [Item(("assume_finite",))], engine=engine) == [False]


def test_threads_share_memory_with_the_caller():
    seen = []
    run_tasks(seen.append, [Item((number,)) for number in range(3)], n_jobs=2, prefer="threads")
    assert sorted(seen) == [0, 1, 2]


def test_joblibs_own_settings_count_where_there_is_no_engine():
    seen = []
    with parallel_config(backend="threading", n_jobs=2):
        assert count_jobs(None) == 2
        run_tasks(seen.append, [Item((number,)) for number in range(3)])
    assert sorted(seen) == [0, 1, 2]


def test_results_come_as_soon_as_those_before_them_are_there():
    engine = Hasty(1)
    results = iterate_tasks(add, (Item((row, 0.0), shared=(TABLE,)) for row in range(5)), engine=engine)
    assert next(results) == 0.0
    assert len(engine.begun) == 1
    results.close()
    assert len(engine.begun) == 1


@pytest.mark.parametrize("name", ["in turn", "hasty"])
def test_items_may_be_without_end(name):
    results = iterate_tasks(add, (Item((0, number), shared=(TABLE,)) for number in count()), engine=ENGINES[name])
    assert list(islice(results, 50)) == list(range(50))


def test_what_an_engine_loses_is_an_error():
    def lose(error):
        def engine(function, items):
            for item in items:
                yield Lost(item, error)

        return engine

    with pytest.raises(OSError, match="no more space"):
        run_tasks(add, [Item((0, 1.0), shared=(TABLE,))], engine=lose(OSError("no more space")))
    killed = type("KilledWorker", (Exception,), {})("task", "worker")
    with pytest.raises(EngineError, match="after several workers died of it"):
        run_tasks(add, [Item((0, 1.0), shared=(TABLE,))], engine=lose(killed))


@pytest.mark.parametrize("wrong", ["dask", 2, in_processes(2).__class__, object()], ids=lambda one: type(one).__name__)
def test_what_is_no_engine(wrong):
    with pytest.raises(TypeError, match=r"engine must be None, in_processes\(4\), on_dask\(address\)"):
        run_tasks(add, [], engine=wrong)


def test_engines_of_this_machine_can_be_pickled():
    assert pickle.loads(pickle.dumps(in_processes(2))) == in_processes(2)
    assert in_processes(1) is in_turn
    assert (count_jobs(3), count_jobs(3, in_turn), count_jobs(None, in_processes(2))) == (3, 1, 2)


def test_nothing_is_imported_to_look_for_a_client(monkeypatch):
    monkeypatch.delitem(sys.modules, "distributed", raising=False)
    assert run_tasks(add, [Item((0, 1.0), shared=(TABLE,))]) == [1.0]
    assert "distributed" not in sys.modules


def test_an_engine_that_is_none_is_said():
    with pytest.raises(TypeError, match="it must return a generator of results"):
        run_tasks(add, [Item((0, 1.0), shared=(TABLE,))], engine=lambda function, items: [])
    with pytest.raises(EngineError, match="stopped before all tasks were done"):
        run_tasks(add, [Item((0, 1.0), shared=(TABLE,))], engine=lambda function, items: (one for one in ()))
    with pytest.raises(EngineError, match="stopped before all tasks were done"):
        run_tasks(add, [Item((0, 1.0), shared=(TABLE,))], engine=lambda function, items: (one for one in items if 0))
