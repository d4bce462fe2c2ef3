"""`python -m benchmarks.search [repeats]`: searching H, alpha and beta with shared work, against scikit-learn's own."""

from __future__ import annotations

import sys

from sklearn.model_selection import GridSearchCV, StratifiedKFold

from benchmarks.timing import interleaved
from emphatic import MLPNetworkClassifier, RealAdaBoostClassifier
from emphatic.datasets import load
from emphatic.emphasis import Controlled
from emphatic.selection import EnsembleSearchCV
from tools.cpu_code import describe_cpu_code

GRID = {
    "estimator__n_hidden": [2, 4, 8],
    "emphasis__alpha": [0.0, 0.5, 1.0],
    "emphasis__beta": [0.0, 0.5, 1.0],
    "n_estimators": [10, 20],
}
OURS, PEER = "EnsembleSearchCV", "GridSearchCV"


def main(repeats: int) -> None:
    print(f"{describe_cpu_code()}\n")
    problem = load("ripley", paper="001")
    X, y = problem.X[problem.train], problem.y[problem.train]
    boosted = RealAdaBoostClassifier(MLPNetworkClassifier(max_epochs=200, stall=50), Controlled(), random_state=0)
    cv = StratifiedKFold(5, shuffle=True, random_state=0)
    ours, peer = EnsembleSearchCV(boosted, GRID, cv=cv), GridSearchCV(boosted, GRID, cv=cv)
    seconds = interleaved({OURS: lambda: ours.fit(X, y), PEER: lambda: peer.fit(X, y)}, repeats)
    print(f"{OURS} is {seconds[PEER] / seconds[OURS]:.2f} times faster than {PEER}")
    print(f"  {ours.search_}; one thread, shortest of {repeats}: {seconds[OURS]:.2f} s against {seconds[PEER]:.2f} s")
    print(
        "  no share of a limit: how many epochs a candidate needs, and which of them it shares, is found by searching"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2)
