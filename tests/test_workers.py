"""Worker processes end with the process they work for, whatever it was that they worked on."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from joblib import Parallel, delayed
from sklearn.naive_bayes import GaussianNB

from emphatic.workers import _call, tie
from tests.study.fakes import children_of

ROOT = Path(__file__).parents[1]
USES = {
    "fusion": "FusionClassifier([('a', slow, [0]), ('b', slow, [1])], n_jobs=2, reliability=0.5).fit(X, y)",
    "audit": "audit_labels(X, y, slow, n_jobs=2)",
}
MORE_USES = {
    "fuzzy boosting": "FuzzyBoostClassifier(slow, 4, n_jobs=2).fit(X, y)",
    "forest": "MultiViewForestClassifier({'a': [0], 'b': [1]}, slow, n_jobs=2).fit(X, y)",
    "search": (
        "EnsembleSearchCV(RealAdaBoostClassifier(slow, n_estimators=2), {'min_ess': range(300)}, n_jobs=2).fit(X, y)"
    ),
}
PROGRAM = """
import os, sys
import numpy as np
from emphatic import FusionClassifier, FuzzyBoostClassifier, MultiViewForestClassifier, RealAdaBoostClassifier
from emphatic.audit import audit_labels
from emphatic.selection import EnsembleSearchCV
from tests.test_workers import Slow
rng = np.random.default_rng(0)
y = np.repeat([0, 1], 30)
X, slow = rng.normal(size=(60, 2)) + y[:, None], Slow(sys.argv[2], os.getpid())
eval(sys.argv[1])
"""
needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes as Linux shows them")


class Slow(GaussianNB):
    """Takes five minutes to fit, in any process but one; leaves the number of its process in a folder."""

    def __init__(self, folder="", quick=0):
        super().__init__()
        self.folder = folder
        self.quick = quick

    def fit(self, X, y, sample_weight=None):
        if os.getpid() != self.quick:
            Path(self.folder, str(os.getpid())).touch()
            time.sleep(300)
        return super().fit(X, y, sample_weight)


def wait(condition, seconds):
    until = time.monotonic() + seconds
    while not condition() and time.monotonic() < until:
        time.sleep(0.05)
    return condition()


@needs_proc
@pytest.mark.parametrize(
    "use",
    [pytest.param(use, id=name) for name, use in USES.items()]
    + [pytest.param(use, id=name, marks=pytest.mark.slow) for name, use in MORE_USES.items()],
)
def test_no_worker_survives_its_parent(tmp_path, use):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    command = [sys.executable, "-c", PROGRAM, use, str(tmp_path)]
    process = subprocess.Popen(command, env=environment, cwd=ROOT, start_new_session=True)
    begun = wait(lambda: process.poll() is not None or len(list(tmp_path.iterdir())) >= 2, 120)
    assert begun and process.poll() is None
    workers = {int(path.name) for path in tmp_path.iterdir()}
    assert workers <= children_of(process.pid)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    ended = wait(lambda: not children_of(process.pid), 20)
    for pid in children_of(process.pid):
        os.kill(pid, signal.SIGKILL)
    assert ended


def look():
    return os.getpid(), [thread.name for thread in threading.enumerate() if "_end_with" in thread.name]


def test_who_is_no_worker_watches_nobody():
    assert tie(look)() == (os.getpid(), [])
    assert Parallel(2, backend="threading")(delayed(tie(look))() for _ in range(2)) == [(os.getpid(), [])] * 2


def test_worker_watches_its_parent_once():
    for pid, watchers in Parallel(2, backend="loky")(delayed(tie(look))() for _ in range(6)):
        assert pid != os.getpid()
        assert len(watchers) == 1


def test_worker_of_a_process_that_is_not_its_parent_watches_nobody():
    """As on another machine."""
    assert _call(-1, look) == (os.getpid(), [])
