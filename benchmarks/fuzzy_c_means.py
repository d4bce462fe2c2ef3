"""`python -m benchmarks.fuzzy_c_means [repeats]`: iterations of fuzzy c-means against the same ones of scikit-fuzzy."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from skfuzzy import cmeans
from sklearn.datasets import make_blobs
from sklearn.exceptions import ConvergenceWarning

from benchmarks.timing import interleaved
from benchmarks.work import count_fuzzy_iteration, share_of_limit
from emphatic.clustering import FuzzyCMeans
from tools.cpu_code import describe_cpu_code

ROWS, COLUMNS, ITERATIONS = 5000, 20, 30
TARGETS = {3: 10.0, 10: 8.0}
"""How many times faster, by the number of clusters."""


def pair(n_clusters: int) -> tuple[Callable[[], Any], Callable[[], Any]]:
    """Ours and theirs: the same iterations from the same centres."""
    X, _ = make_blobs(ROWS, COLUMNS, centers=n_clusters, cluster_std=6.0, random_state=0)
    start = X[:n_clusters] + 0.1
    model = FuzzyCMeans(n_clusters, init=start, max_iter=ITERATIONS, tol=0.0)
    first = 1.0 / ((X[:, None, :] - start) ** 2).sum(axis=2).T
    first /= first.sum(axis=0)
    columns = np.ascontiguousarray(X.T)

    def peer() -> Any:
        return cmeans(columns, n_clusters, 2.0, error=0.0, maxiter=ITERATIONS, init=first)

    centres, memberships, *_, done, _ = peer()
    assert model.fit(X).n_iter_ == done == ITERATIONS, "one of them stopped early, the times do not compare"
    assert np.abs(model.membership_.T - memberships).max() < 1e-6
    assert np.allclose(model.cluster_centers_, centres, atol=1e-6)
    return lambda: model.fit(X), peer


def main(repeats: int) -> None:
    print(f"{describe_cpu_code()}\n")
    warnings.simplefilter("ignore", ConvergenceWarning)
    pairs = {n_clusters: pair(n_clusters) for n_clusters in TARGETS}
    found = interleaved(
        {f"{who} {c}": fit for c, both in pairs.items() for who, fit in zip(("us", "them"), both)}, repeats
    )
    print(f"Fuzzy c-means, {ROWS} x {COLUMNS}, one thread, microseconds an iteration, shortest of {repeats} in turns:")
    print(f"{'clusters':>8}{'emphatic':>12}{'scikit-fuzzy':>14}{'times faster':>14}{'of limit':>10}   target")
    for n_clusters, target in TARGETS.items():
        us, them = (1e6 * found[f"{who} {n_clusters}"] / ITERATIONS for who in ("us", "them"))
        met = "met" if them / us >= target else "missed"
        share = share_of_limit(count_fuzzy_iteration(ROWS, COLUMNS, n_clusters), us / 1e6)
        print(f"{n_clusters:8}{us:12.0f}{them:14.0f}{them / us:14.1f}{share:10.0%}   {target:.0f}: {met}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
