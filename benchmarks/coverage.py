"""`python -m benchmarks.coverage [partitions]`: how often prediction sets hold the true class, on all bundled problems.

Per problem: the share of the test rows whose set holds their class, and the mean number of classes in a set, for the
coverages 0.8, 0.9 and 0.95; then the same with `per_class=True`, where the coverage is the mean over the classes.
Partitions are those of `benchmarks.peers`: 60% for training, at most 1,500 rows.
"""

from __future__ import annotations

import sys
import warnings

import numpy as np

from benchmarks.peers_problems import DEVELOPMENT, HALVES, StratifiedPartition, problem
from emphatic.auto import EmphaticClassifier
from emphatic.inputs import take_rows

COVERAGES = (0.8, 0.9, 0.95)
MAX_TRAIN = 1_500


def measure_sets(sets: np.ndarray, codes: np.ndarray, *, per_class: bool) -> tuple[float, float]:
    """Coverage, of all rows or as the mean over the classes, and the mean size of a set."""
    held = sets[np.arange(len(codes)), codes]
    covered = np.mean([held[codes == code].mean() for code in np.unique(codes)]) if per_class else held.mean()
    return float(covered), float(sets.sum(axis=1).mean())


def measure_problem(name: str, n_partitions: int) -> np.ndarray:
    """(2, coverages, 2): for all rows and per class, coverage and size; the mean of all partitions."""
    given, found = problem(name), []
    for number in range(n_partitions):
        split = next(iter(StratifiedPartition(number, MAX_TRAIN).splits(given)))
        model = EmphaticClassifier(n_jobs=1, random_state=number)
        model.fit(take_rows(given.X, split.train), given.y[split.train])
        X, codes = take_rows(given.X, split.test), np.searchsorted(model.classes_, given.y[split.test])
        ways = [
            [measure_sets(model.predict_sets(X, one, per_class=way), codes, per_class=way) for one in COVERAGES]
            for way in (False, True)
        ]
        found.append(ways)
    return np.mean(found, axis=0)


def main(n_partitions: int) -> None:
    titles = [f"{one:g}{kind}" for kind in ("", ", per class") for one in COVERAGES]
    print("| problem | " + " | ".join(titles) + " |\n|---|" + "---|" * len(titles))
    halves: dict[str, list[np.ndarray]] = {"development": [], "reporting": []}
    for name in HALVES["all"]:
        found = measure_problem(name, n_partitions)
        halves["development" if name in DEVELOPMENT else "reporting"].append(found)
        print_line(name, found)
    for half, all_found in halves.items():
        print_line(f"mean, {half}", np.mean(all_found, axis=0))


def print_line(name: str, found: np.ndarray) -> None:
    cells = [f"{100 * covered:.1f}% ({size:.2f})" for covered, size in found.reshape(-1, 2)]
    print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # a rare class that is never predicted is no news here
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2)
