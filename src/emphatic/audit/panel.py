"""The panel: which models judge the labels."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

from emphatic.audit import costs
from emphatic.audit.costs import Size
from emphatic.audit.scoring import MOST_KERNEL_ROWS, MOST_PREDICTED, score_by_forest, score_by_kernel
from emphatic.blending.ridge import Kernel
from emphatic.boosting.real_adaboost import RealAdaBoostClassifier
from emphatic.check import FloatArray
from emphatic.emphasis import Mixed, Uniform
from emphatic.inputs import check_classifier
from emphatic.learners import MLPNetworkClassifier, RBFNetworkClassifier, SampledCentres
from emphatic.learners.compiled import runs_compiled

LARGE_ROWS, LARGE_CELLS = 5_000, 1_000_000
"""A table is large with more rows than the one and, its inputs counted as at least `FEWEST_INPUTS`, more cells than the
other: 20,000 rows of up to 50 inputs are not."""

FEWEST_INPUTS = 50

MOST_TRAINING, MOST_TRAINING_CELLS = 100_000, 2_000_000
"""Rows that a model of a large table is trained on, and these rows times inputs and classes."""

MOST_TREE_ROWS, MOST_GROWN, TREES = 10_000_000, 50_000, (50, 400)
"""Trees of a forest times rows that they score, rows that a tree is grown on, and the fewest and most trees."""


class Member(NamedTuple):
    """A model of the panel: its name in sentences, what it is, and what it costs.

    Either a classifier, or a scorer: a function of inputs, codes, weights and a generator.
    """

    name: str
    model: Any
    cost: Callable[[Size], float] = lambda size: 0.0


@dataclass(frozen=True)
class Panel:
    """Models of two sorts, by how they score samples that they were not trained on.

    Attributes
    ----------
    by_folds : classifiers that are trained on all folds but one, and score that one
    at_once : functions that score each sample by a model without it: in closed form (`score_by_kernel`) or out of bag
        (`score_by_forest`)
    prepares : whether the classifiers get numbers made by a `TableTransformer`, or the table as it was given
    most_rows : a classifier is trained on so many rows of the other folds at most, drawn anew for each; None for all
    """

    by_folds: tuple[Member, ...]
    at_once: tuple[Member, ...] = ()
    prepares: bool = True
    most_rows: int | None = None

    @property
    def fold_models(self) -> tuple[Any, ...]:
        """The classifiers that are trained on folds."""
        return tuple(member.model for member in self.by_folds)

    @property
    def scorers(self) -> tuple[Callable[..., FloatArray], ...]:
        """The functions that score all samples at once."""
        return tuple(member.model for member in self.at_once)

    @property
    def members(self) -> tuple[Member, ...]:
        """Of both sorts."""
        return self.by_folds + self.at_once

    @property
    def prefer(self) -> str | None:
        """Of tasks: threads for our own models, most of whose time is in compiled code; see `runs_compiled`."""
        return "threads" if self.prepares or all(map(runs_compiled, self.fold_models)) else None

    def keep(self, names: Collection[str]) -> "Panel":
        """The panel of these members alone."""
        by_folds, at_once = (
            tuple(one for one in members if one.name in names) for members in (self.by_folds, self.at_once)
        )
        return replace(self, by_folds=by_folds, at_once=at_once)

    def describe_samples(self, n_others: int) -> tuple[str, ...]:
        """A sentence if the rows of all other folds are more than a model is trained on."""
        if self.most_rows is None or n_others <= self.most_rows:
            return ()
        return (f"Models were trained on samples of {self.most_rows:,} rows at most.",)


def choose_panel(estimator: Any, n_inputs: int, n_classes: int, n_rows: int = 0) -> Panel:
    """The user's classifier, which gets the table as it is; without one, our models for a table of this size."""
    if estimator is not None:
        return Panel((Member("estimator", check_classifier("estimator", estimator)),), prepares=False)
    if n_rows > LARGE_ROWS and n_rows * max(n_inputs, FEWEST_INPUTS) > LARGE_CELLS:
        return large_panel(n_inputs, n_classes, n_rows)
    return default_panel(n_inputs, n_classes)


def default_panel(n_inputs: int, n_classes: int) -> Panel:
    """Smooth models of many families, a forest, and boosted trees for tables with sharp edges and skewed columns.

    The cost is bounded: networks are small, kernels have at most a thousand units, and the wider the table and the more
    classes it has, the fewer and longer are the steps of the boosted trees.
    """
    networks = RBFNetworkClassifier(SampledCentres(0.1, max_centres=50), regularisation=1e-3)
    boosted = RealAdaBoostClassifier(networks, Mixed(0.3), n_estimators=30)
    n_steps = _count_steps(n_inputs, n_classes)
    return Panel(
        by_folds=(
            _make_logistic(),
            Member("RBF networks", boosted, costs.cost_networks),
            _make_perceptrons(300, 30, 1.0),
            _make_boosted_trees(n_steps, n_steps, 16),
        ),
        at_once=(
            _make_kernel("wide Laplacian kernel", Kernel("cityblock", 0.5)),
            _make_kernel("narrow Laplacian kernel", Kernel("cityblock", 2.0)),
            _make_kernel("Gaussian kernel", Kernel("sqeuclidean", 2.0)),
            _make_forest(400, None),
        ),
    )


def large_panel(n_inputs: int, n_classes: int, n_rows: int) -> Panel:
    """For large tables: the members that find most for their time, on as many rows as the time allows.

    Boosted trees are twice as many and larger, MLPs learn for fewer epochs (each has more rows), and the forest has the
    fewer trees, the more rows there are. The narrow Laplacian kernel and the RBF networks are left out, without loss on
    the tables for tuning.
    """
    n_steps = _count_steps(n_inputs, n_classes)
    n_trees = int(np.clip(MOST_TREE_ROWS // n_rows, *TREES))
    most_rows = int(np.clip(MOST_TRAINING_CELLS // (n_inputs + n_classes), LARGE_ROWS, MOST_TRAINING))
    return Panel(
        by_folds=(
            _make_logistic(),
            _make_perceptrons(100, 10, 0.4),
            _make_boosted_trees(n_steps, 2 * n_steps, 31),
        ),
        at_once=(
            _make_kernel("wide Laplacian kernel", Kernel("cityblock", 0.5)),
            _make_kernel("Gaussian kernel", Kernel("sqeuclidean", 2.0)),
            _make_forest(n_trees, min(n_rows, MOST_GROWN)),
        ),
        most_rows=most_rows,
    )


def _count_steps(n_inputs: int, n_classes: int) -> int:
    """Of boosted trees; a step grows one tree per class."""
    return int(np.clip(200 / (n_classes * max(1.0, n_inputs / 100)), 20, 100))


def _make_logistic() -> Member:
    return Member("logistic regression", LogisticRegression(C=0.1, max_iter=1000), costs.cost_logistic)


def _make_perceptrons(max_epochs: int, stall: int, share: float) -> Member:
    network = MLPNetworkClassifier(20, step=0.02, max_epochs=max_epochs, stall=stall)
    committee = RealAdaBoostClassifier(network, Uniform(), n_estimators=3)
    return Member("MLPs", committee, partial(costs.cost_perceptrons, share))


def _make_boosted_trees(n_steps: int, max_iter: int, n_leaves: int) -> Member:
    trees = HistGradientBoostingClassifier(
        learning_rate=min(0.3, 7.0 / n_steps),
        max_iter=max_iter,
        max_leaf_nodes=n_leaves,
        max_bins=63,  # finding weighted bins takes longer than growing small trees
        l2_regularization=5.0,
        early_stopping=False,
    )
    return Member("boosted trees", trees, partial(costs.cost_boosted_trees, max_iter, n_leaves))


def _make_kernel(name: str, kernel: Kernel) -> Member:
    cost = partial(costs.cost_kernel, MOST_KERNEL_ROWS, MOST_PREDICTED)
    return Member(name, partial(score_by_kernel, kernel), cost)


def _make_forest(n_trees: int, max_samples: int | None) -> Member:
    forest = ExtraTreesClassifier(n_trees, min_samples_leaf=2, bootstrap=True, oob_score=True, max_samples=max_samples)
    cost = partial(costs.cost_forest, n_trees, max_samples or MOST_TREE_ROWS)
    return Member("forest", partial(score_by_forest, forest), cost)
