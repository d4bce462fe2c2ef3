"""`python -m benchmarks.growth [repeats]`: how time grows with the number of samples, and the memory of a large fit."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc

import numpy as np

from benchmarks.timing import interleaved
from emphatic import RBFNetworkClassifier, RealAdaBoostClassifier
from emphatic.emphasis import Mixed
from emphatic.learners import SampledCentres

SIZES = (2_500, 5_000, 10_000, 20_000, 40_000)
LARGEST_DOUBLING = 2.0 * 1.2
MEMORY_LIMIT = 1.5  # GB


def two_clouds(n: int, n_features: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(n, n_features)), rng.integers(2, size=n)
    X += 0.5 * y[:, None]  # in place: a second table would hide what a fit adds to the peak
    return X, y


def boosted(n_centres: int, n_estimators: int) -> RealAdaBoostClassifier:
    network = RBFNetworkClassifier(SampledCentres(n_centres=n_centres))
    return RealAdaBoostClassifier(network, Mixed(0.5), n_estimators=n_estimators, random_state=0)


def print_times(repeats: int) -> None:
    problems = {str(n): two_clouds(n, 8) for n in SIZES}
    seconds = interleaved({n: lambda p=p: boosted(50, 20).fit(*p) for n, p in problems.items()}, repeats)
    print(f"20 rounds of 50-unit ridge networks, 8 features; a doubling may cost up to {LARGEST_DOUBLING:.1f} times\n")
    print(f"{'samples':>8}{'ms':>9}{'us a sample':>13}{'ratio':>7}")
    before = None
    for n, value in seconds.items():
        ratio = "" if before is None else f"{value / before:7.2f}  {verdict(value / before <= LARGEST_DOUBLING)}"
        print(f"{n:>8}{1e3 * value:9.1f}{1e6 * value / int(n):13.2f}{ratio}")
        before = value


def print_memory() -> None:
    """In a process of its own, so that nothing an earlier fit kept can serve again."""
    child = [sys.executable, "-c", "from benchmarks.growth import extra_memory; print(extra_memory())"]
    extra = float(subprocess.run(child, check=True, capture_output=True, text=True).stdout)
    print("\n3 rounds of 500-unit ridge networks, 200,000 samples of 20 features; memory beyond the table:")
    print(f"{extra:.2f} GB, limit {MEMORY_LIMIT} GB: {verdict(extra < MEMORY_LIMIT)}")


def extra_memory() -> float:
    boosted(50, 1).fit(*two_clouds(2_000, 20))  # compiled code is no memory of the large fit
    X, y = two_clouds(200_000, 20)
    tracemalloc.start()  # NumPy reports its arrays to it; a peak of the process would hide what is below an earlier one
    boosted(500, 3).fit(X, y)
    return tracemalloc.get_traced_memory()[1] / 1e9


def verdict(met: bool) -> str:
    return "met" if met else "missed"


if __name__ == "__main__":
    print_times(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
    print_memory()
