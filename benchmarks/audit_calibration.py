"""`python -m benchmarks.audit_calibration`: of labels with a suspicion near s, is a share s wrong?

Labels of bundled problems are made wrong in four ways (`benchmarks.label_noise`): none, a tenth and a fifth of them.
The expected calibration error (ECE) is the mean of |mean suspicion - share of wrong labels| over ten bins of equal
width, weighted by their samples; beside it that of ten bins of as many samples each. Labels that were wrong before
count as right. All parameters of the audit were chosen on other problems than `PROBLEMS`.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks.label_noise import KINDS_OF_NOISE, PROBLEMS, flip_labels, read_problem
from emphatic.audit import audit_labels
from emphatic.datasets import names
from emphatic.progress import progress_bar

RATES = (0.0, 0.1, 0.2)
N_BINS = 10

Figures = dict[tuple[str, float], list[tuple[float, float, float]]]
"""By kind of noise and rate, for every problem and seed: both errors, and the mean suspicion."""


def calibration_error(suspicion: np.ndarray, wrong: np.ndarray, bins: np.ndarray) -> float:
    """Mean over the samples of |mean suspicion - share of wrong labels| in their bin (numbered from 0)."""
    counts = np.bincount(bins)
    gaps = np.abs(np.bincount(bins, suspicion) - np.bincount(bins, wrong))
    return float(gaps.sum() / counts.sum())


def measure_errors(suspicion: np.ndarray, wrong: np.ndarray) -> tuple[float, float, float]:
    """Calibration errors by bins of equal width and of equal counts, and the mean suspicion."""
    width = np.minimum((N_BINS * suspicion).astype(int), N_BINS - 1)
    ranks = np.argsort(np.argsort(suspicion, kind="stable"), kind="stable")
    count = N_BINS * ranks // len(ranks)
    errors = [calibration_error(suspicion, wrong, bins) for bins in (width, count)]
    return errors[0], errors[1], float(suspicion.mean())


def measure(problems: Sequence[str], kinds: Sequence[str], seeds: int, figures: Figures) -> Iterator[None]:
    """Fill `figures`, and yield after every audit. Without wrong labels, all kinds of noise are the same."""
    for name in problems:
        X, y = read_problem(name)
        for seed in range(seeds):
            for rate in RATES:
                for kind in kinds if rate else kinds[:1]:
                    given, wrong = flip_labels(kind, X, y, rate, seed)
                    found = measure_errors(audit_labels(X, given, random_state=seed).suspicion, wrong)
                    for one in [kind] if rate else kinds:
                        figures.setdefault((one, rate), []).append(found)
                    yield


def report(figures: Figures, kinds: Sequence[str]) -> list[str]:
    """Lines of a Markdown table: means over problems and seeds, and over kinds of noise."""
    lines = [
        "| wrong labels | ECE 0% | ECE 10% | ECE 20% | mean | equal counts | mean suspicion |",
        "|---|---|---|---|---|---|---|",
    ]
    means = np.array([[np.mean(figures[kind, rate], axis=0) for rate in RATES] for kind in kinds])
    for kind, one in zip((*kinds, "mean"), (*means, means.mean(axis=0))):
        errors = " | ".join(f"{value:.3f}" for value in (*one[:, 0], one[:, 0].mean(), one[:, 1].mean()))
        lines.append(f"| {kind} | {errors} | {', '.join(f'{value:.2f}' for value in one[:, 2])} |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--problems", nargs="+", default=PROBLEMS, choices=names(), metavar="NAME")
    parser.add_argument("--kinds", nargs="+", default=list(KINDS_OF_NOISE), choices=KINDS_OF_NOISE, metavar="KIND")
    parser.add_argument("--markdown", type=Path, help="write the table to this file too")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    figures: Figures = {}
    n_audits = len(options.problems) * options.seeds * (1 + 2 * len(options.kinds))
    with progress_bar("audits", n_audits, show=True) as advance:
        for _ in measure(options.problems, options.kinds, options.seeds, figures):
            advance()
    text = "\n".join(report(figures, options.kinds))
    print(text)
    if options.markdown:
        options.markdown.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
