"""The classifiers of the settings, and what is kept of them."""

import copy
from typing import Any, ClassVar, Self

import numpy as np

from emphatic.papers.p003.digits import columns_of
from emphatic.papers.p003.settings import resolve_views
from emphatic.study.tasks import Setting, canonical

READING = ("evaluation", "masses", "normalise")
"""Parameters that change what a fitted forest says; only where it is pruned by that do they change what it holds."""
SMALLEST_PROBABILITY = 1e-12


def build(setting: Setting, random_state: int) -> Any:
    """The classifier of a setting: a tree, or a forest under one rule."""
    from emphatic.multiview.class_tree import ClassTreeClassifier

    if setting["model"] == "forest":
        return FusedForest(setting, random_state)
    columns = columns_of(setting["problem"])
    return ClassTreeClassifier(
        make_network(setting),
        {view: columns[view] for view in setting["views"]},
        random_state=random_state,
        **{name: setting[name] for name in READING},
    )


def make_network(setting: Setting) -> Any:
    """The network of a node."""
    from emphatic.learners import ClassKMeans, RBFNetworkClassifier

    return RBFNetworkClassifier(ClassKMeans(setting["per_class"]), solver=setting["solver"], regularisation=1e-8)


class FusedForest:
    """A forest under the rule of its setting; what differs only in how its trees are read is trained once per table."""

    _last: ClassVar[tuple[Any, dict[str, Any]]] = (None, {})
    """The table of the last fit, and the forests trained on it."""

    def __init__(self, setting: Setting, random_state: int) -> None:
        self.setting, self.random_state = setting, random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Train the forest, unless one that differs only in how it is read was trained on the same table."""
        if FusedForest._last[0] is not X:
            FusedForest._last = X, {}
        forests = FusedForest._last[1]
        read_later = ("fusion", *READING) if self.setting["keep"] is None else ("fusion",)
        shared = canonical({**self.setting, **dict.fromkeys(read_later, ""), "random_state": self.random_state})
        if shared not in forests:
            forests[shared] = self.forest().fit(X, y)
        self.forest_ = _read_as(forests[shared], {name: self.setting[name] for name in READING})
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Labels under the rule of the setting."""
        return np.asarray(self.forest_.classes_[self.supports(X).argmax(axis=1)])

    def supports(self, X: Any) -> np.ndarray:
        """Supports of the classes under the rule of the setting."""
        from emphatic.fusion.rules import find_rule

        return np.asarray(find_rule(self.setting["fusion"])(self.forest_.member_supports(X)))

    def forest(self) -> Any:
        """The forest itself, unfitted."""
        from emphatic.multiview.forest import MultiViewForestClassifier

        names = ("fusion", "keep", "kappa_folds", "dedupe", "ratio", "pruning", *READING)
        return MultiViewForestClassifier(
            columns_of(self.setting["problem"]),
            make_network(self.setting),
            view_sets=resolve_views(self.setting["problem"], self.setting["view_sets"]),
            random_state=self.random_state,
            **{name: self.setting[name] for name in names},
        )


def _read_as(forest: Any, reading: dict[str, Any]) -> Any:
    """The fitted forest, its trees read in another way; both share what was trained."""
    other = copy.copy(forest).set_params(**reading)
    other.estimators_ = [copy.copy(tree).set_params(**reading) for tree in forest.estimators_]
    return other


def measure_forest(estimator: FusedForest, X: Any, y: np.ndarray) -> dict[str, Any]:
    """The error, the views of the trees that were kept, and how many of these trees are different.

    Of trees on one view each also kappa of every pair on the test rows.
    """
    from emphatic.diversity import kappa_matrix
    from emphatic.study.fit import score

    forest = estimator.forest_
    kept = ["+".join(views) for views in forest.view_sets_]
    metrics = {
        **score(estimator, X, y),
        "kept_views": kept,
        "different_trees": len({tree.root_ for tree in forest.estimators_}),
    }
    if all(len(views) == 1 for views in forest.view_sets_):
        metrics["kappa"] = kappa_matrix(forest.member_predictions(X)).tolist()
    return metrics


def measure_tree(estimator: Any, X: Any, y: np.ndarray) -> dict[str, Any]:
    """The error, and the splits of the nodes, from which the tree can be drawn."""
    from emphatic.study.fit import score

    return {**score(estimator, X, y), "splits": [node.split for node in estimator.root_]}


def measure_probabilities(estimator: FusedForest, X: Any, y: np.ndarray) -> dict[str, Any]:
    """The error, and the log loss of the supports, scaled to sum 1."""
    from emphatic.margins import normalise_rows
    from emphatic.study.fit import score

    probabilities = np.maximum(normalise_rows(estimator.supports(X)), SMALLEST_PROBABILITY)
    own = probabilities[np.arange(len(y)), np.searchsorted(estimator.forest_.classes_, y)]
    return {**score(estimator, X, y), "log_loss": float(-np.log(own / probabilities.sum(axis=1)).mean())}
