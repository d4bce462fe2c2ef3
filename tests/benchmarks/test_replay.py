"""The made-up clock of a replay."""

import time

import pytest

from benchmarks.replay import Replay, replay
from emphatic.engines import Item, run_tasks


@pytest.fixture
def clock(monkeypatch):
    """CPU seconds that pass only when someone works."""
    passed = [0.0]
    monkeypatch.setattr(time, "thread_time", lambda: passed[0])

    def work(seconds):
        passed[0] += seconds
        return seconds

    return work


def test_workers_share_the_tasks_and_nobody_shares_the_rest(clock):
    def use(engine):
        clock(1.0)
        run_tasks(clock, [Item((seconds,)) for seconds in (4.0, 3.0, 1.0)], engine=engine)
        clock(2.0)

    assert [replay(use, n_workers, n_runs=2) for n_workers in (1, 2, 3)] == [11.0, 7.0, 7.0]


def test_a_worker_can_only_begin_what_it_was_sent(clock):
    engine = Replay(2)
    for _ in engine(clock, iter([4.0, 1.0, 1.0])):
        clock(2.0)  # meanwhile no other item is sent
    assert engine.now() == 8.0  # not 7, as it were if the third task had begun at 1
