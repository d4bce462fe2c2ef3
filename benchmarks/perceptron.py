"""`python -m benchmarks.perceptron [repeats]`: parallel perceptrons against NumPy, boosted against LightGBM."""

from __future__ import annotations

import sys

import numpy as np
from lightgbm import LGBMClassifier
from sklearn.preprocessing import minmax_scale

from benchmarks.timing import interleaved
from benchmarks.work import count_perceptron_epoch, share_of_limit
from emphatic import RealAdaBoostClassifier
from emphatic.datasets import load
from emphatic.emphasis.pattern_type import PatternType
from emphatic.learners.parallel_perceptron import ParallelPerceptronClassifier
from tools.cpu_code import describe_cpu_code

EPOCHS = 250
ROUNDS = 10
MACHINE, NUMPY = "one machine, 7200 x 21", "plain NumPy"
BOOSTED, TREES = f"{ROUNDS} boosted machines, 2507 x 8", "LightGBM, 100 trees"
MILLISECONDS, OF_NUMPY = 80.0, 0.35
OF_LIGHTGBM, GOAL = 1.5, 1.0


def table(name: str, paper: str, n: int) -> tuple[np.ndarray, np.ndarray]:
    """`n` rows in [0, 1], labels +-1."""
    problem = load(name, paper=paper, numeric=True)
    return minmax_scale(problem.X[:n]), problem.y[:n]


def plain(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """What `ParallelPerceptronClassifier(learning_rate=1e-3, random_state=0)` does, all rows at once in NumPy."""
    rows, n = np.column_stack([X, np.ones(len(X))]), len(X)
    W = np.random.default_rng(0).standard_normal((3, rows.shape[1]))
    W /= np.linalg.norm(W, axis=1, keepdims=True)
    signed, gamma, eta, lowest, previous = rows * y[:, None], 0.05, 1e-3, np.inf, np.inf
    best = W
    for epoch in range(EPOCHS + 1):
        a = signed @ W.T
        right, near = (a > 0).sum(axis=1) > 1, (a > 0) & (a < gamma)
        error = 1.0 - right.mean()
        if error < lowest - 1e-12:
            lowest, best = error, W
        if epoch == EPOCHS:
            break
        W = W + eta * np.where(right[:, None], near, a <= 0).T.astype(float) @ signed
        W /= np.linalg.norm(W, axis=1, keepdims=True)
        gamma = max(1e-6, gamma + eta * (0.25 * right - (near.any(axis=1) & right)).sum() / n)
        eta *= 0.9 if error > previous + 1e-12 else 1.0
        previous = error
    return best


def seconds(repeats: int) -> dict[str, float]:
    thyroid, abalone = table("thyroid", "002", 7200), table("abalone", "000", 2507)
    machine = ParallelPerceptronClassifier(learning_rate=1e-3, n_epochs=EPOCHS, random_state=0)
    assert np.allclose(machine.fit(*thyroid).weights_[0], plain(*thyroid), atol=1e-8)
    ensemble = RealAdaBoostClassifier(
        ParallelPerceptronClassifier(n_epochs=EPOCHS), PatternType("balanced"), n_estimators=ROUNDS, random_state=0
    )
    assert len(ensemble.fit(*abalone).estimators_) == ROUNDS, "growth ended early, the times do not compare"
    trees = LGBMClassifier(n_estimators=100, n_jobs=1, verbose=-1)
    return interleaved(
        {
            MACHINE: lambda: machine.fit(*thyroid),
            NUMPY: lambda: plain(*thyroid),
            BOOSTED: lambda: ensemble.fit(*abalone),
            TREES: lambda: trees.fit(*abalone),
        },
        repeats,
    )


def main(repeats: int) -> None:
    print(f"{describe_cpu_code()}\n")
    found = seconds(repeats)
    work = {  # the last of the errors is known after one more epoch
        MACHINE: count_perceptron_epoch(7200, 21, 3) * (EPOCHS + 1),
        BOOSTED: count_perceptron_epoch(2507, 8, 3) * (ROUNDS * (EPOCHS + 1)),
    }
    shares = {name: f"{share_of_limit(one, found[name]):10.0%}" for name, one in work.items()}
    machine, boosted = found[MACHINE] / found[NUMPY], found[BOOSTED] / found[TREES]
    allowed = max(MILLISECONDS, 1000 * OF_NUMPY * found[NUMPY])
    met = "met" if 1000 * found[MACHINE] <= allowed else "missed"
    print(f"{'ours':34}{'peer':22}{'ratio':>8}{'of limit':>10}   target")
    print(f"{MACHINE:34}{NUMPY:22}{machine:8.2f}{shares[MACHINE]}   {OF_NUMPY:.2f}, or {MILLISECONDS:.0f} ms: {met}")
    met, goal = ("met" if boosted <= bound else "missed" for bound in (OF_LIGHTGBM, GOAL))
    print(f"{BOOSTED:34}{TREES:22}{boosted:8.2f}{shares[BOOSTED]}   {OF_LIGHTGBM:.2f}: {met}; goal {GOAL:.2f}: {goal}")
    print(f"\nOne thread, shortest of {repeats} in turns; milliseconds, machines of 3 perceptrons and {EPOCHS} epochs:")
    for name, value in found.items():
        print(f"  {name:38}{1000 * value:9.1f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
