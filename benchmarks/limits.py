"""`python -m benchmarks.limits`: what one thread of this machine does per second, whoever programs it.

Products of matrices by BLAS, chains of fused multiply-adds, exponentials, and bytes that are read or written, each in
float32 and float64. Other benchmarks state how near to the best of these rates they come (`benchmarks.work`).

NumPy's exponential is no limit: on some processors it computes one number at a time. A vectorised one takes about 16
fused multiply-adds in float64 (to reduce the range, for a polynomial, to scale) and 10 in float32, so the limit is what
the best rate of floating-point operations allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from time import process_time
from typing import Any

import numpy as np
from numba import njit
from scipy.linalg import get_blas_funcs

from tools.cpu_code import describe_cpu_code

TYPES = ("float32", "float64")
FLOP, EXPONENTIALS, CACHED, LARGE = "flop", "exponentials", "bytes in a cache", "bytes in memory"
STEPS_PER_EXPONENTIAL = {"float32": 10, "float64": 16}
STEPS = 16
"""Fused multiply-adds of one chain."""
BYTES = {CACHED: 2**19, LARGE: 2**28}
"""What fits into a second-level cache, and what fits into none."""

Action = Callable[[], Any]


@dataclass(frozen=True)
class Rate:
    """How much of some kind is done per second, in numbers of some type."""

    kind: str
    name: str
    dtype: str
    value: float


@dataclass(frozen=True)
class Limits:
    """The best rates per second: of floating-point operations and exponentials by type, of bytes by where they are."""

    flops: dict[str, float]
    exponentials: dict[str, float]
    cached_bytes: float
    large_bytes: float

    @classmethod
    def of(cls, rates: list[Rate]) -> Limits:
        """The best of what was measured."""

        def find_best(kinds: tuple[str, ...], types: tuple[str, ...] = TYPES) -> float:
            return max(rate.value for rate in rates if rate.kind in kinds and rate.dtype in types)

        flops = {dtype: find_best((FLOP,), (dtype,)) for dtype in TYPES}
        exponentials = {
            dtype: max(flops[dtype] / (2 * STEPS_PER_EXPONENTIAL[dtype]), find_best((EXPONENTIALS,), (dtype,)))
            for dtype in TYPES
        }
        return cls(flops, exponentials, find_best((CACHED, LARGE)), find_best((LARGE,)))

    def find_bandwidth(self, n_bytes: float) -> float:
        """Bytes per second for so many bytes: that of a cache, unless no cache would hold them."""
        return self.large_bytes if n_bytes >= BYTES[LARGE] else self.cached_bytes


def find_shortest(action: Action, repeats: int = 10) -> float:
    """Seconds of the processor per call: the shortest mean of batches of a millisecond or more."""
    calls = 1
    while (taken := _time(action, calls)) < 1e-3:
        calls *= 2
    return min(taken, *(_time(action, calls) for _ in range(repeats))) / calls


def _time(action: Action, calls: int) -> float:
    start = process_time()
    for _ in range(calls):
        action()
    return process_time() - start


Item = tuple[str, str, float, Action]
"""Kind, name, how much of the kind a call does, and the call."""


def list_products(dtype: str) -> Iterator[Item]:
    """Products of matrices by BLAS: large ones, and those of 50 units with the 2507 samples of `benchmarks.speed`."""
    rng = np.random.default_rng(0)
    for rows, inner, columns in ((1024, 1024, 1024), (50, 2507, 50), (50, 8, 2507)):
        one, other = rng.random((rows, inner)).astype(dtype), rng.random((inner, columns)).astype(dtype)
        multiply = partial(np.dot, one, other, out=np.empty((rows, columns), dtype))
        yield FLOP, f"GEMM {rows} x {inner} x {columns}", 2.0 * rows * inner * columns, multiply
    for rows, inner in ((1024, 1024), (50, 2507)):
        matrix = np.asfortranarray(rng.random((inner, rows)), dtype=dtype)
        multiply = partial(get_blas_funcs("syrk", (matrix,)), 1.0, matrix, trans=1)
        yield FLOP, f"SYRK {rows} x {inner}", 1.0 * rows * (rows + 1) * inner, multiply


@njit(cache=True, fastmath={"contract"})
def evaluate_chains(values: np.ndarray, coefficients: np.ndarray, results: np.ndarray) -> None:
    """A polynomial at every value: STEPS fused multiply-adds, each of which needs the one before."""
    for i in range(len(values)):
        total = coefficients[0]
        for k in range(1, STEPS + 1):
            total = total * values[i] + coefficients[k]
        results[i] = total


def list_functions(dtype: str) -> Iterator[Item]:
    """Polynomials and exponentials of numbers in the cache."""
    values = np.linspace(-20.0, 0.0, 2**15, dtype=dtype)
    coefficients, results = np.linspace(0.1, 1.0, STEPS + 1, dtype=dtype), np.empty_like(values)
    chains = partial(evaluate_chains, values, coefficients, results)
    yield FLOP, f"multiply-adds, {STEPS} per number", 2.0 * STEPS * len(values), chains
    yield EXPONENTIALS, "np.exp", 1.0 * len(values), partial(np.exp, values, out=results)


def list_transfers(dtype: str, kind: str) -> Iterator[Item]:
    """Reading two arrays, writing one, and a triad: y + a x in the place of y, which reads two and writes one."""
    n_bytes = BYTES[kind]
    x, y = np.ones((2, n_bytes // np.dtype(dtype).itemsize // 2), dtype)
    dot, axpy = get_blas_funcs(("dot", "axpy"), (x, y))
    size = f"{n_bytes / 2**20:g} MB"
    yield kind, f"{size}: read", 1.0 * n_bytes, partial(dot, x, y)
    yield kind, f"{size}: write", n_bytes / 2.0, partial(x.fill, 1.0)
    yield kind, f"{size}: triad", 1.5 * n_bytes, partial(axpy, x, y, a=1e-3)


def measure_rates() -> list[Rate]:
    """All of them, in the order of the table, for one type and then for the other."""
    rates = []
    for dtype in TYPES:
        lists = list_products(dtype), list_functions(dtype), list_transfers(dtype, CACHED), list_transfers(dtype, LARGE)
        for items in lists:
            for kind, name, amount, action in items:
                action()  # compiles, and asks the system for memory
                rates.append(Rate(kind, name, dtype, amount / find_shortest(action)))
    return rates


@cache
def measure_limits() -> Limits:
    """Those of this machine, measured once per process."""
    return Limits.of(measure_rates())


def main() -> None:
    print(f"{describe_cpu_code()}\n")
    rates = measure_rates()
    limits, half = Limits.of(rates), len(rates) // len(TYPES)
    print(f"{'one thread, 10^9 per second':34}{TYPES[0]:>9}{TYPES[1]:>9}")
    for single, double in zip(rates[:half], rates[half:], strict=True):
        print(f"{single.name:34}{single.value / 1e9:9.2f}{double.value / 1e9:9.2f}  {single.kind}")
    print("\nlimits, by which shares are stated")
    for kind, found in ((FLOP, limits.flops), (EXPONENTIALS, limits.exponentials)):
        print(f"{kind:34}{found[TYPES[0]] / 1e9:9.2f}{found[TYPES[1]] / 1e9:9.2f}")
    for kind, value in ((CACHED, limits.cached_bytes), (LARGE, limits.large_bytes)):
        print(f"{kind:34}{value / 1e9:9.2f}{value / 1e9:9.2f}")


if __name__ == "__main__":
    main()
