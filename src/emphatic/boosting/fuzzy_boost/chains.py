"""The chains of FuzzyBoost: the memberships they start from, how many learners each has, and how one is grown."""

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

import numpy as np

from emphatic.base import Stage
from emphatic.boosting.growth import Growth
from emphatic.boosting.training import train_all
from emphatic.check import FloatArray, IntArray
from emphatic.clustering import align, class_memberships, deflect
from emphatic.emphasis import FuzzyEntropy
from emphatic.emphasis.fuzzy_entropy import coordinates, over_classes
from emphatic.randomness import child_generator
from emphatic.threads import one_thread

ORDERS = {"both": ("hard", "easy"), "shared": ("alternate",), "hard": ("hard",), "easy": ("easy",)}
"""The chains that grow from one group of memberships."""


class Chain(NamedTuple):
    """Learners that follow each other: from which memberships, in which order of `FuzzyEntropy`, and how many."""

    group: int
    order: str
    size: int

    def rng(self, entropy: int) -> np.random.Generator:
        """Random draws of its own, the same whichever chains grow beside it."""
        return child_generator(entropy, self.group, ("hard", "easy", "alternate").index(self.order))


def group_sizes(n_estimators: int, n_groups: int) -> list[int]:
    """Learners of each group of memberships: equal shares, and what is left over in the last.

    >>> group_sizes(30, 1), group_sizes(30, 4), group_sizes(2, 3)
    ([30], [7, 7, 7, 9], [0, 0, 2])
    """
    share = n_estimators // n_groups
    return [share] * (n_groups - 1) + [n_estimators - (n_groups - 1) * share]


def plan_chains(chains: str, sizes: list[int], r_per_chain: bool) -> list[Chain]:
    """Chains for groups of these sizes; those without learners are left out.

    >>> [tuple(chain) for chain in plan_chains("both", [5], False)]
    [(0, 'hard', 3), (0, 'easy', 2)]
    """
    orders = ORDERS[chains]
    times = 2 if r_per_chain and chains in ("both", "shared") else 1
    every = [
        Chain(group, order, (times * size + len(orders) - 1 - place) // len(orders))
        for group, size in enumerate(sizes)
        for place, order in enumerate(orders)
    ]
    return [chain for chain in every if chain.size]


class GrownChain(NamedTuple):
    """A grown chain: its stages, and its memberships after the last one."""

    stages: list[Stage]
    memberships: FloatArray


def grow_chain(X: Any, y: IntArray, prior: FloatArray, chain: Chain, settings: Mapping[str, Any]) -> GrownChain:
    """Grow a chain to its size; on one thread, so that it is the same on every machine and for every `n_jobs`.

    `settings` are those of a `Growth`.
    """
    growth = Growth(X, y, prior=prior, **settings)
    stages: list[Stage] = []
    with one_thread():
        while len(stages) < chain.size:  # with equal votes every learner is kept: every round has a stage
            stages.append(cast(Stage, growth.tell(train_all(growth.ask()))))
    growth.emphasis.update(stages[-1])  # the last learner moves the memberships, too
    return GrownChain(stages, cast(FuzzyEntropy, growth.emphasis).memberships_)


def start_groups(
    X: Any,
    y: IntArray,
    n_classes: int,
    weights: FloatArray,
    *,
    n_deflections: int,
    fuzziness: float,
    init: str,
    relaxation: float,
    aligned: bool,
    seed: int,
) -> FloatArray:
    """(groups, n, K): memberships of the samples in their classes, of which every group is another minimum."""
    points = coordinates(X)
    present, codes = np.unique(y, return_inverse=True)
    first = class_memberships(
        points, codes, len(present), m=fuzziness, init=init, random_state=seed, sample_weight=weights
    )
    groups = deflect(
        points,
        len(present),
        n_deflections=n_deflections,
        m=fuzziness,
        relaxation=relaxation,
        aligned=aligned,
        first=first,
        random_state=seed,
    )
    groups = np.array([align(group, codes, len(present), sample_weight=weights) for group in groups])
    return over_classes(groups, present, n_classes)
