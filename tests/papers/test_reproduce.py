"""`reproduce --budget`: as many runs as the time allows, and a table never shows unfinished runs."""

from dataclasses import dataclass, field, replace

import pytest

from emphatic.engines import in_turn
from emphatic.papers.options import FEWER, Options
from emphatic.papers.reproduce import Runner, reproduce_within
from emphatic.papers.table import PublishedTable, Step
from emphatic.study import Store
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


@dataclass(frozen=True)
class RecordingTable(PublishedTable):
    """A table of fits that take no time; it records which steps were begun."""

    title: str = "A table"
    slowness: int = 1
    begun: list = field(default_factory=list)

    def steps(self, options):
        def first(store):
            self.begun.append(("first", options.runs))
            return [replace(make_study(n_runs=self.slowness * options.runs), name=self.id)]

        def second(store):
            self.begun.append(("second", options.runs))
            return []

        return [Step(first), Step(second)]

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
    return reproduce_within(seconds, tables, Options(runs=runs), Runner(store, clock.engine, progress=False), clock)


def fits(runs):
    return sum(1 for _ in make_study(n_runs=runs).tasks())


def test_with_enough_time_every_run_is_done(store):
    [done] = run(store, 1e9, RecordingTable("a"), runs=10)
    assert (done.options.runs, done.stopped) == (10, False)
    assert done.lines == [(10, fits(10))]
    assert done.summary.n_done == fits(10)


def test_runs_are_nested_and_nothing_is_done_twice(store):
    table = RecordingTable("a")
    run(store, 1e9, table, runs=10)
    assert [runs for step, runs in table.begun if step == "second"] == [*(runs for runs in FEWER if runs < 10), 10]
    assert len(store) == fits(10)


def test_when_time_is_up_the_table_shows_the_last_runs_that_were_finished(store):
    table = RecordingTable("a")
    [done] = run(store, fits(2) + 1, table, runs=50)
    assert (done.options.runs, done.stopped) == (2, True)
    assert ("second", 5) not in table.begun  # a step never builds on an unfinished one
    assert len(store) == fits(2) + 1  # what was begun is kept for the next time


def test_a_later_call_continues(store):
    run(store, fits(2) + 1, RecordingTable("a"), runs=5)
    [done] = run(store, fits(5) - fits(2), RecordingTable("a"), runs=5)
    assert (done.options.runs, done.stopped) == (5, False)


def test_a_slow_table_does_not_starve_the_others(store):
    slow, quick = run(store, 2 * fits(5), RecordingTable("a", slowness=50), RecordingTable("b"), runs=5)
    assert (slow.stopped, quick.stopped) == (True, False)
    assert quick.options.runs == 5


def test_no_time_at_all_still_gives_tables(store):
    [done] = run(store, 0.0, RecordingTable("a"))
    assert (done.stopped, len(store)) == (True, 0)


def test_without_a_clock_the_real_time_counts(store):
    [done] = reproduce_within(60.0, [RecordingTable("a")], Options(runs=1), Runner(store, in_turn, progress=False))
    assert not done.stopped
