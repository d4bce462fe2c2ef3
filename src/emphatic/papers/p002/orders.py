"""Orders of the variants that the paper prints on all its problems, and on which of them they were measured."""

from dataclasses import dataclass
from itertools import pairwise

from emphatic.papers.p002.measured import Measured
from emphatic.papers.p002.problems import POLICIES


@dataclass(frozen=True)
class Order:
    """A figure that falls from one policy to the next."""

    figure: str
    policies: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.figure}: {' > '.join(self.policies)}"


POSITIVES = Order("a+", ("positive", "balanced", "standard"))
BALANCE = Order("g", ("balanced", "standard"))
ORDERS = (POSITIVES, BALANCE)


def check_order(order: Order, found: Measured) -> dict[str, bool]:
    """Whether an order holds, by problem, where all variants are measured."""
    complete = [
        problem
        for problem in dict.fromkeys(name for name, _ in found.figures)
        if all((problem, method) in found.figures for method in POLICIES.values())
    ]
    held = {}
    for problem in complete:
        means = [found.mean(problem, POLICIES[policy], order.figure) for policy in order.policies]
        held[problem] = all(higher > lower for higher, lower in pairwise(means))
    return held
