"""Killed at any moment, a study loses nothing, repeats nothing that it kept, and ends with the same table."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from emphatic.study import Store
from tests.study.fakes import errors
from tests.study.store.kills import MOST_FITS, make_study

ROOT = Path(__file__).parents[3]
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")


@needs_fork
@pytest.mark.parametrize(
    ("n_kills", "n_processes"),
    [
        pytest.param(10, 1, id="10 kills"),
        pytest.param(10, 2, id="10 kills of two that share the store"),
        pytest.param(100, 1, marks=pytest.mark.slow, id="100 kills"),
        pytest.param(100, 2, marks=pytest.mark.slow, id="100 kills of two that share the store"),
    ],
)
def test_kills_at_random_moments(tmp_path, n_kills, n_processes):
    path = tmp_path / "killed.sqlite"
    command = [sys.executable, "-m", "tests.study.store.kills", path, tmp_path / "log", n_kills, n_processes, 7]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    done = subprocess.run([str(word) for word in command], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    n_killed, n_kept, n_fits, n_begun = map(int, done.stdout.split())
    assert n_killed >= n_kills
    assert 0 < n_kept < n_fits <= n_begun
    with Store(path) as killed, Store(tmp_path / "whole.sqlite") as whole:
        make_study(n_runs=n_kills * MOST_FITS // n_processes // 3).run(whole, progress=False)
        assert errors(killed) == errors(whole)
        assert len(killed) == n_fits
    assert not [name for name in os.listdir(tmp_path) if "-run-" in name]  # the dead left nothing behind
