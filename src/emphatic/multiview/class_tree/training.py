"""The classifiers at the nodes of class trees, trained side by side, and each once however many trees have it."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, cast

import numpy as np

from emphatic.engines import Item, find_engine, run_tasks
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
        self._in_threads = runs_compiled(estimator)
        self._where = {"n_jobs": n_jobs, "engine": engine, "prefer": "threads" if self._in_threads else None}
        self._with_units: dict[str, Any] = {}
        """By view, the estimator with units in it."""

    def plan(self, plan: Callable[[], list[Node]], names: Iterable[str]) -> list[Node]:
        """What `plan` returns. Threads find the units of the views `names`, which will be needed, at the same time."""
        if not self.has_units or not self._in_threads or find_engine(self._where["engine"]) is not None:
            return plan()
        names = list(names)
        calls = [plan, *(partial(_fit_classes, self.views[name], self.estimator) for name in names)]
        trees, *found = run_tasks(_call, [Item((call,)) for call in calls], **self._where)
        self._with_units.update(zip(names, found, strict=True))
        return cast(list[Node], trees)

    def train(self, trees: Iterable[Node]) -> dict[Split, Any]:
        """A fitted classifier for every split of the trees."""
        splits = list(dict.fromkeys(node.split for tree in trees for node in tree))
        if self.has_units:
            names = list(dict.fromkeys(split[0] for split in splits if split[0] not in self._with_units))
            items = [Item((self.estimator,), (self.views[name],)) for name in names]
            self._with_units.update(zip(names, run_tasks(_fit_classes, items, **self._where), strict=True))
        items = [
            Item((self._with_units.get(split[0]), self.estimator, split), (self.views[split[0]],)) for split in splits
        ]
        return dict(zip(splits, run_tasks(_train_split, items, **self._where), strict=True))


def _call(function: Callable[[], Any]) -> Any:
    with one_thread():
        return function()


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
