"""A small problem and methods with side effects, for studies about studies. `python -m tests.study.fakes` runs one."""

import os
import signal
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

from emphatic.study import InnerFolds, Method, PredefinedOrPartitions, Store, Study


@dataclass
class FakeProblem:
    """Two noisy Gaussians; with `predefined`, the first 60 rows are for training."""

    name: str = "fake"
    predefined: bool = False
    stand_in: bool = False

    def __post_init__(self):
        rng = np.random.default_rng(0)
        self.y = np.repeat(["no", "yes"], 60)[rng.permutation(120)]
        self.X = rng.normal(size=(120, 3)) + (self.y == "yes")[:, None]

    @property
    def train(self):
        return np.arange(60) if self.predefined else None

    @property
    def test(self):
        return np.arange(60, 120) if self.predefined else None

    def partition(self, random_state):
        rows = np.random.default_rng(random_state).permutation(120)
        return rows[:72], rows[72:]


def as_is():
    return None


def build_tree(setting, random_state):
    return DecisionTreeClassifier(max_depth=setting["depth"], splitter="random", random_state=random_state)


def build_boosted(setting, random_state):
    return AdaBoostClassifier(build_tree({"depth": 1}, 0), n_estimators=setting["rounds"], random_state=random_state)


def build_logged(setting, random_state, log, seconds):
    """Leaves a line in `log` for every fit that is begun."""
    with open(log, "a") as file:
        file.write(f"{setting['depth']} {random_state}\n")
    time.sleep(seconds)
    return build_tree(setting, random_state)


def build_by_depth(setting, random_state):
    """Depth 2 takes for ever, depth 3 all memory, depth 4 the process."""
    started, hoard = time.monotonic(), []
    while setting["depth"] == 2 and time.monotonic() < started + 60:
        time.sleep(0.01)
    while setting["depth"] == 3 and time.monotonic() < started + 60:
        hoard.append(np.ones(2**20))
    if setting["depth"] == 4:
        os.kill(os.getpid(), signal.SIGKILL)
    print("this must not get between the answers")
    return build_tree(setting, random_state)


def build_if_allowed(setting, random_state, permission):
    if setting["depth"] == 2 and not Path(permission).exists():
        raise RuntimeError("depth 2 is not allowed")
    return build_tree(setting, random_state)


def make_study(build=build_tree, depths=(1, 2, 3), n_runs=12, problem=None, folds=False):
    method = Method("tree", build, [{"depth": depth} for depth in depths], transformer=as_is)
    protocol = PredefinedOrPartitions(n_runs, n_partitions=3)
    return Study("fake-1", [method], [problem or FakeProblem()], InnerFolds(protocol, 3) if folds else protocol)


def errors(store):
    """All that must not depend on how a study was run."""
    return {record.key: record.metrics for record in store.records()}


def children_of(group):
    """The numbers of the processes of a group that are alive, on Linux: the group has the number of its first."""
    found = set()
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, _, of, *_ = file.read_text().rpartition(")")[2].split()
            if int(of) == group and state not in "ZX":
                found.add(int(file.parent.name))
    return found - {group}


def main(path, log, seconds, n_jobs):
    with Store(path) as store:
        make_study(partial(build_logged, log=log, seconds=float(seconds))).run(store, n_jobs=int(n_jobs))


if __name__ == "__main__":
    main(*sys.argv[1:])
