import os
import subprocess
import sys

import pytest

from emphatic.study import Record, Store, TaskKey
from emphatic.study.engines.limits import Limits
from emphatic.study.runner import run_studies
from emphatic.study.store.claims import Claim, is_alive
from tests.study.fakes import errors, make_study

ONE, TWO, THREE = (TaskKey("t", "ripley", "mixed", "{}", "predefined", seed) for seed in range(3))
DEAD = """
import os, sys
from emphatic.study import Store, TaskKey
store = Store(sys.argv[1])
print(store.claim([TaskKey("t", "ripley", "mixed", "{}", "predefined", 0)]).name)
sys.stdout.flush()
os.kill(os.getpid(), 9)
"""


@pytest.fixture
def pair(tmp_path):
    """Two ends of one store, as two processes would have."""
    with Store(tmp_path / "s.sqlite") as first, Store(tmp_path / "s.sqlite") as second:
        yield first, second


def test_what_one_has_claimed_the_other_has_not(pair):
    first, second = pair
    assert first.claim([ONE, TWO]) is Claim.MINE
    assert second.claim([TWO, THREE]) is Claim.TAKEN  # all or nothing: a batch is done in step
    assert second.claim([THREE]) is Claim.MINE
    assert first.claim([ONE]) is Claim.MINE  # again


def test_record_ends_a_claim(pair):
    first, second = pair
    first.claim([ONE, TWO])
    first.append(Record(ONE, "done"), Record(TWO, "failed", {"message": "no"}))
    assert second.claim([ONE]) is Claim.FINISHED
    assert second.claim([ONE, TWO]) is Claim.MINE


def test_who_leaves_claims_nothing(pair, tmp_path):
    first, second = pair
    first.claim([ONE])
    second.claim([TWO])
    first.release()
    assert second.claim([ONE]) is Claim.MINE
    second.close()
    assert os.listdir(tmp_path) == ["s.sqlite"] or not [name for name in os.listdir(tmp_path) if "run" in name]


def test_the_living_keep_their_claims_and_the_dead_do_not(pair, tmp_path):
    first, second = pair
    died = subprocess.run([sys.executable, "-c", DEAD, str(first.path)], capture_output=True, text=True)
    assert (died.returncode, died.stdout) == (-9, "MINE\n")
    second.claim([TWO])
    assert first.claim([ONE]) is Claim.TAKEN
    first.release_dead()
    assert first.claim([ONE]) is Claim.MINE
    assert first.claim([TWO]) is Claim.TAKEN
    files = [name for name in os.listdir(tmp_path) if "-run-" in name]
    assert len(files) == 2
    assert all(is_alive(first.path, name.removeprefix("s.sqlite-run-")) for name in files)


def test_links_to_a_store_are_one_store(pair, tmp_path):
    first, _ = pair
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "link.sqlite").symlink_to(first.path)
    first.claim([ONE])
    with Store(tmp_path / "elsewhere" / "link.sqlite") as linked:
        linked.release_dead()
        assert linked.claim([ONE]) is Claim.TAKEN


@pytest.mark.parametrize(("status", "allowed"), [("timeout", "seconds"), ("memory", "megabytes")])
def test_over_its_limit_is_final_until_it_may_have_more(pair, status, allowed):
    first, _ = pair
    first.append(Record(ONE, status, {"message": "too much"}, exceeded=60.0))
    for value, claim in ((30, Claim.FINISHED), (60, Claim.FINISHED), (61, Claim.MINE), (None, Claim.MINE)):
        limits = Limits(**{allowed: value})
        assert first.holds(ONE, limits) == (claim is Claim.FINISHED)
        assert (first.finished(["t"], limits) == {ONE}) == (claim is Claim.FINISHED)
        assert first.claim([ONE], limits) is claim
    other = Limits(**{"megabytes" if allowed == "seconds" else "seconds": 30})
    assert first.claim([ONE], other) is Claim.MINE  # nothing limits what it ran over


def test_who_has_nothing_left_waits_for_the_others(pair, tmp_path):
    """One batch is in other hands: this run does the rest, waits, and takes over when the other gives up."""
    first, second = pair
    study = make_study(n_runs=2)
    held = next(study.tasks()).key
    assert second.claim([held]) is Claim.MINE
    passes = []

    def engine(function, items):
        batches = list(items)
        passes.append([task.key for batch in batches for task in batch])
        for batch in batches:
            yield function(batch)
        second.release()

    assert run_studies([study], first, engine, progress=False).n_done == 6
    assert [len(keys) for keys in passes] == [5, 1]
    assert passes[1] == [held]
    with Store(tmp_path / "alone.sqlite") as alone:
        study.run(alone, progress=False)
        assert errors(first) == errors(alone)


def test_an_engine_may_want_no_more(pair):
    first, second = pair

    def two_only(function, items):
        for _, batch in zip(range(2), items):
            yield function(batch)

    study = make_study(n_runs=2)
    assert run_studies([study], first, two_only, progress=False).n_done == 2
    assert second.claim([task.key for task in study.tasks()]) is Claim.MINE  # nothing is left claimed
