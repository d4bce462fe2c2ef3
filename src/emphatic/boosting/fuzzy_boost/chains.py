"""The chains of FuzzyBoost: how many learners each has, and how one is grown."""

from __future__ import annotations

from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from emphatic.base import chosen_classes
from emphatic.boosting.growth import Growth
from emphatic.check import FloatArray, IntArray
from emphatic.margins import effective_sample_size
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


def planned(chains: str, sizes: list[int], r_per_chain: bool) -> list[Chain]:
    """Chains for groups of these sizes; those without learners are left out.

    >>> [tuple(chain) for chain in planned("both", [5], False)]
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


class Grown(NamedTuple):
    """What came of a chain: lists and arrays with an entry for each of its learners, and how its memberships ended."""

    learners: list[Any]
    chosen: IntArray
    """(size, n): the classes that they choose for the training samples."""
    edges: list[float]
    weights: list[FloatArray]
    entropies: list[FloatArray]
    memberships: FloatArray

    @property
    def sample_sizes(self) -> list[float]:
        return [effective_sample_size(one) for one in self.weights]


def grown(chain: Chain, growth: Growth) -> Grown:
    """Grow a chain to its size; on one thread, so that it is the same on every machine and for every `n_jobs`."""
    with one_thread():
        rounds = [(stage, growth.observed["entropies_"]) for stage in islice(growth.stages(), chain.size)]
    stages, entropies = zip(*rounds, strict=True)
    growth.emphasis.update(stages[-1])  # the last learner has its say too
    return Grown(
        [stage.learner for stage in stages],
        np.array([chosen_classes(stage.learner, stage.output) for stage in stages]),
        [stage.edge for stage in stages],
        [stage.training_weights for stage in stages],
        list(entropies),
        growth.emphasis.memberships_,
    )
