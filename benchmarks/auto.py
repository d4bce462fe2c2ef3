"""`python -m benchmarks.auto [repeats]`: EmphaticClassifier's time beside LightGBM's, its growth, and a large fit."""

from __future__ import annotations

import subprocess
import sys
import warnings
from time import perf_counter

import numpy as np
from lightgbm import LGBMClassifier
from sklearn.datasets import make_classification
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline

from benchmarks.exponents import fit_exponent
from benchmarks.growth import verdict
from benchmarks.timing import interleaved
from emphatic.auto import EmphaticClassifier
from emphatic.datasets import load
from emphatic.inputs import take_rows
from emphatic.tables import TableTransformer
from tools.cpu_code import describe_cpu_code

PROBLEMS = (
    *("autos", "balance_scale", "breast_cancer_ljubljana", "diabetes", "glass", "heart_statlog", "image"),
    *("ionosphere", "labor", "ripley", "splice", "thyroid", "vote", "zoo"),
)
"""Those that choices were made on."""

LARGEST_FIT, LARGEST_PREDICT = 15.0, 1.0
SIZES = (5_000, 10_000, 20_000, 40_000, 80_000)
LARGEST_EXPONENT = 1.1
MANY, SECONDS_LIMIT, MEMORY_LIMIT = 1_000_000, 600.0, 8.0


def peer() -> object:
    return make_pipeline(TableTransformer(), LGBMClassifier(n_jobs=1, verbose=-1))


def ours() -> EmphaticClassifier:
    return EmphaticClassifier(random_state=0)


def times(name: str, repeats: int) -> tuple[int, dict[str, float], dict[str, float]]:
    """Rows, seconds to fit and seconds to predict."""
    problem = load(name)
    train, test = train_test_split(np.arange(len(problem.y)), test_size=0.4, random_state=0)
    X, y, asked = take_rows(problem.X, train), problem.y[train], take_rows(problem.X, test)
    fits = interleaved({"ours": lambda: ours().fit(X, y), "peer": lambda: peer().fit(X, y)}, repeats)
    one, other = ours().fit(X, y), peer().fit(X, y)
    asks = {"ours": lambda: one.predict_proba(asked), "peer": lambda: other.predict_proba(asked)}
    return len(train), fits, interleaved(asks, 5 * repeats)


def print_ratios(repeats: int) -> None:
    print(f"{'problem':>24}{'rows':>7}{'fit s':>8}{'ratio':>7}{'predict ms':>12}{'ratio':>7}")
    seconds, fit_ratios, predict_ratios = [], [], []
    for name in PROBLEMS:
        n, fits, asks = times(name, repeats)
        seconds.append(fits["ours"])
        fit_ratios.append(fits["ours"] / fits["peer"])
        predict_ratios.append(asks["ours"] / asks["peer"])
        found = f"{fits['ours']:8.2f}{fit_ratios[-1]:7.1f}{1e3 * asks['ours']:12.2f}{predict_ratios[-1]:7.2f}"
        print(f"{name:>24}{n:>7}{found}", flush=True)
    fit, predict = np.median(fit_ratios), np.median(predict_ratios)
    print(f"\nmedian fit {np.median(seconds):.2f} s, {fit:.1f} times LightGBM's: {verdict(fit <= LARGEST_FIT)}")
    print(f"median predict {predict:.2f} times LightGBM's: {verdict(predict <= LARGEST_PREDICT)}")
    print("no share of a limit: which models are tried and blended, and what they cost, differs from table to table")


def clusters(n: int) -> tuple[np.ndarray, np.ndarray]:
    table: tuple[np.ndarray, np.ndarray] = make_classification(
        n, 20, n_informative=10, n_redundant=4, n_clusters_per_class=4, flip_y=0.05, random_state=0
    )
    return table


def print_growth(repeats: int) -> None:
    tables = {str(n): clusters(n) for n in SIZES}
    seconds = interleaved({n: lambda table=table: ours().fit(*table) for n, table in tables.items()}, repeats)
    print(f"\n{'rows':>8}{'fit s':>9}   20 inputs")
    for n, value in seconds.items():
        print(f"{n:>8}{value:9.2f}")
    exponent = fit_exponent(SIZES, list(seconds.values()))
    met = verdict(exponent.value <= LARGEST_EXPONENT)
    print(f"time grows as n^p, p = {exponent}, limit {LARGEST_EXPONENT}: {met}")


def print_large() -> None:
    """In a process of its own, whose largest memory is that of this fit."""
    child = [sys.executable, "-c", "from benchmarks.auto import large; print(*large())"]
    answer = subprocess.run(child, check=True, capture_output=True, text=True).stdout.split()
    seconds, memory = map(float, answer)
    limit = f"limit {SECONDS_LIMIT:.0f}: {verdict(seconds < SECONDS_LIMIT)}"
    print(f"\n{MANY:,} rows of 20 inputs, two threads: {seconds:.0f} s, {limit}")
    print(f"largest memory of the process {memory:.2f} GB, limit {MEMORY_LIMIT:.0f}: {verdict(memory < MEMORY_LIMIT)}")


def large() -> tuple[float, float]:
    import resource

    X, y = clusters(MANY)
    start = perf_counter()
    ours().set_params(n_jobs=2).fit(X, y)
    return perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # LightGBM's, of feature names
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    print(f"{describe_cpu_code()}\n")
    print_ratios(repeats)
    print_growth(max(1, repeats // 3))
    print_large()
