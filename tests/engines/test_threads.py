"""Threads as an engine: side by side, in the same memory, each item chosen as late as possible."""

import threading
import time

import pytest

from emphatic.engines import count_jobs, in_threads, in_turn, run_tasks
from emphatic.engines.contract import Item


def test_one_thread_needs_no_engine():
    assert in_threads(1) is in_turn
    assert count_jobs(None, in_threads(3)) == 3


def test_items_run_beside_each_other_and_no_more_of_them_than_threads():
    both, running, most = threading.Barrier(2), [], []

    def meet(item):
        running.append(item)
        most.append(len(running))
        both.wait(timeout=60)
        running.remove(item)
        return item

    assert sorted(in_threads(2)(meet, range(6))) == [0, 1, 2, 3, 4, 5]
    assert max(most) == 2


def test_an_item_is_chosen_when_the_results_so_far_are_known():
    chosen, known = [], []

    def choose():
        for number in range(5):
            chosen.append((number, len(known)))
            yield number

    for result in in_threads(2)(abs, choose()):
        known.append(result)
    assert chosen == [(0, 0), (1, 0), (2, 1), (3, 2), (4, 3)]


def test_closing_waits_for_what_is_running():
    ended = []

    def work(seconds):
        time.sleep(seconds)
        ended.append(seconds)
        return seconds

    results = in_threads(2)(work, [0.0, 0.2, 0.0])
    assert next(results) == 0.0
    results.close()
    assert ended == [0.0, 0.2]


def test_what_a_task_raises_is_raised():
    with pytest.raises(ZeroDivisionError):
        run_tasks(divmod, [Item((1, 1)), Item((1, 0))], engine=in_threads(2))
