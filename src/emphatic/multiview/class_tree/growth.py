"""From plans to trained classifiers: every split is trained once, however many trees have it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from sklearn.utils.parallel import Parallel, delayed

from emphatic.base import output_of
from emphatic.check import FloatArray
from emphatic.fusion.members import Task
from emphatic.multiview.class_tree.node import Node, Split, sides
from emphatic.multiview.class_tree.view import View
from emphatic.randomness import draw_entropy
from emphatic.threads import one_thread

SIDES = np.array([0, 1])
"""The labels that the classifier of a node learns."""


def train(
    estimator: Any, plans: Iterable[Node], views: Mapping[str, View], n_jobs: int | None = None
) -> dict[Split, Any]:
    """A fitted clone of `estimator` for every split of the planned trees; `n_jobs` views at a time.

    One that has the methods `fit_classes` and `for_sides` (an RBF network has) may share what it finds inside single
    classes: that is fitted once per view. Any other classifier simply learns which side each sample is on.
    """
    splits = dict.fromkeys(node.split for tree in plans for node in tree)
    of_views = {name: [split for split in splits if split[0] == name] for name in views}
    used = {name: own for name, own in of_views.items() if own}
    fitted = Parallel(n_jobs=n_jobs)(delayed(_of_view)(estimator, views[name], own) for name, own in used.items())
    return {split: one for name, found in zip(used, fitted, strict=True) for split, one in zip(used[name], found)}


def masses_of(classifier: Any, X: FloatArray) -> FloatArray:
    """(n, 2) masses on the two sides; what they lack to 1 is ignorance, of which most classifiers know nothing."""
    if hasattr(classifier, "supports"):
        return np.asarray(classifier.supports(X))
    second = np.clip((1.0 + output_of(classifier, X, SIDES)) / 2.0, 0.0, 1.0)
    return np.column_stack([1.0 - second, second])


def knows_ignorance(estimator: Any) -> bool:
    """Whether the classifiers of the nodes can say that they do not know."""
    return hasattr(estimator, "for_sides") or hasattr(estimator, "supports")


def _of_view(estimator: Any, view: View, splits: list[Split]) -> list[Any]:
    """Fitted classifiers for some splits of a view; on one thread, so that they are the same on every machine."""
    with one_thread():
        shared = hasattr(estimator, "fit_classes") and hasattr(estimator, "for_sides")
        if shared:
            estimator = estimator.fit_classes(view.X, view.y, view.weights / view.weights.sum(), view.rng())
        counts = np.ones(len(view.y)) if np.ptp(view.weights) == 0 else view.weights * len(view.y)
        fitted = []
        for split in splits:
            side = sides(split, len(view.centroids))
            classifier, seed = estimator.for_sides(side) if shared else estimator, view.rng(split[1], split[2])
            task = Task(view.name, classifier, view.X, side[view.y], SIDES, counts, draw_entropy(seed), 0)
            fitted.append(task.trained(np.flatnonzero(task.y >= 0)))
        return fitted
