"""`python -m benchmarks.first_call [--rows 150] [--names NAME ...]`: what a new user waits for, worst first.

Of every public estimator, each time in a new process: the seconds of its import; of its first fit and first prediction
with nothing compiled yet (an empty folder for numba's cache), as after an installation; of its first fit when another
process has compiled all it needs; and of its second fit. Time of the processor, on one thread.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import json
import os
import subprocess
import sys
import tempfile
import warnings
from time import process_time
from typing import Any, NamedTuple

MODULES = ("emphatic", *(f"emphatic.{name}" for name in ("clustering", "selection", "tables")))
"""Where public estimators are: what others export is among these."""


class Call(NamedTuple):
    """Seconds of one process."""

    imported: float
    first: float
    predicted: float
    second: float


class Line(NamedTuple):
    """An estimator with an empty cache, and with a filled one."""

    name: str
    empty: Call
    filled: Call

    def format(self) -> str:
        extra = self.filled.first - self.filled.second
        seconds = (self.empty.imported, self.empty.first, self.empty.predicted, self.filled.first, self.empty.second)
        return f"{self.name:>30}" + "".join(f"{one:>12.2f}" for one in (*seconds, extra))


HEADER = f"{'':>30}" + "".join(
    f"{one:>12}" for one in ("import", "first fit", "predict", "cached fit", "second", "extra")
)


def list_estimators() -> dict[str, str]:
    """The modules of all public estimators, by name."""
    from sklearn.base import BaseEstimator

    found: dict[str, str] = {}
    for place in MODULES:
        module = importlib.import_module(place)
        for name in module.__all__:
            one = getattr(module, name)
            if inspect.isclass(one) and issubclass(one, BaseEstimator) and hasattr(one, "fit"):
                found.setdefault(name, place)
    return found


def call(place: str, name: str, n_rows: int) -> Call:
    """Import, fit twice and predict here, where nothing must have been imported before."""
    start = process_time()
    estimator = getattr(importlib.import_module(place), name)
    imported = process_time() - start
    X, y = _make_table(n_rows)
    arguments = _list_arguments(name)
    seconds = []
    for _ in range(2):
        model: Any = estimator(**arguments)
        if "random_state" in model.get_params():
            model.set_params(random_state=0)
        start = process_time()
        model.fit(X, y)
        seconds.append(process_time() - start)
        if len(seconds) == 1:
            answer = next(
                getattr(model, one) for one in ("predict_proba", "predict", "transform") if hasattr(model, one)
            )
            start = process_time()
            answer(X[:10])
            seconds.append(process_time() - start)
    return Call(imported, *seconds)


def _list_arguments(name: str) -> dict[str, Any]:
    """Of those that cannot be fitted without."""
    import emphatic

    if name == "FusionClassifier":
        members = [(one, emphatic.RBFNetworkClassifier(), columns) for one, columns in (("a", [0, 1]), ("b", [2, 3]))]
        return {"members": members}
    if name == "MultiViewForestClassifier":
        return {"views": {"a": [0, 1, 2], "b": [3, 4, 5]}}
    if name == "EnsembleSearchCV":
        return {"estimator": emphatic.RealAdaBoostClassifier(n_estimators=10), "param_grid": {"n_estimators": [5, 10]}}
    return {}


def _make_table(n_rows: int) -> tuple[Any, Any]:
    """Two overlapping classes, eight numbers per row."""
    import numpy as np

    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, 8))
    return X, (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=n_rows) > 0).astype(int)


def call_elsewhere(place: str, name: str, n_rows: int, cache: str) -> Call:
    """`call` in a process of its own, which compiles into the folder `cache`."""
    command = [sys.executable, "-m", "benchmarks.first_call", "--call", place, name, "--rows", str(n_rows)]
    one_thread = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
    environment = {**os.environ, **one_thread, "NUMBA_CACHE_DIR": cache}
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return Call(*json.loads(done.stdout))


def measure(place: str, name: str, n_rows: int) -> Line:
    with tempfile.TemporaryDirectory(prefix="first-call-") as cache:
        return Line(name, *(call_elsewhere(place, name, n_rows, cache) for _ in range(2)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--names", nargs="+", help="estimators; all that are public if not given")
    parser.add_argument("--rows", type=int, default=150)
    parser.add_argument("--call", nargs=2, metavar=("MODULE", "NAME"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.call:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            print(json.dumps(call(*given.call, given.rows)))
        return
    from tools.cpu_code import describe_cpu_code  # imports much of what is to be timed in other processes

    print(f"{describe_cpu_code()}\n", flush=True)
    places = list_estimators()
    lines = [measure(places[name], name, given.rows) for name in given.names or places]
    print(f"Seconds, {given.rows} rows\n{HEADER}")
    for line in sorted(lines, key=lambda one: -one.empty.first):
        print(line.format())
    print("no share of a limit: most of the time is that of compiling")


if __name__ == "__main__":
    main()
