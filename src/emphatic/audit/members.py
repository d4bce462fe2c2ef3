"""The panel: which models give an opinion on the labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

from emphatic.blending.ridge import Kernel
from emphatic.boosting.real_adaboost import RealAdaBoostClassifier
from emphatic.emphasis import Mixed, Uniform
from emphatic.learners import MLPNetworkClassifier, RBFNetworkClassifier, SampledCentres


@dataclass(frozen=True)
class Panel:
    """Models of three sorts, by how they come to judge samples that they were not trained on.

    Attributes
    ----------
    fold_models : classifiers that are trained on all folds but one, and judge that one
    kernels : kernel ridge classifiers, which judge each sample by all others in closed form
    forests : forests whose every tree judges the samples that its bootstrap left out
    prepares : whether `fold_models` get numbers made by a `TableTransformer`, or the table as it was given
    """

    fold_models: tuple[Any, ...] = ()
    kernels: tuple[Kernel, ...] = ()
    forests: tuple[Any, ...] = ()
    prepares: bool = True

    def __len__(self) -> int:
        return len(self.fold_models) + len(self.kernels) + len(self.forests)


def default_panel(n_inputs: int, n_classes: int) -> Panel:
    """Smooth models of many families, a forest, and boosted trees for tables with sharp edges and skewed columns.

    Costs are bounded: networks are small, kernels have a thousand units at the most, and the wider the table and the
    more its classes, the fewer and longer are the steps of the boosted trees.
    """
    networks = RBFNetworkClassifier(SampledCentres(0.1, max_centres=50), regularisation=1e-3)
    perceptrons = MLPNetworkClassifier(20, step=0.02, max_epochs=300, stall=30)
    n_steps = int(np.clip(200 / (n_classes * max(1.0, n_inputs / 100)), 20, 100))  # a step grows a tree a class
    return Panel(
        fold_models=(
            LogisticRegression(C=0.1, max_iter=1000),
            RealAdaBoostClassifier(networks, Mixed(0.3), n_estimators=30),
            RealAdaBoostClassifier(perceptrons, Uniform(), n_estimators=3),
            HistGradientBoostingClassifier(
                learning_rate=min(0.3, 7.0 / n_steps),
                max_iter=n_steps,
                max_leaf_nodes=16,
                max_bins=63,  # finding weighted bins takes longer than growing small trees
                l2_regularization=5.0,
                early_stopping=False,
            ),
        ),
        kernels=(Kernel("cityblock", 0.5), Kernel("cityblock", 2.0), Kernel("sqeuclidean", 2.0)),
        forests=(ExtraTreesClassifier(400, min_samples_leaf=2, bootstrap=True, oob_score=True),),
    )
