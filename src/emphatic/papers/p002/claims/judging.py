"""What the judges of claims share: means by problem, and a claim that counts problems."""

from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np

from emphatic.papers.claims import Claim
from emphatic.papers.p002.measured import Measured
from emphatic.papers.p002.orders import Order, check_order
from emphatic.papers.p002.problems import NETWORKS, POLICIES, PROBLEMS

NOT_FINISHED = "not finished"
CLOSE = 2.0
"""Points; the paper's "quite close" leaves out differences of 2.9 and 4.1, and takes in one of 1.4."""

Means = Mapping[str, float]
"""One figure of every method on one problem, by the names of the policies, and "networks"."""

NAMES = {**{method: policy for policy, method in POLICIES.items()}, NETWORKS: "networks"}


def read_means(found: Measured, figure: str, names: Sequence[str]) -> dict[str, Means]:
    """By problem, where all these methods are measured."""
    methods = {NAMES[method]: method for method in NAMES}
    means = {problem: {name: found.mean(problem, methods[name], figure) for name in names} for problem in PROBLEMS}
    return {problem: own for problem, own in means.items() if np.isfinite(list(own.values())).all()}


def count_problems(
    place: str,
    text: str,
    by_problem: Mapping[str, bool],
    needed: int | None = None,
    details: str = "",
    among: Collection[str] = tuple(PROBLEMS),
) -> Claim:
    """A claim that holds if it does on at least `needed` of the problems `among` which it is made, on all if None.

    It cannot be judged while one of them is missing.
    """
    held = {problem: holds for problem, holds in by_problem.items() if problem in among}
    if len(held) < len(among):
        return Claim(place, text, None, NOT_FINISHED)
    n_held, needed = sum(held.values()), len(held) if needed is None else needed
    missed = [PROBLEMS[problem] for problem, holds in held.items() if not holds]
    parts = [f"on {n_held} of {len(held)} problems", f"not on {', '.join(missed)}" if missed else "", details]
    return Claim(place, text, n_held >= needed, "; ".join(part for part in parts if part))


def list_values(values: Mapping[str, float], digits: int = 1) -> str:
    """Of every problem, by its name in the paper.

    >>> list_values({"breast": 1.25, "glass": 2.0})
    'Cancer 1.2, Glass 2.0'
    """
    return ", ".join(f"{PROBLEMS[problem]} {value:.{digits}f}" for problem, value in values.items())


def compare(found: Measured, figure: str, names: Sequence[str], rule: Callable[[Means], bool]) -> dict[str, bool]:
    """Whether a rule holds for the means of a figure, by problem."""
    return {problem: rule(means) for problem, means in read_means(found, figure, names).items()}


def judge_order(place: str, order: Order, found: Measured) -> Claim:
    """Whether an order that the paper prints on all problems holds on all of them."""
    return count_problems(place, f"{order}.", check_order(order, found))
