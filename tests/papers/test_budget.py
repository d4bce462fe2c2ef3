"""`reproduce --budget`: as many runs as the time allows, and a table is never read half-way through a step."""

from dataclasses import dataclass, field, replace

import pytest

from emphatic.papers.budget import STEPS, within
from emphatic.papers.options import Options
from emphatic.papers.reproduce import Means
from emphatic.study import Store
from emphatic.study.engines.processes import in_turn
from tests.study.fakes import make_study


class Clock:
    """Every fit takes a second, and nothing else takes time."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now

    def engine(self, function, items):
        for item in items:
            self.now += 1.0
            yield function(item)


@dataclass
class Recorded:
    """A table of fits that take no time; it keeps what it was asked for."""

    id: str
    slowness: int = 1
    asked: list = field(default_factory=list)
    title: str = "A table"

    def stages(self, options, store):
        self.asked.append(("first", options.runs))
        yield [replace(make_study(n_runs=self.slowness * options.runs), name=self.id)]
        self.asked.append(("second", options.runs))
        yield []

    def lines(self, options, store):
        return [(options.runs, sum(1 for _ in store.records(self.id)))]

    def caption(self, options):
        return f"{options.runs} runs"


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "study.sqlite") as opened:
        yield opened


def run(store, seconds, *tables, runs=50):
    clock = Clock()
    return within(seconds, tables, Options(runs=runs), Means(store, clock.engine, progress=False), clock)


def fits(runs):
    return sum(1 for _ in make_study(n_runs=runs).tasks())


def test_with_all_the_time_of_the_world_every_run_is_done(store):
    [done] = run(store, 1e9, Recorded("a"), runs=10)
    assert (done.options.runs, done.stopped) == (10, False)
    assert done.lines == [(10, fits(10))]
    assert done.summary.n_done == fits(10)


def test_the_steps_are_nested_and_nothing_is_done_twice(store):
    table = Recorded("a")
    run(store, 1e9, table, runs=10)
    assert [runs for stage, runs in table.asked if stage == "second"] == [*(s for s in STEPS if s < 10), 10]
    assert len(store) == fits(10)


def test_when_time_is_up_the_table_is_that_of_the_last_whole_step(store):
    table = Recorded("a")
    [done] = run(store, fits(2) + 1, table, runs=50)
    assert (done.options.runs, done.stopped) == (2, True)
    assert ("second", 5) not in table.asked  # a stage never rests on half of the one before
    assert len(store) == fits(2) + 1  # what was begun is kept for the next time


def test_a_later_start_goes_on(store):
    run(store, fits(2) + 1, Recorded("a"), runs=5)
    [done] = run(store, fits(5) - fits(2), Recorded("a"), runs=5)
    assert (done.options.runs, done.stopped) == (5, False)


def test_a_slow_table_does_not_starve_the_others(store):
    slow, quick = run(store, 2 * fits(5), Recorded("a", slowness=50), Recorded("b"), runs=5)
    assert (slow.stopped, quick.stopped) == (True, False)
    assert quick.options.runs == 5


def test_no_time_at_all_still_gives_tables(store):
    [done] = run(store, 0.0, Recorded("a"))
    assert (done.stopped, len(store)) == (True, 0)


def test_without_a_clock_of_its_own_it_takes_the_real_one(store):
    [done] = within(60.0, [Recorded("a")], Options(runs=1), Means(store, in_turn, progress=False))
    assert not done.stopped
