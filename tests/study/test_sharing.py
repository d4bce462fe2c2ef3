"""The loop of a study: claim, run, append; alone, beside another process, and when an engine stops asking."""

import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from emphatic.engines import in_turn
from emphatic.study import Method, PredefinedOrPartitions, Record, Store, StoreError, Study, in_processes, run_studies
from emphatic.study import runner as runner_module
from emphatic.study.store import Claim
from emphatic.study.tasks import read_item
from tests.study.fakes import FakeProblem, as_is, build_tree, errors, make_study

ROOT = Path(__file__).parents[2]
STUDY = make_study(n_runs=2)  # six tasks
KEYS = [task.key for task in STUDY.tasks()]
# Claims the first task of the study and holds it until it is killed.
HOLDER = """
import sys, time
from emphatic.study import Store
from tests.study.test_sharing import KEYS
with Store(sys.argv[1]) as store:
    print(store.claim(KEYS[:1]).name, flush=True)
    time.sleep(60)
"""


@pytest.fixture
def pair(tmp_path):
    """Two ends of one store, as two processes would have."""
    with Store(tmp_path / "s.sqlite") as first, Store(tmp_path / "s.sqlite") as second:
        yield first, second


@pytest.fixture
def waits(monkeypatch):
    """A list of functions; each wait of the runner calls the next one instead of sleeping."""
    functions = []
    monkeypatch.setattr(runner_module, "time", SimpleNamespace(sleep=lambda seconds: functions.pop(0)()))
    return functions


@pytest.fixture
def progress(monkeypatch):
    """The numbers that a progress bar would have been given: the total, then every advance."""
    numbers = []

    @contextmanager
    def progress_bar(label, total, show):
        numbers.append(total)
        yield lambda finished=1: numbers.append(finished)

    monkeypatch.setattr(runner_module, "progress_bar", progress_bar)
    return numbers


def test_the_tasks_of_another_process_are_waited_for_and_count_as_progress(pair, waits, progress):
    first, second = pair
    assert second.claim(KEYS[:2]) is Claim.MINE
    waits += [
        lambda: second.append(Record(KEYS[0], "done", {"error": 0.5})),
        lambda: None,  # still busy with the other one
        lambda: second.append(Record(KEYS[1], "done", {"error": 0.5})),
    ]
    summary = run_studies([STUDY], first, in_turn)
    assert (summary.n_done, summary.n_failed) == (4, 0)  # what this run did
    assert waits == []
    assert progress == [6, 1, 1, 1, 1, 1, 1]
    assert [record.metrics["error"] for record in first.records() if record.key in KEYS[:2]] == [0.5, 0.5]


def test_a_batch_that_another_process_has_finished_counts_whole(pair, waits, progress):
    first, second = pair
    method = Method("tree", build_tree, [{"depth": 1}, {"depth": 2}], as_is, together=2)
    study = Study("t", [method], [FakeProblem()], PredefinedOrPartitions(2))
    keys = [task.key for task in study.tasks()][:2]
    second.claim(keys)
    waits.append(lambda: second.append(*(Record(key, "done", {"error": 0.5}) for key in keys)))
    assert run_studies([study], first, in_turn).n_done == 2
    assert progress == [4, 2, 2]


def test_what_another_process_gives_up_is_taken_over(pair, waits, tmp_path):
    first, second = pair
    second.claim(KEYS[:1])
    waits.append(second.release)
    passes = []

    def engine(function, items):
        batches = list(items)
        passes.append([task.key for batch in batches for task in read_item(batch)])
        for batch in batches:
            yield function(batch)

    assert run_studies([STUDY], first, engine, progress=False).n_done == 6
    assert passes == [KEYS[1:], KEYS[:1]]
    with Store(tmp_path / "alone.sqlite") as alone:
        STUDY.run(alone, progress=False)
        assert errors(first) == errors(alone)


def test_the_tasks_of_a_process_that_dies_are_taken_over(pair, waits):
    first, _ = pair
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, str(first.path)], cwd=ROOT, stdout=subprocess.PIPE)
    with holder:
        assert holder.stdout.readline() == b"MINE\n"

        def kill():
            holder.kill()
            holder.wait()

        waits += [lambda: None, kill]  # alive at first: its claim holds
        assert run_studies([STUDY], first, in_turn, progress=False).n_done == 6
    assert waits == []


@pytest.mark.parametrize("n_batches", [1, 4, 5])  # joblib asks for four at first, then one by one
def test_processes_ask_until_nothing_is_pending(pair, waits, n_batches):
    first, second = pair
    study = make_study(depths=(1,), n_runs=n_batches + 1)
    second.claim([next(study.tasks()).key])
    waits.append(second.release)
    assert run_studies([study], first, in_processes(2), progress=False).n_done == n_batches + 1


def test_a_task_is_claimed_when_the_engine_asks_for_it(pair):
    first, second = pair
    free = []

    def engine(function, items):
        for number, batch in enumerate(items):
            free.append([second.claim([key]) for key in KEYS[number : number + 2]])
            second.release()
            yield function(batch)

    assert run_studies([STUDY], first, engine, progress=False).n_done == 6
    assert free == 5 * [[Claim.TAKEN, Claim.MINE]] + [[Claim.TAKEN]]


def test_an_engine_may_stop_asking(pair):
    first, second = pair

    def two_only(function, items):
        for _, batch in zip(range(2), items):
            yield function(batch)

    assert run_studies([STUDY], first, two_only, progress=False).n_done == 2
    assert second.claim(KEYS) is Claim.MINE  # nothing is left claimed


def test_an_engine_that_gives_back_its_last_batch_waits_for_nobody(pair, waits):
    """As one whose time is up does: `waits` is empty, so that waiting would be an error."""
    first, second = pair
    second.claim(KEYS[:1])

    def all_but_one(function, items):
        for number, batch in enumerate(items):
            if number == len(KEYS) - 2:
                return
            yield function(batch)

    assert run_studies([STUDY], first, all_but_one, progress=False).n_done == 4
    assert second.claim(KEYS) is Claim.MINE


def test_an_error_closes_the_engine_and_releases_the_claims(pair):
    first, second = pair
    closed = []

    def engine(function, items):
        try:
            for batch in items:
                first._connection.execute("PRAGMA query_only = ON")  # what a read-only disk does
                yield function(batch)
        finally:
            closed.append(True)
            first._connection.execute("PRAGMA query_only = OFF")

    with pytest.raises(StoreError, match="cannot write"):
        run_studies([STUDY], first, engine, progress=False)
    assert closed == [True]
    assert second.claim(KEYS) is Claim.MINE


def test_a_batch_is_run_whole_while_one_of_its_tasks_is_unfinished(pair):
    first, _ = pair
    method = Method("tree", build_tree, [{"depth": 1}, {"depth": 2}], as_is, together=2)
    study = Study("t", [method], [FakeProblem()], PredefinedOrPartitions(2))
    keys = [task.key for task in study.tasks()]
    kept = Record(keys[0], "done", {"error": 0.5})
    first.append(kept, Record(keys[1], "failed", {"message": "no"}))
    assert run_studies([study], first, in_turn, progress=False).n_done == 4
    assert first.finished(["t"]) == set(keys)
    assert next(first.records()) == kept  # what was done stays as it was
