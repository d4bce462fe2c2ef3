"""`python -m benchmarks.study [repeats]`: what a study costs beside the bare fits, and how fast a large store opens."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from time import process_time

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from benchmarks.timing import interleaved
from emphatic.study import Method, Record, RepeatedKFold, Store, Study, TaskKey
from emphatic.study.problem import OwnProblem
from tools.cpu_code import describe_cpu_code

FIT_SECONDS = 0.05
N_RECORDS = 100_000
METRICS = {"error": 0.1, "class_accuracies": {"-1": 0.9, "1": 0.9}, "curve": [[t, 0.125] for t in range(10)]}


class Busy(ClassifierMixin, BaseEstimator):
    """Trains for so many seconds of the processor, and learns nothing."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> Busy:
        until = process_time() + FIT_SECONDS
        while process_time() < until:
            pass
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        return np.full(len(X), self.classes_[0])


def build(setting: object, random_state: int) -> Busy:
    return Busy()


def as_is() -> None:
    return None


def overhead(repeats: int) -> None:
    rng = np.random.default_rng(0)
    problem = OwnProblem("noise", rng.normal(size=(1000, 20)), rng.integers(0, 2, 1000))
    study = Study("busy", [Method("busy", build, transformer=as_is)], [problem], RepeatedKFold(10, 2))

    def bare() -> None:
        for task in study.tasks():
            train, test = task.split.train, task.split.test
            fitted = build({}, 0).fit(problem.X[train], problem.y[train])
            np.mean(fitted.predict(problem.X[test]) != problem.y[test])

    def studied() -> None:
        with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "study.sqlite") as store:
            study.run(store, progress=False)

    seconds = interleaved({"bare": bare, "study": studied}, repeats)
    ratio = seconds["study"] / seconds["bare"]
    print(
        f"a study of fits of {1000 * FIT_SECONDS:.0f} ms takes {ratio:.3f} times the bare fits (shortest of {repeats})"
    )
    print("  no share of a limit: what a study adds to its fits is bookkeeping, not arithmetic")


def large_store() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "study.sqlite"
        keys = [TaskKey("t", f"problem {n % 20}", "method", f'{{"n":{n // 1000}}}', "p", n) for n in range(N_RECORDS)]
        with Store(path) as store:
            store.append(*(Record(key, "done", METRICS, 0.05, {"emphatic": "1"}, 0.05, 0.001) for key in keys))
        megabytes = path.stat().st_size / 2**20
        started = process_time()
        with Store(path) as store:
            opened = process_time() - started
            assert len(store.finished(["t"])) == N_RECORDS
            known = process_time() - started
            n_read = sum(1 for _ in store.records("t"))
            read = process_time() - started - known
    print(f"a store of {N_RECORDS} records ({megabytes:.0f} MB) opens in {1000 * opened:.1f} ms")
    print(f"  what is finished is known after {known:.2f} s; reading all {n_read} records takes {read:.2f} s")


if __name__ == "__main__":
    print(f"{describe_cpu_code()}\n")
    overhead(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
    large_store()
