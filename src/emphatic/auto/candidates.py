"""Which candidates a search tries, and in which order."""

from __future__ import annotations

import numpy as np

from emphatic.auto.candidate import Candidate
from emphatic.auto.gradient import GradientTrees
from emphatic.auto.kernels import KernelRidge
from emphatic.auto.linear import Logistic
from emphatic.auto.networks import Network
from emphatic.auto.trees import BaggedTrees, BoostedTrees
from emphatic.learners.random_tree import Shape

CHEAPEST = KernelRidge("euclidean", 0.5, most_units=100)
"""What there is always time for: first in a search with a time budget, and none of the others."""

MANY_ROWS = 1000
"""From here on gradient-boosted trees are worth their time; below, those with random thresholds do as well."""

FEW_HISTOGRAMS = 500
"""Inputs times classes: their time grows with it, and on wide tables smooth learners win anyway."""


def candidates_for(n: int, n_inputs: int, n_classes: int) -> tuple[Candidate, ...]:
    """Of a table of n rows. Cheap and different ones come first: a time budget may end the list anywhere.

    Large tables want deeper trees and more steps of training, and pay for them with time in proportion to n.
    """
    depth = int(np.clip(np.log2(n) - 2.0, 6, 12))
    visits = max(1.0, n / 1000)
    candidates: tuple[Candidate, ...] = (
        KernelRidge("euclidean", 0.5),
        BaggedTrees(),
        Logistic(),
        KernelRidge("cityblock", 2.0),
        Network(dropout=0.3, step=0.01).paced(visits),
        BoostedTrees(0.5, Shape(depth)),
        KernelRidge("sqeuclidean", 1.0),
        Network(decay=0.03, step=0.03).paced(visits),
        BaggedTrees(Shape(tries="all")),
        BaggedTrees(Shape(least=3)),
        KernelRidge("cityblock", 0.5),
        BoostedTrees(0.5, Shape(depth, tries="all")),
        BoostedTrees(0.8, Shape(depth)),
    )
    sharp = n >= MANY_ROWS and n_inputs * n_classes <= FEW_HISTOGRAMS
    return (*candidates, GradientTrees()) if sharp else candidates
