"""`python -m benchmarks.audit_large`: what an audit of a large table takes, and what is lost by learning from samples.

Labels of drawn tables are flipped at random, a tenth of them, and the average precision of finding them is measured
beside the CPU time and the memory of one process. With `--training` no model learns from more rows than that, and no
tree is grown on more.
"""

from __future__ import annotations

import argparse
import resource
import time
import warnings
from dataclasses import replace
from functools import partial
from typing import NamedTuple
from unittest.mock import patch

import numpy as np
from sklearn.metrics import average_precision_score

from benchmarks.large_drawn import DEVELOPMENT
from emphatic.audit import audit_labels, labels, panel, scoring
from emphatic.audit.panel import Panel, choose_panel, large_panel

RATE = 0.1


class Row(NamedTuple):
    """What was measured for one table."""

    name: str
    n: int
    training: str
    precision: float
    seconds: float
    megabytes: float

    def format(self) -> str:
        """As a line of a Markdown table."""
        figures = f"{self.precision:.3f} | {self.seconds:.0f} s | {self.megabytes:.0f} MB"
        return f"| {self.name.removeprefix('drawn_')} | {self.n:,} | {self.training} | {figures} |"


def flip(y: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Labels of which a tenth became another class, and which ones."""
    rng = np.random.default_rng(seed)
    n_classes = y.max() + 1
    wrong = rng.random(len(y)) < RATE
    return np.where(wrong, (y + rng.integers(1, n_classes, len(y))) % n_classes, y), wrong


def choose_sampled(most_rows: int, estimator: object, n_inputs: int, n_classes: int, n_rows: int) -> Panel:
    """The panel of large tables, with samples of at most so many rows."""
    return replace(large_panel(n_inputs, n_classes, n_rows), most_rows=most_rows)


def measure(name: str, n: int, seed: int, training: int | None, n_jobs: int) -> Row:
    """Audit the first n rows of a drawn table; CPU time and memory are those of this process alone."""
    X, y = DEVELOPMENT[name](n, seed)
    given, wrong = flip(y, seed)
    choose = choose_panel if training is None else partial(choose_sampled, training)
    kernel_rows = min(scoring.MOST_KERNEL_ROWS, training or scoring.MOST_KERNEL_ROWS)
    tree_rows = min(panel.MOST_GROWN, training or panel.MOST_GROWN)
    start = time.process_time()
    with (
        patch.object(labels, "choose_panel", choose),
        patch.object(scoring, "MOST_KERNEL_ROWS", kernel_rows),
        patch.object(panel, "MOST_GROWN", tree_rows),
    ):
        found = audit_labels(X, given, random_state=seed, n_jobs=n_jobs)
    seconds = time.process_time() - start
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    precision = float(average_precision_score(wrong, found.suspicion))
    return Row(name, n, "" if training is None else f"{training:,}", precision, seconds, megabytes)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", nargs="+", default=["drawn_clusters"], choices=DEVELOPMENT, metavar="NAME")
    parser.add_argument("--rows", nargs="+", type=int, default=[20_000, 100_000])
    parser.add_argument("--training", nargs="+", type=int, default=[None], help="rows that models learn from at most")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1, help="with more than one, their time and memory is not counted")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print("| table | rows | learnt from | average precision | CPU time | memory |\n|---|---|---|---|---|---|")
    for name in options.tables:
        for n in options.rows:
            for training in options.training:
                print(measure(name, n, options.seed, training, options.jobs).format(), flush=True)


if __name__ == "__main__":
    main()
