"""One view of the training samples: how it would part a set of classes, and how well."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sklearn.model_selection import StratifiedKFold

from emphatic.check import FloatArray, IntArray
from emphatic.kernels.rbf import paired_distances
from emphatic.multiview.class_tree.node import Classes, Node
from emphatic.multiview.class_tree.partition import least_cost_partition
from emphatic.randomness import child_generator

SMALLEST_INNER = 1e-12
"""Added to the inner distances of centroids, which are 0 where both sides are a single class."""


class View:
    """A table of the training samples, with what is asked of it again and again while trees are planned.

    Parameters
    ----------
    name : str
    X, y, weights : table, codes and weights (sum 1) of the samples
    inner : {"samples", "centroids"}
        What the inner distances of a side are taken of.
    entropy : int
        Seed of all that is drawn; the name of the view and the classes are part of it, so that a split is the same in
        every tree.
    """

    def __init__(self, name: str, X: FloatArray, y: IntArray, weights: FloatArray, inner: str, entropy: int) -> None:
        self.name, self.X, self.y, self.inner, self.entropy = name, X, y, inner, entropy
        self.weights = np.maximum(weights, np.finfo(np.float64).tiny)  # an emphasis may leave nothing to a class
        shares = self.weights / np.bincount(y, self.weights)[y]
        self.centroids = np.where(y == np.arange(y.max() + 1)[:, None], shares, 0.0) @ X
        self._splits: dict[Classes, tuple[Classes, Classes]] = {}
        self._scores: dict[Classes, float] = {}

    def split(self, classes: Classes) -> tuple[Classes, Classes]:
        """The two sets that k-means of the class centroids makes of `classes`; the first holds the lowest class."""
        if classes not in self._splits:
            first = least_cost_partition(self.centroids[list(classes)], self.rng(classes))
            codes = np.array(classes)
            self._splits[classes] = tuple(codes[first].tolist()), tuple(codes[~first].tolist())
        return self._splits[classes]

    def score(self, classes: Classes) -> float:
        """Distance of the two means of `split` over the sum of the inner distances: how well the view parts them."""
        if classes not in self._scores:
            sides = self.split(classes)
            means = np.array([self.centroids[list(side)].mean(axis=0) for side in sides])
            gap = float(np.linalg.norm(means[0] - means[1]))
            inner = sum(self._inner_distance(side, mean) for side, mean in zip(sides, means, strict=True))
            # a view in which all samples are equal parts nothing; one whose sides are two points parts perfectly
            self._scores[classes] = gap / inner if inner > 0 else (np.inf if gap > 0 else 0.0)
        return self._scores[classes]

    def rng(self, *sets: Classes) -> np.random.Generator:
        """A generator of its own for every set, or pair of sets, of classes."""
        key = (int.from_bytes(self.name.encode()), *(sum(1 << code for code in codes) for codes in sets))
        return child_generator(self.entropy, *key)

    def part(self, rows: IntArray) -> View:
        """The view of some of the samples."""
        return View(self.name, self.X[rows], self.y[rows], self.weights[rows], self.inner, self.entropy)

    def folds(self, n_folds: int) -> Iterator[tuple[IntArray, IntArray]]:
        """Rows without a stratified fold, and the rows of the fold; no more folds than the smallest class has rows."""
        counts = np.bincount(self.y)
        n_folds = min(n_folds, int(counts[counts > 0].min()))
        if n_folds < 2:
            raise ValueError("kappa_folds needs 2 samples of every class, and one has 1: use kappa_folds=None.")
        splitter = StratifiedKFold(n_folds, shuffle=True, random_state=self.entropy % 2**31)
        return iter(splitter.split(self.X, self.y))

    def _inner_distance(self, side: Classes, mean: FloatArray) -> float:
        if self.inner == "centroids":
            centroids = self.centroids[list(side)]
            return float(np.linalg.norm(centroids - mean, axis=1).mean()) + SMALLEST_INNER
        rows = np.flatnonzero(np.isin(self.y, side))
        distances = paired_distances(self.X[rows], mean[None], np.zeros(len(rows), dtype=np.intp))
        return float(np.average(distances, weights=self.weights[rows]))


def plan(views: list[View], classes: Classes) -> Node:
    """The tree that parts `classes`, node by node on the view of the largest score (of equal ones the first)."""
    best = views[0] if len(views) == 1 else max(views, key=lambda view: view.score(classes))
    first, second = best.split(classes)
    left, right = (plan(views, side) if len(side) > 1 else None for side in (first, second))
    return Node(best.name, first, second, left, right)
