"""`python -m benchmarks.growth [repeats]`: how time grows with each size of a fit, and the memory of a large one."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc

from benchmarks.sweeps import HEAD, NETWORKS, SWEEPS, Size, boost_networks, draw_clouds, measure, report
from tools.cpu_code import describe_cpu_code

LARGEST_DOUBLING = 2.0 * 1.2
MEMORY_LIMIT = 1.5  # GB


def print_exponents(repeats: int) -> list[float]:
    """Return the seconds of boosted networks by the number of samples."""
    print(f"{HEAD}   (one thread, shortest of {repeats})")
    by_samples: list[float] = []
    for sweep in SWEEPS:
        for field in sweep.ranges:
            seconds = measure(sweep, field, repeats)
            print(report(sweep, field, seconds), flush=True)
            if sweep is NETWORKS and field == "samples":
                by_samples = seconds
    return by_samples


def print_doublings(seconds: list[float]) -> None:
    size = NETWORKS.base
    print(
        f"\n{size.rounds} rounds of {size.units}-unit ridge networks, {size.features} features; "
        f"a doubling may cost up to {LARGEST_DOUBLING:.1f} times\n"
    )
    print(f"{'samples':>8}{'ms':>9}{'us a sample':>13}{'ratio':>7}")
    before = None
    for n, value in zip(NETWORKS.ranges["samples"], seconds, strict=True):
        ratio = "" if before is None else f"{value / before:7.2f}  {verdict(value / before <= LARGEST_DOUBLING)}"
        print(f"{n:>8}{1e3 * value:9.1f}{1e6 * value / n:13.2f}{ratio}")
        before = value


def print_memory() -> None:
    """In a process of its own, so that nothing an earlier fit kept can serve again."""
    child = [sys.executable, "-c", "from benchmarks.growth import extra_memory; print(extra_memory())"]
    extra = float(subprocess.run(child, check=True, capture_output=True, text=True).stdout)
    print("\n3 rounds of 500-unit ridge networks, 200,000 samples of 20 features; memory beyond the table:")
    print(f"{extra:.2f} GB, limit {MEMORY_LIMIT} GB: {verdict(extra < MEMORY_LIMIT)}")


def extra_memory() -> float:
    boost_networks(Size(rounds=1)).fit(*draw_clouds(2_000, 20))  # compiled code is no memory of the large fit
    X, y = draw_clouds(200_000, 20)
    tracemalloc.start()  # NumPy reports its arrays to it; a peak of the process would hide what is below an earlier one
    boost_networks(Size(units=500, rounds=3)).fit(X, y)
    return tracemalloc.get_traced_memory()[1] / 1e9


def verdict(met: bool) -> str:
    return "met" if met else "missed"


if __name__ == "__main__":
    print(f"{describe_cpu_code()}\n")
    print_doublings(print_exponents(int(sys.argv[1]) if len(sys.argv) > 1 else 5))
    print_memory()
