"""`python -m benchmarks.speed [repeats]`: our times over those of peers, beside the targets."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np
from lightgbm import LGBMClassifier
from sklearn.ensemble import AdaBoostClassifier
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.preprocessing import StandardScaler

from benchmarks.timing import interleaved
from benchmarks.work import Work, count_activations, count_descent_round, count_rbf_round, share_of_limit
from emphatic import RBFNetworkClassifier, RealAdaBoostClassifier
from emphatic.datasets import load
from emphatic.emphasis import Mixed
from emphatic.learners import SampledCentres
from emphatic.learners.rbf_units import Table, Units
from tools.cpu_code import describe_cpu_code

ROUNDS, SAMPLES, FEATURES, UNITS = 100, 2507, 8, 50
ACTIVATED = 10_000, 256, 400
"""Samples, features and units of the activations."""


@dataclass(frozen=True)
class Ratio:
    """Time of `ours` over that of `peer`, which should be at most `target`: with AVX-512, and without it."""

    ours: str
    peer: str
    target: float
    without: float | None = None
    """None: the same."""

    def find_target(self, avx512: bool) -> float:
        return self.target if avx512 or self.without is None else self.without


RATIOS = (
    Ratio("100 rounds of 50-unit ridge networks", "LightGBM, 100 trees", 0.7, 1.0),
    Ratio("100 rounds of 50-unit ridge networks", "scikit-learn AdaBoost, 100 stumps", 0.25),
    Ratio("100 rounds of 50-unit sgd networks", "100 rounds of 50-unit ridge networks", 2.5),
    Ratio("Gaussian activations", "scikit-learn rbf_kernel", 1 / 1.6),
)


def count_work() -> dict[str, Work]:
    """Of ours, by name."""
    n, d, k = ACTIVATED
    epochs = RBFNetworkClassifier().n_epochs
    return {
        "100 rounds of 50-unit ridge networks": count_rbf_round(SAMPLES, FEATURES, UNITS) * ROUNDS,
        "100 rounds of 50-unit sgd networks": count_descent_round(SAMPLES, FEATURES, UNITS, epochs) * ROUNDS,
        "Gaussian activations": count_activations(n, d, k) + Work(bytes=8 * n * (d + k)),
    }


def abalone(n: int = SAMPLES) -> tuple[np.ndarray, np.ndarray]:
    """`n` standardised rows of the table of paper 000, labels +-1."""
    problem = load("abalone", paper="000", numeric=True)
    return StandardScaler().fit_transform(problem.X[:n]), problem.y[:n]


def boosted(solver: str) -> RealAdaBoostClassifier:
    network = RBFNetworkClassifier(SampledCentres(n_centres=UNITS), solver=solver)
    return RealAdaBoostClassifier(network, Mixed(0.5), n_estimators=ROUNDS, random_state=0)


def fit_times(repeats: int) -> dict[str, float]:
    X, y = abalone()
    rounds = {solver: len(boosted(solver).fit(X, y).estimators_) for solver in ("ridge", "sgd")}
    assert set(rounds.values()) == {ROUNDS}, f"growth ended early, the times do not compare: {rounds}"
    trees = LGBMClassifier(n_estimators=ROUNDS, n_jobs=1, verbose=-1)
    return interleaved(
        {
            "100 rounds of 50-unit ridge networks": lambda: boosted("ridge").fit(X, y),
            "100 rounds of 50-unit sgd networks": lambda: boosted("sgd").fit(X, y),
            "LightGBM, 100 trees": lambda: trees.fit(X, y),
            "scikit-learn AdaBoost, 100 stumps": lambda: AdaBoostClassifier(n_estimators=ROUNDS).fit(X, y),
        },
        repeats,
    )


def activation_times(repeats: int) -> dict[str, float]:
    rng, (n, n_features, n_units) = np.random.default_rng(0), ACTIVATED
    X, centres = rng.normal(size=(n, n_features)), rng.normal(size=(n_units, n_features))
    widths = np.full(len(centres), 16.0)
    gamma = 0.5 / 16.0**2
    table, root = Table(X, np.arange(len(X)) % 2, 2), np.ones(len(X))

    def activations() -> list[np.ndarray]:
        """Those of a training set, block by block."""
        units = Units(table, centres)
        units.widths = widths
        return [block for _, block in units.activations(root)]

    assert np.allclose(np.hstack(activations()).T, rbf_kernel(X, centres, gamma), rtol=1e-10)
    return interleaved(
        {
            "Gaussian activations": activations,
            "scikit-learn rbf_kernel": lambda: rbf_kernel(X, centres, gamma),
        },
        repeats,
    )


def main(repeats: int) -> None:
    print(f"{describe_cpu_code()}\n")
    seconds, work = {**fit_times(repeats), **activation_times(repeats)}, count_work()
    avx512 = "X86_V4" in describe_cpu_code() or "AVX512" in describe_cpu_code()
    print(f"{'ours':38}{'peer':38}{'ratio':>8}{'of limit':>10}{'target':>8}")
    for ratio in RATIOS:
        value, share = seconds[ratio.ours] / seconds[ratio.peer], share_of_limit(work[ratio.ours], seconds[ratio.ours])
        target = ratio.find_target(avx512)
        met = "met" if value <= target else "missed"
        print(f"{ratio.ours:38}{ratio.peer:38}{value:8.2f}{share:10.0%}{target:8.2f}  {met}")
    print(f"\nOne thread, shortest of {repeats} in turns; milliseconds (they depend on the machine, ratios less so):")
    for name, value in seconds.items():
        print(f"  {name:38}{1000 * value:9.1f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
