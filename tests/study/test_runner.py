import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from emphatic.study import FailedFitsWarning, Method, PredefinedOrPartitions, Record, Store, Study
from emphatic.study.tasks import make_batches
from tests.study.fakes import (
    FakeProblem,
    as_is,
    build_boosted,
    build_if_allowed,
    build_logged,
    children_of,
    errors,
    make_study,
)

ROOT = Path(__file__).parents[2]


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "s.sqlite") as store:
        yield store


def start(*arguments):
    """A study in a process of its own."""
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    command = [sys.executable, "-m", "tests.study.fakes", *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.Popen(command, env=environment, cwd=ROOT, stderr=subprocess.PIPE, start_new_session=True)


def n_lines(log):
    return len(log.read_text().splitlines()) if log.exists() else 0


def test_second_run_does_nothing(store, tmp_path):
    study = make_study(partial(build_logged, log=str(tmp_path / "log"), seconds=0))
    assert study.run(store).n_done == 36
    assert study.run(store).n_done == 0
    assert n_lines(tmp_path / "log") == 36


def test_more_runs_only_add(store):
    assert make_study(n_runs=5).run(store).n_done == 15
    assert make_study(n_runs=12).run(store).n_done == 21


def test_records_do_not_depend_on_processes_or_order(store, tmp_path):
    make_study().run(store)
    with Store(tmp_path / "parallel.sqlite") as other:
        make_study(depths=(3, 1, 2)).run(other, n_jobs=2)
        assert errors(other) == errors(store)


def test_candidates_share_seeds_and_runs_do_not(store):
    tasks = list(make_study(folds=True).tasks())
    seeds = {}
    for task in tasks:
        seeds.setdefault((task.key.split, task.key.seed, task.key.fold), set()).add(task.key.random_state)
    assert all(len(found) == 1 for found in seeds.values())
    assert len(set.union(*seeds.values())) == len(seeds) == 9


def test_killed_study_goes_on_and_ends_the_same(store, tmp_path):
    path, log = tmp_path / "killed.sqlite", tmp_path / "log"
    process = start(path, log, 0.03, 1)
    while n_lines(log) < 8 and process.poll() is None:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    begun = n_lines(log)
    with Store(path) as killed:
        kept = len(killed)
        assert begun - 1 <= kept <= begun < 36
        make_study(partial(build_logged, log=str(log), seconds=0)).run(killed)
        assert n_lines(log) == begun + 36 - kept  # nothing that was kept is done again
        make_study().run(store)
        assert errors(killed) == errors(store)


def test_two_processes_share_a_store(store, tmp_path):
    path, log = tmp_path / "shared.sqlite", tmp_path / "log"
    processes = [start(path, log, 0.02, 1) for _ in range(2)]
    for process in processes:
        _, message = process.communicate(timeout=60)
        assert process.returncode == 0, message
    assert n_lines(log) == len(set(log.read_text().splitlines())) == 36  # nothing was done twice
    make_study().run(store)
    with Store(path) as shared:
        assert errors(shared) == errors(store)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_interrupted_study_stops_and_goes_on(store, tmp_path, n_jobs):
    """Ctrl-C, which a terminal sends to all processes."""
    path, log = tmp_path / "interrupted.sqlite", tmp_path / "log"
    process = start(path, log, 0.1, n_jobs)
    while n_lines(log) < 4 and process.poll() is None:
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    _, message = process.communicate(timeout=60)
    assert b"KeyboardInterrupt" in message
    assert process.returncode == -signal.SIGINT  # Python's own end after an interrupt that nobody caught
    assert not [name for name in os.listdir(tmp_path) if "-run-" in name]
    with Store(path) as interrupted:
        assert 0 < len(interrupted) < 36
        make_study().run(interrupted)
        make_study().run(store)
        assert errors(interrupted) == errors(store)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes as Linux shows them")
@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGKILL])
def test_workers_end_with_a_study_that_is_killed(tmp_path, sent):
    """They went on for minutes: with their fits, and then waiting for more."""
    log = tmp_path / "log"
    process = start(tmp_path / "s.sqlite", log, 300, 2)
    while n_lines(log) < 2 and process.poll() is None:
        time.sleep(0.01)
    assert len(children_of(process.pid)) >= 2
    os.kill(process.pid, sent)
    assert process.wait() == -sent
    until = time.monotonic() + 20
    while children_of(process.pid) and time.monotonic() < until:
        time.sleep(0.05)
    left = children_of(process.pid)
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    process.communicate()
    assert not left


def test_names_must_differ():
    with pytest.raises(ValueError, match="two problems have the same name: fake"):
        Study("t", [Method("tree", build_boosted)], [FakeProblem(), FakeProblem()], PredefinedOrPartitions(1))
    with pytest.raises(ValueError, match="two methods have the same name: tree"):
        Study("t", [Method("tree", build_boosted)] * 2, [FakeProblem()], PredefinedOrPartitions(1))


def test_failed_fit_is_kept_and_tried_again(store, tmp_path):
    permission = tmp_path / "permission"
    study = make_study(partial(build_if_allowed, permission=str(permission)))
    with pytest.warns(FailedFitsWarning, match="12 fits of study fake-1 failed"):
        summary = study.run(store)
    assert (summary.n_done, summary.n_failed) == (24, 12)
    assert "depth 2 is not allowed" in summary.first_failure
    failed = list(store.records(status="failed"))
    assert {record.metrics["message"] for record in failed} == {"RuntimeError: depth 2 is not allowed"}
    permission.touch()
    summary = study.run(store)
    assert (summary.n_done, summary.n_failed) == (12, 0)
    assert not list(store.records(status="failed"))


def test_curve_ends_at_the_error(store):
    method = Method("boosted", build_boosted, [{"rounds": 20}], as_is)
    study = Study("t", [method], [FakeProblem(predefined=True)], PredefinedOrPartitions(1))
    study.run(store)
    [record] = store.records()
    rounds, values = zip(*record.metrics["curve"])
    assert rounds[0] == 1
    assert rounds[-1] == 20
    assert values[-1] == record.metrics["error"]
    assert set(record.versions) == {"emphatic", "python", "numpy", "scipy", "scikit-learn", "numba"}


def test_fits_in_step_are_kept_all_at_once_and_the_same_batches_are_made_again(store, tmp_path):
    method = Method("tree", build_boosted, [{"rounds": n} for n in (1, 2, 3)], as_is, together=4)
    study = Study("t", [method], [FakeProblem(), FakeProblem("other")], PredefinedOrPartitions(3, 3))
    found = make_batches(study.tasks())
    assert [len(batch) for batch in found] == [4, 4, 1, 4, 4, 1]
    assert {task.key.problem for task in found[0]} == {"fake"}  # a batch is of one problem
    assert study.run(store, progress=False).n_done == 18
    with Store(tmp_path / "alone.sqlite") as other:
        alone = Study("t", [Method("tree", build_boosted, method.settings, as_is)], study.problems, study.protocol)
        alone.run(other, progress=False)
        assert errors(other) == errors(store)
        first = found[0][0].key
        store.append(Record(first, "failed", {"message": "late"}))
        assert study.run(store, progress=False).n_done == 0  # a finished fit stays finished


def test_one_of_a_batch_may_fail(store):
    method = Method("tree", build_boosted, [{"rounds": 1}, {"rounds": 0}], as_is, together=2)
    study = Study("t", [method], [FakeProblem()], PredefinedOrPartitions(1))
    with pytest.warns(FailedFitsWarning, match="1 fit of study t failed"):
        summary = study.run(store, progress=False)
    assert (summary.n_done, summary.n_failed) == (1, 1)
    assert "n_estimators" in summary.first_failure
