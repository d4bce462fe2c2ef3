"""The classifiers at the nodes of class trees, trained side by side, and each once however many trees have it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from emphatic.engines import Item, iterate_tasks, run_tasks
from emphatic.fusion.members import MemberTraining
from emphatic.learners.compiled import runs_compiled
from emphatic.multiview.class_tree.evaluation import SIDES
from emphatic.multiview.class_tree.node import Node, Split, assign_sides
from emphatic.multiview.class_tree.planning import View
from emphatic.randomness import draw_entropy
from emphatic.threads import one_thread


class SplitTraining:
    """Trains clones of `estimator` for the splits of trees; `n_jobs` at a time, or as many as `engine` has room for.

    An estimator with the methods `fit_classes` and `for_sides` (such as an RBF network) finds its units inside single
    classes once per view. Any other classifier simply learns which side each sample is on.
    """

    def __init__(
        self, estimator: Any, views: Mapping[str, View], n_jobs: int | None = None, engine: Any = None
    ) -> None:
        self.estimator, self.views = estimator, views
        self.has_units = hasattr(estimator, "fit_classes") and hasattr(estimator, "for_sides")
        self._where = {"n_jobs": n_jobs, "engine": engine, "prefer": "threads" if runs_compiled(estimator) else None}
        self._begun: list[tuple[list[str], Iterator[Any]]] = []
        """Names of views, and an estimator with units in it for each of them."""

    def begin_units(self, names: Iterable[str]) -> None:
        """Find the units of these views; threads begin at once, so that trees can be planned meanwhile."""
        if self.has_units:
            names = list(names)
            items = (Item((self.estimator,), (self.views[name],)) for name in names)
            self._begun.append((names, iterate_tasks(_fit_classes, items, **self._where)))

    def train(self, trees: Iterable[Node]) -> dict[Split, Any]:
        """A fitted classifier for every split of the trees."""
        splits = list(dict.fromkeys(node.split for tree in trees for node in tree))
        begun = {name for names, _ in self._begun for name in names}
        self.begin_units(dict.fromkeys(split[0] for split in splits if split[0] not in begun))
        units = {name: one for names, found in self._begun for name, one in zip(names, found, strict=True)}
        items = (Item((units.get(split[0]), self.estimator, split), (self.views[split[0]],)) for split in splits)
        return dict(zip(splits, run_tasks(_train_split, items, **self._where), strict=True))


def _fit_classes(view: View, estimator: Any) -> Any:
    """An estimator with units; on one thread, so that they are the same on every machine."""
    with one_thread():
        return estimator.fit_classes(view.X, view.y, view.weights / view.weights.sum(), view.rng())


def _train_split(view: View, with_units: Any, estimator: Any, split: Split) -> Any:
    with one_thread():
        sides = assign_sides(split, len(view.centroids))
        classifier = estimator if with_units is None else with_units.for_sides(sides)
        y, rng = sides[view.y], view.rng(split[1], split[2])
        training = MemberTraining(view.name, classifier, view.X, y, SIDES, view.counts, draw_entropy(rng), 0)
        return training.fit_clone(np.flatnonzero(y >= 0))
