"""`python -m benchmarks.two_cores [repeats]`: how much faster `n_jobs=2` is than `n_jobs=1`, by the clock.

Boosted RBF networks, forests of class trees, FuzzyBoost, audits and `EmphaticClassifier`, each on a table that takes
seconds, and on a small one, on which two jobs must not be much slower. Turns of one and of two jobs follow each other,
and the shortest count.
The clock means something only on two idle cores: the load of the machine is printed, with what runs here in it.

The replay needs no idle cores: every task is run here, one after another, and timed in CPU seconds; a made-up clock
says when two workers would have finished. What is lost to it by the clock, threads lose by waiting for each other.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.datasets import make_classification

from benchmarks.growth import verdict
from benchmarks.replay import replay
from emphatic import (
    EmphaticClassifier,
    FuzzyBoostClassifier,
    MultiViewForestClassifier,
    RBFNetworkClassifier,
    RealAdaBoostClassifier,
)
from emphatic.audit import audit_labels
from emphatic.learners import SampledCentres

TIMES_FASTER = 1.7
"""With two jobs instead of one, on tables that take seconds."""

TIMES_SLOWER = 1.2
"""At most, on small tables."""

N_VIEWS, N_COLUMNS = 5, 12

Use = Callable[..., Any]
"""Takes `n_jobs` and `engine`."""


def make_views(n: int) -> tuple[np.ndarray, np.ndarray, dict[str, slice]]:
    """Ten classes, whose informative columns are spread over the views."""
    width = N_VIEWS * N_COLUMNS
    X, y = make_classification(
        n, width, n_informative=40, n_redundant=10, n_classes=10, n_clusters_per_class=2, flip_y=0.02, random_state=0
    )
    return X, y, {f"view {k}": slice(k * N_COLUMNS, (k + 1) * N_COLUMNS) for k in range(N_VIEWS)}


def make_clusters(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Two classes; one label in forty is wrong."""
    table: tuple[np.ndarray, np.ndarray] = make_classification(
        n, 20, n_informative=10, n_redundant=4, n_clusters_per_class=4, flip_y=0.05, random_state=0
    )
    return table


def use_forest(n: int) -> Use:
    X, y, views = make_views(n)
    return lambda **where: MultiViewForestClassifier(views, view_sets="all", random_state=0, **where).fit(X, y)


def use_fuzzy_boost(n: int) -> Use:
    X, y = make_clusters(n)
    return lambda **where: FuzzyBoostClassifier(random_state=0, **where).fit(X, y)


def use_audit(n: int) -> Use:
    X, y = make_clusters(n)
    return lambda **where: audit_labels(X, y, random_state=0, **where)


def use_auto(n: int) -> Use:
    X, y = make_clusters(n)
    return lambda **where: EmphaticClassifier(random_state=0, **where).fit(X, y)


def use_boosting(n: int, n_centres: int | None, n_rounds: int) -> Use:
    """Threads over chunks of rows: no tasks, so no engine and nothing to replay."""
    X, y = make_clusters(n)
    network = RBFNetworkClassifier(SampledCentres(n_centres=n_centres))
    return lambda n_jobs: RealAdaBoostClassifier(network, n_estimators=n_rounds, n_jobs=n_jobs, random_state=0).fit(
        X, y
    )


USES: dict[str, tuple[Callable[[int], Use], int, int]] = {
    "RBF networks, 500 units": (lambda n: use_boosting(n, None, 10), 20_000, 500),
    "RBF networks, 50 units": (lambda n: use_boosting(n, 50, 100), 20_000, 500),
    "forest, 31 sets of views": (use_forest, 200_000, 1_000),
    "FuzzyBoost": (use_fuzzy_boost, 20_000, 500),
    "audit": (use_audit, 5_000, 200),
    "EmphaticClassifier": (use_auto, 20_000, 200),
}
"""How to make a use of so many rows, and rows of a table that takes seconds and of a small one."""


def time_jobs(use: Use, repeats: int) -> tuple[float, float]:
    """Shortest seconds of the clock with one and with two jobs, taken in turns; a first turn is not timed."""
    best = {1: np.inf, 2: np.inf}
    for turn in range(repeats + 1):
        for n_jobs in best:
            start = time.perf_counter()
            use(n_jobs=n_jobs)
            if turn > 0:
                best[n_jobs] = min(best[n_jobs], time.perf_counter() - start)
    return best[1], best[2]


def main(repeats: int, names: list[str]) -> None:
    print(f"{'':>26}{'rows':>9}{'1 job s':>9}{'2 jobs s':>9}{'ratio':>7}{'replay':>8}{'load':>7}")
    for name in names or USES:
        make, n_many, n_few = USES[name]
        for n in (n_many, n_few):
            use = make(n)
            one, two = time_jobs(use, repeats if n == n_many else 3 * repeats)
            times = (replay(use, n_workers, repeats) for n_workers in (1, 2))
            ideal = "" if name.startswith("RBF networks") else f"{np.divide(*times):.2f}"
            ratio, load = one / two, os.getloadavg()[0]
            met = ratio >= TIMES_FASTER if n == n_many else ratio >= 1.0 / TIMES_SLOWER
            target = f"at least {TIMES_FASTER if n == n_many else 1.0 / TIMES_SLOWER:.2f}: {verdict(met)}"
            print(f"{name:>26}{n:>9,}{one:9.2f}{two:9.2f}{ratio:7.2f}{ideal:>8}{load:7.1f}  {target}", flush=True)
    print("no share of a limit: the limit of two cores is twice one of them")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3, sys.argv[2:])
