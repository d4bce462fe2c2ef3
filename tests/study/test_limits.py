import os
import signal
import subprocess
import sys
import time

import pytest

from emphatic.study import FailedFitsWarning, Store
from emphatic.study.fit import fit_and_score
from emphatic.study.limits import Child, FitWithin, Limits
from tests.study.fakes import build_by_depth, build_tree, errors, make_study

needs_proc = pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="memory is watched on Linux only")


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "s.sqlite") as store:
        yield store


def batch(depth):
    return [next(make_study(build_by_depth, (depth,), n_runs=1).tasks())]


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_within_its_limits_a_fit_is_the_same(store, tmp_path, n_jobs):
    make_study(n_runs=2).run(store, progress=False)
    with Store(tmp_path / "limited.sqlite") as limited:
        summary = make_study(n_runs=2).run(limited, n_jobs, progress=False, limits=Limits(seconds=60))
        assert summary.n_done == 6
        assert errors(limited) == errors(store)


def test_too_long_is_recorded_the_study_goes_on_and_it_is_not_tried_again(store):
    study = make_study(build_by_depth, (1, 2), n_runs=1)
    summary = study.run(store, progress=False, limits=Limits(seconds=2))
    assert (summary.n_done, summary.n_failed, summary.n_over_limits) == (1, 0, 1)
    [record] = store.records(status="timeout")
    assert record.key.setting == '{"depth":2}'
    assert record.metrics == {"message": "took more than 2 seconds"}
    assert record.exceeded == 2
    assert 2 <= record.seconds < 30
    again = study.run(store, progress=False, limits=Limits(seconds=1))
    assert (again.n_done, again.n_over_limits) == (0, 0)
    more = study.run(store, progress=False, limits=Limits(seconds=2.5))
    assert (more.n_done, more.n_over_limits) == (0, 1)
    assert [record.exceeded for record in store.records(status="timeout")] == [2.5]


@needs_proc
def test_too_much_memory_is_recorded(store):
    summary = make_study(build_by_depth, (3, 1), n_runs=1).run(store, progress=False, limits=Limits(megabytes=600))
    assert (summary.n_done, summary.n_over_limits) == (1, 1)
    [record] = store.records(status="memory")
    assert (record.exceeded, record.metrics["message"]) == (600, "took more than 600 megabytes")


def test_a_fit_that_ends_its_process_has_failed(store):
    study = make_study(build_by_depth, (4, 1), n_runs=1)
    with pytest.warns(FailedFitsWarning, match="died with code -9"):
        summary = study.run(store, progress=False, limits=Limits(seconds=60))
    assert (summary.n_done, summary.n_failed) == (1, 1)
    assert "died with code -9" in summary.first_failure


def test_exceptions_within_limits_are_records_as_ever(store):
    with pytest.warns(FailedFitsWarning, match="max_depth"):
        summary = make_study(depths=(-1,), n_runs=1).run(store, progress=False, limits=Limits(seconds=60))
    assert summary.n_failed == 1
    assert "max_depth" in summary.first_failure


def test_fits_in_step_share_their_time():
    first, second = (next(make_study(build_tree, (depth,), n_runs=1).tasks()) for depth in (1, 3))
    limited = FitWithin(Limits(seconds=60))([first, second])
    assert [record.metrics for record in limited] == [record.metrics for record in fit_and_score([first, second])]
    slow = FitWithin(Limits(seconds=0.2))(batch(1) + batch(2))
    assert [record.status for record in slow] == ["timeout", "timeout"]
    assert sum(record.seconds for record in slow) >= 0.4


def test_child_is_used_again_and_ends_with_its_parent():
    program = (
        "import os, sys, time; from emphatic.study.limits import Child;"
        "from tests.study.test_limits import batch;"
        "child = Child(); child.begin(batch(1)); assert child.wait_for_answer(60)[0].status == 'done';"
        "child.begin(batch(2)); print(child._process.pid); sys.stdout.flush(); os.kill(os.getpid(), 9)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)}
    dead = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
    assert dead.returncode == -signal.SIGKILL, dead.stderr
    until = time.monotonic() + 30
    while _exists(int(dead.stdout)) and time.monotonic() < until:  # a fit that would go on for a minute
        time.sleep(0.02)
    assert not _exists(int(dead.stdout))


def test_killed_child_says_so():
    child = Child()
    child.begin(batch(2))
    assert child.wait_for_answer(0.01) is None
    child.kill()
    assert child.wait_for_answer(10) == -signal.SIGKILL
    assert not child.is_alive()


@pytest.mark.parametrize("name", ["seconds", "megabytes"])
@pytest.mark.parametrize("value", [0, -1, float("nan"), "1"])
def test_limits_must_be_positive(name, value):
    with pytest.raises(ValueError, match=name):
        Limits(**{name: value})


def _exists(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
