import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from emphatic.study import Record, Store, StoreError, TaskKey
from emphatic.study.limits import Limits
from emphatic.study.store.claims import Claim, is_alive

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
    assert second.claim([TWO, THREE]) is Claim.TAKEN  # all or nothing: a batch is fitted in step
    assert first.claim([THREE]) is Claim.MINE  # the claim that was refused has left nothing behind
    assert first.claim([ONE]) is Claim.MINE  # again
    assert second.claim([ONE]) is second.claim([THREE]) is Claim.TAKEN


def test_only_one_at_a_time_looks_and_claims(pair):
    first, second = pair
    second._connection.execute("PRAGMA busy_timeout = 0")  # not to wait for a minute
    with first._transaction(), pytest.raises(StoreError, match="locked"):
        second.claim([ONE])
    assert second.claim([ONE]) is Claim.MINE


def test_record_ends_a_claim(pair):
    first, second = pair
    first.claim([ONE, TWO])
    first.append(Record(ONE, "done"), Record(TWO, "failed", {"message": "no"}))
    assert second.claim([ONE]) is Claim.FINISHED
    assert second.claim([ONE, TWO]) is Claim.MINE


def test_record_ends_no_other_claim(pair):
    first, second = pair
    first.claim([ONE, TWO])
    first.append(Record(ONE, "done"))
    assert second.claim([TWO]) is Claim.TAKEN
    second.append(Record(THREE, "done"))
    assert second.claim([TWO]) is Claim.TAKEN


def test_finished_task_of_a_batch_is_not_claimed(pair):
    first, second = pair
    first.append(Record(ONE, "done"))
    assert first.claim([ONE, TWO]) is Claim.MINE
    second._connection.execute("DELETE FROM records")
    assert second.claim([ONE]) is Claim.MINE


def test_who_leaves_claims_nothing(pair, tmp_path):
    first, second = pair
    first.claim([ONE])
    second.claim([TWO])
    first.release()
    assert first.claim([TWO]) is Claim.TAKEN  # what others have claimed is theirs still
    first.release()
    assert second.claim([ONE]) is Claim.MINE
    assert first.claim([THREE]) is Claim.MINE  # after a release one may begin again
    first.close()
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


def test_file_of_a_dead_process_is_removed_even_without_a_claim(pair, tmp_path):
    first, second = pair
    second.claim([TWO])
    (tmp_path / "s.sqlite-run-1-dead").touch()
    (tmp_path / "other.sqlite-run-1-dead").touch()  # of another store
    assert not is_alive(first.path, "nobody")
    assert not (tmp_path / "s.sqlite-run-nobody").exists()  # asking leaves nothing behind
    first.release_dead()
    left = {name for name in os.listdir(tmp_path) if "-run-" in name}
    assert "s.sqlite-run-1-dead" not in left
    assert len(left) == 2 and "other.sqlite-run-1-dead" in left


def test_claims_in_a_copy_of_a_store_are_dead(pair, tmp_path):
    first, _ = pair
    first.claim([ONE])
    (tmp_path / "copy").mkdir()
    first._connection.execute("VACUUM INTO ?", (str(tmp_path / "copy" / "s.sqlite"),))
    with Store(tmp_path / "copy" / "s.sqlite") as copy:
        assert copy.claim([ONE]) is Claim.TAKEN
        copy.release_dead()
        assert copy.claim([ONE]) is Claim.MINE


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


def test_a_store_may_be_used_and_closed_by_another_thread(tmp_path):
    store = Store(tmp_path / "s.sqlite")
    assert store.claim([ONE]) is Claim.MINE
    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(store.claim, [TWO]).result() is Claim.MINE
        thread.submit(store.append, Record(ONE, "done", {})).result()
        thread.submit(store.close).result()
    assert sorted(path.name for path in tmp_path.glob("*-run-*")) == []
    with Store(tmp_path / "s.sqlite") as again:
        assert again.holds(ONE) and again.claim([TWO]) is Claim.MINE
