"""`python -m benchmarks.clustering [repeats]`: variants of fuzzy c-means against fuzzy-c-means and evclust.

The same iterations from the same start, with results that agree to 1e-6; time of the processor, one thread. It is not
part of `make bench`, as evclust asks for NumPy 1: install the two without their dependencies.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from evclust.ecm import ecm
from fcmeans import FCM, GK, PCM, FCMedoids
from scipy.spatial.distance import cdist
from sklearn.datasets import make_blobs
from sklearn.exceptions import ConvergenceWarning

from benchmarks.timing import interleaved
from emphatic.clustering import EvidentialCMeans, FuzzyCMeans, FuzzyKMedoids, GustafsonKessel, PossibilisticCMeans

Pair = tuple[Callable[[], Any], Callable[[], Any]]
ITERATIONS, CLUSTERS = 20, 3


def draw(rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """A table and the centres to start from."""
    X, _ = make_blobs(rows, columns, centers=CLUSTERS, cluster_std=6.0, random_state=0)
    return X, X[:CLUSTERS] + 0.1


def start_at(kind: type, centres: np.ndarray) -> type:
    """The class of the peer with memberships that belong to these centres as its start."""

    class Started(kind):  # type: ignore[misc]
        def _init_u(self, X: np.ndarray) -> None:
            self.rng = np.random.default_rng(0)  # which PCM takes over
            self._centers = centres.copy()
            self.u = FCM._memberships(FCM._dist(X, centres), self.m)

    return Started


def compare_centres(kind: type, ours: Any, rows: int, columns: int, **options: Any) -> Pair:
    X, start = draw(rows, columns)
    ours.set_params(n_clusters=CLUSTERS, init=start, max_iter=ITERATIONS, tol=0.0)

    def peer() -> Any:
        model = start_at(kind, start)(n_clusters=CLUSTERS, max_iter=ITERATIONS, error=1e-9, **options)
        model.fit(X)
        return model

    assert np.abs(ours.fit(X).cluster_centers_ - peer().centers).max() < 1e-6
    return lambda: ours.fit(X), peer


def compare_possibilities(rows: int, columns: int) -> Pair:
    """Both run fuzzy c-means for as many iterations first."""
    X, start = draw(rows, columns)
    ours = PossibilisticCMeans(CLUSTERS, init=start, max_iter=ITERATIONS, tol=0.0)
    first_step = start_at(FCM, start)._init_u

    def peer() -> Any:
        before, FCM._init_u = FCM._init_u, first_step  # PCM starts FCM by itself
        try:
            model = PCM(n_clusters=CLUSTERS, max_iter=ITERATIONS, error=1e-9)
            model.fit(X)
        finally:
            FCM._init_u = before
        return model

    assert np.abs(ours.fit(X).cluster_centers_ - peer().centers).max() < 1e-6
    return lambda: ours.fit(X), peer


def compare_medoids(rows: int, columns: int) -> Pair:
    """Squared city-block distances: the peer has a shortcut for squared Euclidean ones only."""
    X, _ = draw(rows, columns)
    ours = FuzzyKMedoids(CLUSTERS, metric="precomputed", init=[0, 1, 2])

    class Started(FCMedoids):  # type: ignore[misc]
        def _seed_indices(self, X: np.ndarray) -> list[int]:
            return [0, 1, 2]

    def peer() -> Any:
        model = Started(n_clusters=CLUSTERS, distance="minkowski", distance_params={"p": 1.0})
        model.fit(X)
        return model

    def fit() -> Any:
        return ours.fit(cdist(X, X, "cityblock") ** 2)

    assert fit().medoid_indices_.tolist() == peer().medoid_indices.tolist()
    return fit, peer


def compare_evidence(rows: int, columns: int) -> Pair:
    X, start = draw(rows, columns)
    ours = EvidentialCMeans(CLUSTERS, focal_sets="all", noise_distance=30.0, init=start, tol=1e-10)

    def peer() -> Any:
        return ecm(X, CLUSTERS, g0=start, delta=30, epsi=1e-5, disp=False)

    assert np.abs(ours.fit(X).cluster_centers_ - peer()["g"]).max() < 1e-3  # they stop differently
    return lambda: ours.fit(X), peer


def main(repeats: int) -> None:
    warnings.simplefilter("ignore", ConvergenceWarning)
    pairs = {
        "fuzzy c-means, 5000 x 20": compare_centres(FCM, FuzzyCMeans(), 5000, 20),
        "Gustafson-Kessel, 5000 x 4": compare_centres(GK, GustafsonKessel(max_condition=1e12), 5000, 4, reg=0.0),
        "Gustafson-Kessel, 5000 x 20": compare_centres(GK, GustafsonKessel(max_condition=1e12), 5000, 20, reg=0.0),
        "possibilistic, 5000 x 20": compare_possibilities(5000, 20),
        "medoids, 1000 x 20": compare_medoids(1000, 20),
        "evidential, 300 x 4": compare_evidence(300, 4),
    }
    found = interleaved(
        {f"{who} {name}": fit for name, both in pairs.items() for who, fit in zip(("us", "them"), both)}, repeats
    )
    print(f"{CLUSTERS} clusters, one thread, milliseconds of the processor a fit, shortest of {repeats} in turns:")
    print(f"{'':30}{'emphatic':>12}{'peer':>12}{'times faster':>14}")
    for name in pairs:
        us, them = (1e3 * found[f"{who} {name}"] for who in ("us", "them"))
        print(f"{name:30}{us:12.1f}{them:12.1f}{them / us:14.1f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
