"""How each view splits a set of classes, and the tree made of the best of these splits."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist
from sklearn.model_selection import StratifiedKFold

from emphatic.check import FloatArray, IntArray
from emphatic.kernels.rbf import paired_distances
from emphatic.multiview.class_tree.node import Classes, Node
from emphatic.randomness import child_generator

SMALLEST_INNER = 1e-12
"""Added to the inner distances of centroids, which are 0 where both sides are a single class."""

MOST_ENUMERATED = 10
"""Up to so many centroids all partitions (511) are tried; beyond that k-means looks for the best."""

RESTARTS = 20
"""Restarts of k-means."""

TIE = 1e-12
"""Costs closer than this, relative to the largest, are ties: rounding must not decide."""

BoolArray = NDArray[np.bool_]


def plan_tree(views: list[View], classes: Classes) -> Node:
    """The tree over `classes`, each node on the view with the largest score (ties go to the first view)."""
    best = views[0] if len(views) == 1 else max(views, key=lambda view: view.score(classes))
    first, second = best.split(classes)
    left, right = (plan_tree(views, side) if len(side) > 1 else None for side in (first, second))
    return Node(best.name, first, second, left, right)


class View:
    """One view of the training samples: how it splits a set of classes, and how well. Both are computed once.

    Parameters
    ----------
    name : str
    X, y, weights : table, codes and weights (sum 1) of the samples
    inner : {"samples", "centroids"}
        Whether the inner distances of a side are those of its samples or of its class centroids.
    entropy : int
        Seeds all random draws, together with the name of the view and the classes, so that a split is the same in
        every tree.
    ratio : {"gap", "squared_gap"}
        Whether the score has the distance of the two means in its numerator, or its square.
    """

    def __init__(
        self,
        name: str,
        X: FloatArray,
        y: IntArray,
        weights: FloatArray,
        inner: str,
        entropy: int,
        ratio: str = "gap",
    ) -> None:
        self.name, self.X, self.y, self.inner, self.entropy, self.ratio = name, X, y, inner, entropy, ratio
        self.weights = np.maximum(weights, np.finfo(np.float64).tiny)  # an emphasis may give a class no weight at all
        shares = self.weights / np.bincount(y, self.weights)[y]
        self.centroids = np.where(y == np.arange(y.max() + 1)[:, None], shares, 0.0) @ X
        self._splits: dict[Classes, tuple[Classes, Classes]] = {}
        self._scores: dict[Classes, float] = {}

    def split(self, classes: Classes) -> tuple[Classes, Classes]:
        """The two sets into which k-means divides the centroids of `classes`; the first holds the lowest class."""
        if classes not in self._splits:
            first = least_cost_partition(self.centroids[list(classes)], self.rng(classes))
            codes = np.array(classes)
            self._splits[classes] = tuple(codes[first].tolist()), tuple(codes[~first].tolist())
        return self._splits[classes]

    def score(self, classes: Classes) -> float:
        """How well the view separates the two sets: distance of their means over the sum of their inner distances.

        The squared distance if `ratio` is "squared_gap": then a view with larger numbers has a larger score.
        """
        if classes not in self._scores:
            sides = self.split(classes)
            means = np.array([self.centroids[list(side)].mean(axis=0) for side in sides])
            gap = float(np.linalg.norm(means[0] - means[1]))
            inner = sum(self._inner_distance(side, mean) for side, mean in zip(sides, means, strict=True))
            top = gap**2 if self.ratio == "squared_gap" else gap
            # equal samples are not separated at all; two sides that are single points are separated perfectly
            self._scores[classes] = top / inner if inner > 0 else (np.inf if gap > 0 else 0.0)
        return self._scores[classes]

    def rng(self, *sets: Classes) -> np.random.Generator:
        """A separate generator for every set, or pair of sets, of classes."""
        key = (int.from_bytes(self.name.encode()), *(sum(1 << code for code in codes) for codes in sets))
        return child_generator(self.entropy, *key)

    @cached_property
    def counts(self) -> FloatArray:
        """How many samples each row counts as, for a classifier."""
        return np.ones(len(self.y)) if np.ptp(self.weights) == 0 else self.weights * len(self.y)

    def take(self, rows: IntArray) -> View:
        """The view of some of the samples."""
        return View(self.name, self.X[rows], self.y[rows], self.weights[rows], self.inner, self.entropy, self.ratio)

    def folds(self, n_folds: int) -> Iterator[tuple[IntArray, IntArray]]:
        """Training and test rows of stratified folds, at most as many folds as the smallest class has rows."""
        counts = np.bincount(self.y)
        n_folds = min(n_folds, int(counts[counts > 0].min()))
        if n_folds < 2:
            raise ValueError(
                "kappa_folds needs at least 2 samples per class, but a class has only 1: use kappa_folds=None."
            )
        splitter = StratifiedKFold(n_folds, shuffle=True, random_state=self.entropy % 2**31)
        return iter(splitter.split(self.X, self.y))

    def _inner_distance(self, side: Classes, mean: FloatArray) -> float:
        if self.inner == "centroids":
            centroids = self.centroids[list(side)]
            return float(np.linalg.norm(centroids - mean, axis=1).mean()) + SMALLEST_INNER
        inside = np.zeros(len(self.centroids), dtype=bool)
        inside[list(side)] = True
        rows = np.flatnonzero(inside[self.y])  # `np.isin` takes longer than the distances
        distances = paired_distances(self.X[rows], mean[None], np.zeros(len(rows), dtype=np.intp))
        return float(np.average(distances, weights=self.weights[rows]))


def least_cost_partition(centroids: FloatArray, rng: np.random.Generator) -> BoolArray:
    r"""The partition of centroids, (C, features), of least k-means cost: True on the side of the first one.

    The cost of a side S is its sum of squared distances to its mean, which is
    :math:`\frac{1}{2|S|} \sum_{i,j \in S} \lVert c_i - c_j\rVert^2`. Among partitions of equal cost the one with the
    smaller side of the first centroid wins. With up to ten centroids nothing is drawn from `rng`.

    >>> import numpy as np
    >>> least_cost_partition(np.array([[0.0], [5.0], [1.0], [6.0]]), np.random.default_rng(0))
    array([ True, False,  True, False])
    """
    squares = cdist(centroids, centroids, "sqeuclidean")
    n = len(centroids)
    candidates = all_partitions(n) if n <= MOST_ENUMERATED else _partition_by_k_means(centroids, rng)
    costs = _side_costs(candidates, squares) + _side_costs(~candidates, squares)
    cheap = np.flatnonzero(costs <= costs.min() + TIE * costs.max())
    return np.asarray(candidates[cheap[candidates[cheap].sum(axis=1).argmin()]])


@lru_cache(maxsize=MOST_ENUMERATED)
def all_partitions(n: int) -> BoolArray:
    """(2^(n-1) - 1, n): all ways to divide n things in two, the first thing always on the side that is True.

    >>> all_partitions(3).astype(int)
    array([[1, 0, 0],
           [1, 0, 1],
           [1, 1, 0]])
    """
    codes = np.arange(2 ** (n - 1) - 1)
    others = codes[:, None] >> np.arange(n - 2, -1, -1) & 1
    return np.column_stack([np.ones(len(codes), dtype=bool), others.astype(bool)])


def _side_costs(members: BoolArray, squares: FloatArray) -> FloatArray:
    inside = members.astype(np.float64)
    return np.asarray((inside @ squares * inside).sum(axis=1) / (2.0 * inside.sum(axis=1)))


def _partition_by_k_means(centroids: FloatArray, rng: np.random.Generator) -> BoolArray:
    """(restarts, n): where Lloyd's iterations end from several pairs of centroids, the first thing always True."""
    starts = [rng.choice(len(centroids), size=2, replace=False) for _ in range(RESTARTS)]
    found = np.array([_iterate_lloyd(centroids, pair) for pair in starts])
    return found == found[:, :1]


def _iterate_lloyd(centroids: FloatArray, pair: IntArray) -> BoolArray:
    """Lloyd's iterations from a pair of centroids: True on the first side; neither side is ever empty."""
    near = _nearer(centroids, centroids[pair])
    near[pair] = [True, False]  # also if the two coincide
    while True:
        means = np.array([centroids[near].mean(axis=0), centroids[~near].mean(axis=0)])
        moved = _nearer(centroids, means)
        if moved.all() or not moved.any() or (moved == near).all():
            return near
        if _total(centroids, moved) >= _total(centroids, near):  # only rounding still moves centroids
            return near
        near = moved


def _nearer(centroids: FloatArray, means: FloatArray) -> BoolArray:
    distances = cdist(centroids, means, "sqeuclidean")
    return np.asarray(distances[:, 0] <= distances[:, 1])


def _total(centroids: FloatArray, near: BoolArray) -> float:
    return float(sum(((centroids[side] - centroids[side].mean(axis=0)) ** 2).sum() for side in (near, ~near)))
