"""`python -m tests.study.store.kills STORE LOG N_KILLS N_PROCESSES SEED`: a study killed until it is done.

Every process is forked from one that has imported all, so that most of its short life is the study. What is found
wrong ends it with an AssertionError.
"""

import os
import random
import signal
import sys
import time
from functools import partial
from pathlib import Path

from emphatic.study import Store
from tests.study.fakes import build_logged, make_study

FIT_SECONDS = 0.002
MOST_FITS = 6  # begun in a life, before it may be killed at any moment


def study(log, n_runs):
    return make_study(partial(build_logged, log=log, seconds=FIT_SECONDS), n_runs=n_runs)


def start(path, log, n_runs):
    pid = os.fork()
    if pid == 0:
        with Store(path) as store:
            study(log, n_runs).run(store, progress=False)
        os._exit(0)
    return pid


def begun(log):
    return Path(log).read_text().split("\n")[:-1] if Path(log).exists() else []


def recorded(path):
    """The fits that a store holds, in the words of the log."""
    if not os.path.exists(path):
        return set()
    with Store(path) as store:
        return {f"{eval(record.key.setting)['depth']} {record.key.random_state}" for record in store.records()}


def kill(pids, rng, log):
    """Kill all at a random moment of a random fit; how many were still alive."""
    n_fits, last = len(begun(log)) + rng.randrange(MOST_FITS), time.monotonic() + 5
    while len(begun(log)) < n_fits and time.monotonic() < last:
        time.sleep(0.001)
    time.sleep(rng.uniform(0, 3 * FIT_SECONDS))
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
    return sum(os.WIFSIGNALED(os.waitpid(pid, 0)[1]) for pid in pids)


def main(path, log, n_kills, n_processes, seed):
    rng = random.Random(seed)
    with Store(f"{path}-warm") as warm:  # what is done once a process is done before the first fork
        make_study(n_runs=1).run(warm, progress=False)
    n_runs = n_kills * MOST_FITS // n_processes // 3  # of 3 fits each: it will not be done before the last kill
    n_killed, held, n_begun = 0, set(), 0
    while n_killed < n_kills:
        n_killed += kill([start(path, log, n_runs) for _ in range(n_processes)], rng, log)
        assert held.isdisjoint(begun(log)[n_begun:]), "a fit that was recorded was done again"
        assert held <= recorded(path), "a record was lost"
        held, n_begun = recorded(path), len(begun(log))
    assert 0 < len(held) < 3 * n_runs, "the study was to be killed in the middle"
    assert os.waitpid(start(path, log, n_runs), 0)[1] == 0
    lines = begun(log)
    assert held.isdisjoint(lines[n_begun:])
    assert set(lines) == recorded(path)
    assert len(lines) <= len(set(lines)) + n_killed, "a kill cost more than the fit it fell into"
    print(n_killed, len(held), len(set(lines)), len(lines))


if __name__ == "__main__":
    main(*sys.argv[1:3], *map(int, sys.argv[3:]))
