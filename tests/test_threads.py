"""One thread per fit, also where fits begin and end beside each other."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import numba
import pytest
from threadpoolctl import ThreadpoolController

from emphatic import threads
from emphatic.threads import one_thread


class Library:
    """Has four threads unless it is limited, as a BLAS for the whole process, or as OpenMP for each thread."""

    def __init__(self):
        self.n_threads = 4

    @contextmanager
    def limit(self, limits, user_api):
        if user_api == "openmp":
            yield
            return
        before, self.n_threads = self.n_threads, limits
        yield
        self.n_threads = before


@pytest.fixture
def library(monkeypatch):
    library = Library()
    monkeypatch.setattr(threads, "_controller", lambda n_modules: library)
    return library


def test_threads_are_given_back_when_the_last_task_has_ended(library):
    first, second, third = one_thread(), one_thread(), one_thread()
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


def test_a_library_that_was_loaded_meanwhile_is_limited_as_well(library, monkeypatch):
    with one_thread():
        later = Library()
        monkeypatch.setattr(threads, "_controller", lambda n_modules: later)
        with one_thread():
            assert (library.n_threads, later.n_threads) == (1, 1)
    assert (library.n_threads, later.n_threads) == (4, 4)


def test_every_thread_has_one_thread_of_each_library():
    both, counted = threading.Barrier(2), []

    def count():
        with one_thread():
            both.wait(timeout=60)
            counted.extend(one["num_threads"] for one in ThreadpoolController().info())
            counted.append(numba.get_num_threads())
            both.wait(timeout=60)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda _: count(), range(2)))
    assert set(counted) == {1}
