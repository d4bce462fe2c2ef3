"""Which candidates are tried on a table, in which order."""

import numpy as np

from emphatic.auto.candidates.contract import Candidate
from emphatic.auto.candidates.gradient import GradientTrees
from emphatic.auto.candidates.kernels import KernelRidge
from emphatic.auto.candidates.logistic import Logistic
from emphatic.auto.candidates.networks import Network
from emphatic.auto.candidates.training_data import MANY_ROWS
from emphatic.auto.candidates.trees import BaggedTrees, BoostedTrees
from emphatic.learners.random_tree import Shape

QUICKEST: Candidate = GradientTrees((20, 40), rate=0.2, leaves=8)
"""The first in a search with a budget: a model within the first second, whatever the size of the table."""

QUICK: tuple[Candidate, ...] = (
    GradientTrees((25, 50, 75, 100, 150, 200), rate=0.1),
    GradientTrees((25, 50, 75, 100, 150), rate=0.1),
    GradientTrees((25, 50, 75, 100), rate=0.1),
)
"""The next: a good model of all rows, with as many rounds as there is time for."""

SLOW, FASTER = GradientTrees(), GradientTrees((25, 50, 75, 100, 150, 200, 300), rate=0.1)
"""Small steps gain most where trees lead, and half as many rounds of larger ones nearly as much. Of many classes, each
of which has its own trees, the slow ones would take most of the time of a fit."""

SHARP_ROWS, FEW_HISTOGRAMS = 1000, 500
"""From so many rows on gradient-boosted trees are worth their time; with fewer, trees with random thresholds do as
well. Inputs times classes may be so many: their time grows with it, and on wide tables smooth learners win anyway."""

DEEP = 25
"""Depth of trees that are not limited by it."""

WIDE = 5
"""Inputs per row from which on a table is wide: columns that separate the rows by chance are everywhere then."""

WIDE_CANDIDATES: tuple[Candidate, ...] = (
    KernelRidge("euclidean", 0.5),
    BaggedTrees(),
    Logistic((0.0001, 0.001, 0.01, 0.1, 1.0)),
    KernelRidge("cityblock", 2.0),
    KernelRidge("sqeuclidean", 1.0),
    Network(dropout=0.3, step=0.01),
    BaggedTrees(Shape(tries="all")),
    KernelRidge("cityblock", 0.5),
)
"""Without trees that are boosted, which follow such columns, and with stronger ridges; without a network that took most
of the time."""


def list_candidates(n: int, n_inputs: int, n_classes: int, *, is_quick: bool = False) -> tuple[Candidate, ...]:
    """For a table of n rows. Cheap and different ones come first: a time budget may end the list anywhere.

    With `is_quick`, those that are worth trying after one of `QUICK`.
    """
    if n_inputs > WIDE * n:
        return WIDE_CANDIDATES
    return _list_for_many(n, n_classes, is_quick) if n >= MANY_ROWS else _list_for_few(n, n_inputs, n_classes)


def _list_for_few(n: int, n_inputs: int, n_classes: int) -> tuple[Candidate, ...]:
    depth = int(np.clip(np.log2(n) - 2.0, 6, 12))
    visits = max(1.0, n / 1000)
    candidates: tuple[Candidate, ...] = (
        KernelRidge("euclidean", 0.5),
        BaggedTrees(),
        Logistic(),
        KernelRidge("cityblock", 2.0),
        Network(dropout=0.3, step=0.01).scale_training(visits),
        BoostedTrees(0.5, Shape(depth)),
        KernelRidge("sqeuclidean", 1.0),
        Network(decay=0.03, step=0.03).scale_training(visits),
        BaggedTrees(Shape(tries="all")),
        KernelRidge("cityblock", 0.5),
        BoostedTrees(0.5, Shape(depth, tries="all")),
    )
    sharp = n >= SHARP_ROWS and n_inputs * n_classes <= FEW_HISTOGRAMS
    return (*candidates, GradientTrees((25, 50, 100, 200), rate=0.1, leaves=15, least=0.1)) if sharp else candidates


def _list_for_many(n: int, n_classes: int, is_quick: bool) -> tuple[Candidate, ...]:
    """Each earned its place on tables of 3,000 to 50,000 rows (docs/auto.md); trees and networks lead there."""
    visits = float(np.clip(n / 625, 8, 64))
    network = Network(n_units=256, dropout=0.1, decay=0.01, step=0.005).scale_training(visits)
    leading: tuple[Candidate, ...] = (SLOW if n_classes == 2 else FASTER, network)
    if is_quick:  # there are trees already: first what is unlike them, then only those that are much slower
        leading = (network, SLOW) if n_classes == 2 else (network,)
    return (
        *leading,
        BaggedTrees(Shape(DEEP, tries="all", most_tries=20)),
        Logistic(),
        GradientTrees(rate=0.1, leaves=8, least=0.1),
        Network(decay=0.03, step=0.03).scale_training(visits),
        KernelRidge("cityblock", 2.0, most_units=500),
        BoostedTrees(0.5, Shape(12, tries="all", most_tries=20)),
        Network(dropout=0.3, step=0.01).scale_training(visits),
        KernelRidge("sqeuclidean", 1.0, most_units=500),
    )
