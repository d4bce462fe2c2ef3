"""A cheap model of the labels with a closed form for every row left out: a kernel ridge classifier."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from sklearn.model_selection import GroupKFold

from emphatic.blending.ridge import Features, Kernel, RidgePath, draw_units, encode_targets
from emphatic.blending.temperature import calibrate
from emphatic.check import FloatArray, IntArray

KERNEL = Kernel("cityblock", 2.0)
"""A member of the audit's panel."""

MOST_PRODUCTS, LEAST_UNITS = 4e9, 100
"""Rows times squared units at most, about a second: fewer than a thousand units above 4,000 rows, but not below 100."""

N_FOLDS = 5


class KernelModel:
    """Ridge regression on kernel features, one output per class: 1 for the class of a row, -1 for the others.

    Attributes
    ----------
    path : the regression, for every ridge
    ridge : the one whose left-out scores have the lowest log loss
    scores : (n, K) on each row of the model without it
    """

    def __init__(self, path: RidgePath, codes: IntArray) -> None:
        self.path, self.codes = path, codes
        self.scores, self.ridge = path.choose_ridge(codes, path.weights)

    @classmethod
    def fit(cls, inputs: FloatArray, codes: IntArray, n_classes: int, rng: np.random.Generator) -> KernelModel:
        """Fit it to all rows; above a thousand of them, units are drawn (Nystroem's approximation)."""
        n_units = max(LEAST_UNITS, int(np.sqrt(MOST_PRODUCTS / len(codes))))
        units = draw_units(len(codes), n_units * len(codes), rng)
        Z = Features.of(KERNEL.activations(inputs, units), units).Z
        return cls(RidgePath(Z, encode_targets(codes, n_classes), np.ones(len(codes))), codes)

    @cached_property
    def probabilities(self) -> FloatArray:
        """(n, K) of the model without the row."""
        return calibrate(self.scores, self.codes)

    def predict_other_groups(self, groups: IntArray) -> FloatArray:
        """Probabilities (n, K) of models that were trained without the group of a row, in at most five folds."""
        path, scores = self.path, np.empty_like(self.path.targets)
        n_folds = min(N_FOLDS, int(groups.max()) + 1)
        for train, test in GroupKFold(n_folds).split(groups, groups=groups):
            others = RidgePath(path.Z[train], path.targets[train], path.weights[train])
            scores[test] = path.Z[test] @ others.solution(self.ridge)
        return calibrate(scores, self.codes)
