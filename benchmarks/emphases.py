"""`python -m benchmarks.emphases [repeats]`: how much of a fit's time each emphasis and its vote take.

Counted is the time of the processor inside `start`, `update` and `observe` of the emphasis and `choose` of the vote,
over that of the whole fit; each is the shortest of several, taken in turns.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import wraps
from importlib.util import find_spec
from pathlib import Path
from time import process_time
from typing import Any
from unittest.mock import patch

import numpy as np
from sklearn.tree import DecisionTreeClassifier

import emphatic.emphasis
from benchmarks.pages import write_figures
from emphatic import ParallelPerceptronClassifier, RealAdaBoostClassifier
from emphatic.base import Emphasis, Vote
from emphatic.boosting.growth import NAMED_VOTES
from emphatic.emphasis import Annealed, Exponential, Mixed
from tools.cpu_code import describe_cpu_code

ROWS, COLUMNS, ROUNDS = 2507, 8, 30
LARGEST_SHARE = 0.03
EXEMPT = "SoftMargin"
"""Solves an optimisation problem for all votes in every round."""

WRAPPERS = ("Averaged", "Capped", "Guided", "Neighbour", "Oversampled", "Undersampled")


@dataclass
class Clock:
    """Adds up the time inside the functions that it times."""

    seconds: float = 0.0
    running: bool = field(default=False, repr=False)

    def time(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def timed(*arguments: Any) -> Any:
            if self.running:  # one of its functions called another, which counts already
                return function(*arguments)
            self.running, start = True, process_time()
            try:
                return function(*arguments)
            finally:
                self.running, self.seconds = False, self.seconds + process_time() - start

        return timed


@dataclass
class Cost:
    """Shortest times of an emphasis with its vote, and of the fit that uses them."""

    rounds: int = 0
    inside: float = float("inf")
    whole: float = float("inf")

    @property
    def share(self) -> float:
        return self.inside / self.whole


def list_emphases() -> list[Emphasis]:
    """All that are public, with the parameters that they have by default; wrappers around Real AdaBoost's own."""
    found: list[Emphasis] = []
    for name in emphatic.emphasis.__all__:
        kind = getattr(emphatic.emphasis, name)
        if name == "Annealed":
            found.append(Annealed(Mixed(0.7), Mixed(0.3), rounds=ROUNDS))
        elif name != "Oversampled" or find_spec("imblearn") is not None:
            found.append(kind(Exponential()) if name in WRAPPERS else kind())
    return found


def draw_table(n: int = ROWS) -> tuple[np.ndarray, np.ndarray]:
    """Two classes with a curved boundary, a tenth of the labels wrong."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, COLUMNS))
    y = X[:, 0] * X[:, 1] + X[:, 2] > 0
    return X, (y ^ (rng.random(n) < 0.1)).astype(int)


def make_model(emphasis: Emphasis) -> RealAdaBoostClassifier:
    tree = DecisionTreeClassifier(max_depth=3)
    learner = tree if isinstance(tree, emphasis.learner_type) else ParallelPerceptronClassifier()
    return RealAdaBoostClassifier(learner, emphasis, n_estimators=ROUNDS, random_state=0)


def measure(emphasis: Emphasis, X: np.ndarray, y: np.ndarray) -> Cost:
    """One fit."""
    clock, model = Clock(), make_model(emphasis)
    vote: str | Vote = emphasis.vote
    voter = NAMED_VOTES[vote] if isinstance(vote, str) else vote
    timed = [(type(emphasis), name) for name in ("start", "update", "observe")] + [(type(voter), "choose")]
    with ExitStack() as stack:
        for kind, name in timed:
            stack.enter_context(patch.object(kind, name, clock.time(getattr(kind, name))))
        start = process_time()
        model.fit(X, y)
        whole = process_time() - start
    return Cost(len(model.estimators_), clock.seconds, whole)


def measure_all(emphases: Sequence[Emphasis], repeats: int, n: int = ROWS) -> dict[str, Cost]:
    """Costs by the text of the emphasis; a first, uncounted turn compiles and warms the caches."""
    X, y = draw_table(n)
    costs = {repr(one): Cost() for one in emphases}
    for turn in range(repeats + 1):
        for one in emphases:
            found, best = measure(one, X, y), costs[repr(one)]
            if turn > 0:
                best.rounds, best.inside = found.rounds, min(best.inside, found.inside)
                best.whole = min(best.whole, found.whole)
    return costs


def report(costs: dict[str, Cost], repeats: int) -> list[str]:
    """A table in Markdown, and a verdict."""
    lines = [
        "| emphasis | rounds | ms of the emphasis and its vote, a round | share of the fit |",
        "|---|---:|---:|---:|",
    ]
    for name, cost in costs.items():
        lines.append(f"| `{name}` | {cost.rounds} | {1e3 * cost.inside / cost.rounds:.3f} | {cost.share:.1%} |")
    above = [name for name, cost in costs.items() if cost.share > LARGEST_SHARE and not name.startswith(EXEMPT)]
    verdict = f"missed by {', '.join(f'`{name}`' for name in above)}" if above else "met"
    limit = f"At most {LARGEST_SHARE:.0%} of the fit, for all but `{EXEMPT}`"
    return [*lines, "", f"{limit}: {verdict}. Shortest of {repeats}, one thread."]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repeats", nargs="?", type=int, default=5)
    parser.add_argument("--markdown", type=Path, help="fill in the figures of this page, such as docs/emphases.md")
    options = parser.parse_args()
    print(f"{describe_cpu_code()}\n")
    lines = report(measure_all(list_emphases(), options.repeats), options.repeats)
    print("\n".join(lines))
    print("No share of a limit: what an emphasis computes differs from one to the next, and trees compare.")
    if options.markdown:
        write_figures(options.markdown, lines, "benchmarks.emphases")


if __name__ == "__main__":
    main()
