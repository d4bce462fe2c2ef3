"""One thread per fit, also where fits begin and end beside each other."""

import threading
from contextlib import contextmanager

import numba
import pytest
from threadpoolctl import ThreadpoolController

from emphatic import threads
from emphatic.engines import Item, in_threads, run_tasks
from emphatic.threads import map_in_threads, one_thread, one_thread_each, several_threads


class Library:
    """Has four threads unless it is limited."""

    n_threads = 4

    @contextmanager
    def limit(self, limits):
        before, self.n_threads = self.n_threads, limits
        yield
        self.n_threads = before


def test_threads_are_given_back_when_the_last_task_has_ended(monkeypatch):
    library = Library()
    monkeypatch.setattr(threads, "_controller", lambda n_modules: library)
    first, second, third = one_thread_each(), one_thread_each(), one_thread_each()
    seen = []
    for step in (first.__enter__, second.__enter__, lambda: first.__exit__(None, None, None), third.__enter__):
        step()
        with one_thread():
            seen.append(library.n_threads)
        seen.append(library.n_threads)
    second.__exit__(None, None, None)
    assert [*seen, library.n_threads] == 9 * [1]
    third.__exit__(None, None, None)
    assert library.n_threads == 4


def test_in_parallel_threads_every_library_has_one_thread():
    both, counted = threading.Barrier(2), []

    def count():
        with one_thread():
            both.wait(timeout=60)
            counted.extend(one["num_threads"] for one in ThreadpoolController().info())
            counted.append(numba.get_num_threads())
            both.wait(timeout=60)

    before = [one["num_threads"] for one in ThreadpoolController().info()]
    for engine in (None, in_threads(2)):
        run_tasks(count, [Item(()), Item(())], n_jobs=2, engine=engine, prefer="threads")
        assert [one["num_threads"] for one in ThreadpoolController().info()] == before
    assert set(counted) == {1}


def test_items_are_shared_among_threads_inside_only():
    barrier = threading.Barrier(2, timeout=60)

    def meet(item):
        barrier.wait()  # for another thread, without which this would wait in vain
        return item, threading.current_thread()

    with several_threads(2):
        items, seen = zip(*map_in_threads(meet, [3, 1, 2, 4]))
    assert items == (3, 1, 2, 4) and len(set(seen)) == 2
    assert set(map_in_threads(lambda _: threading.current_thread(), [1, 2])) == {threading.current_thread()}


def test_an_error_of_a_thread_reaches_the_caller():
    with several_threads(2), pytest.raises(ZeroDivisionError):
        list(map_in_threads(lambda item: 1 // item, [1, 0]))
