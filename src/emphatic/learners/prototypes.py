"""Designs of RBF networks by prototypes of classes: given ones, or found by k-means inside each class (paper 003)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.distance import cdist
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

from emphatic import check
from emphatic.check import FloatArray, IntArray
from emphatic.hush import ignore_warnings
from emphatic.learners.rbf_design import SMALLEST_DIAMETER, Design
from emphatic.learners.rbf_units import Table, Units
from emphatic.threads import one_thread

LEAST_WIDTH = 1e-3
"""Smallest width, in units of the median distance between prototypes."""

LARGEST_OVERLAP = 1e40
"""With distances of up to 1e100, the square of a width is finite."""


class Prototypes(Design):
    r"""Centres that are known beforehand, widths from their classes (paper 003, equation 2).

    .. math:: \sigma_j = \text{overlap} \cdot
              \min \{\lVert c_j - c_i\rVert : \text{class}(c_j) \ne \text{class}(c_i)\}

    Where prototypes of two classes coincide that is 0. No width is less than 0.001 of the median of all positive
    distances between prototypes (of 1, if there are none).

    Parameters
    ----------
    centres : array (K, features)
    classes : int array (K,)
        The class of each; only whether two are equal matters.
    overlap : float, default=1.0

    Examples
    --------
    >>> from emphatic import RBFNetworkClassifier
    >>> from emphatic.learners.prototypes import Prototypes
    >>> design = Prototypes([[0.0], [1.0], [4.0]], [0, 0, 1])
    >>> RBFNetworkClassifier(design).fit([[0.0], [1.0], [3.0], [4.0]], [0, 0, 1, 1]).widths_
    array([4., 3., 3.])
    """

    def __init__(self, centres: ArrayLike, classes: ArrayLike, overlap: float = 1.0) -> None:
        self.centres = centres
        self.classes = classes
        self.overlap = overlap

    def check_parameters(self) -> None:
        check.real("overlap", self.overlap, 0, LARGEST_OVERLAP, open_low=True)
        centres, classes = np.asarray(self.centres, dtype=np.float64), np.asarray(self.classes)
        if centres.ndim != 2 or not centres.size or not np.isfinite(centres).all():
            raise ValueError(
                f"centres has shape {centres.shape}: it must be (units, features), none of them 0, and finite."
            )
        if classes.shape != centres[:, 0].shape or classes.dtype.kind not in "iu":
            raise ValueError(
                f"classes has shape {classes.shape}: it must hold an integer for each of {len(centres)} centres."
            )

    def place_units(self, table: Table, weights: FloatArray, rng: np.random.Generator) -> Units:
        centres = np.ascontiguousarray(self.centres, dtype=np.float64)
        if centres.shape[1] != table.X.shape[1]:
            raise ValueError(f"centres has {centres.shape[1]} columns, but X has {table.X.shape[1]}.")
        units = Units(table, centres)
        units.widths = other_class_widths(centres, np.asarray(self.classes), self.overlap)
        return units

    def for_sides(self, sides: IntArray) -> Prototypes:
        side = sides[np.asarray(self.classes)]
        return Prototypes(np.asarray(self.centres)[side >= 0], side[side >= 0], self.overlap)


class ClassKMeans(Design):
    r"""Centres by k-means inside each class, widths from the nearest centre of another class (paper 003, 2.1.1).

    1. k-means of the samples of each class, under the weights of the design, gives its prototypes.
    2. The width is :math:`\sigma_j = \text{overlap} \cdot \min \{\lVert c_j - c_i\rVert : \text{class}(c_j) \ne
       \text{class}(c_i)\}` (equation 2), and never less than 0.001 of the median distance between prototypes.

    With ``RBFNetworkClassifier(ClassKMeans(20), regularisation=1e-8)`` the output weights are, but for rounding, the
    paper's pseudo-inverse (equation 3).

    Parameters
    ----------
    per_class : int, default=20
        Prototypes of each class; fewer where it has not as many different samples.
    overlap : float, default=1.0
        The paper's alpha, which it does not state.
    per : {"class", "super_class"}, default="class"
        At a node of a class tree, which tells two sets of classes apart: whether each class of the problem gets that
        many prototypes, or each of the two sets. Elsewhere both are the same.

    Notes
    -----
    k-means is scikit-learn's, started once by k-means++. It is a part of most of the training time of a class tree, so
    the prototypes of a class are made once for all nodes (`fit_classes`).

    Examples
    --------
    >>> from emphatic import RBFNetworkClassifier
    >>> from emphatic.learners import ClassKMeans
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> network = RBFNetworkClassifier(ClassKMeans(5), random_state=0).fit(X, y)
    >>> network.centres_.shape, network.score(X, y) > 0.95
    ((15, 4), True)
    """

    def __init__(self, per_class: int = 20, overlap: float = 1.0, *, per: str = "class") -> None:
        self.per_class = per_class
        self.overlap = overlap
        self.per = per

    def check_parameters(self) -> None:
        check.integer("per_class", self.per_class, at_least=1)
        check.real("overlap", self.overlap, 0, LARGEST_OVERLAP, open_low=True)
        check.one_of("per", self.per, ("class", "super_class"))

    def place_units(self, table: Table, weights: FloatArray, rng: np.random.Generator) -> Units:
        return self._prototypes(table.X, table.y, weights, rng).place_units(table, weights, rng)

    def fit_classes(self, X: FloatArray, y: IntArray, weights: FloatArray, rng: np.random.Generator) -> Design:
        return self if self.per == "super_class" else self._prototypes(X, y, weights, rng)

    def _prototypes(self, X: FloatArray, y: IntArray, weights: FloatArray, rng: np.random.Generator) -> Prototypes:
        codes = np.unique(y)
        seeds = rng.integers(2**31, size=len(codes))
        # one thread: the rounding of sums over several threads depends on their timing
        # samples that differ by rounding make equal centres, of which k-means warns
        with one_thread(), ignore_warnings(ConvergenceWarning):
            centres = [
                _centres(X[y == code], weights[y == code], self.per_class, int(seed))
                for code, seed in zip(codes, seeds, strict=True)
            ]
        classes = np.repeat(codes, [len(one) for one in centres])
        return Prototypes(np.concatenate(centres), classes, self.overlap)


def other_class_widths(centres: FloatArray, classes: IntArray, overlap: float) -> FloatArray:
    """Widths of equation 2, and the least width where they are smaller.

    >>> import numpy as np
    >>> other_class_widths(np.array([[0.0], [0.0], [2.0]]), np.array([0, 1, 1]), 1.0)
    array([0.002, 0.002, 2.   ])
    """
    distances = cdist(centres, centres)  # differences, not scalar products: equal prototypes are at distance 0
    positive = distances[distances > SMALLEST_DIAMETER]
    scale = float(np.median(positive)) if len(positive) else 1.0
    others = np.where(classes[:, None] != classes, distances, np.inf).min(axis=1)
    nearest = np.where(np.isfinite(others), others, scale)  # a single class has no other
    return np.maximum(overlap * nearest, LEAST_WIDTH * scale)


def _centres(X: FloatArray, weights: FloatArray, most: int, seed: int) -> FloatArray:
    """Prototypes of one class: its different samples where they are few, else centres by k-means."""
    if not weights.any():  # an emphasis may leave nothing to a class
        weights = np.ones(len(X))
    X, weights = X[weights > 0], weights[weights > 0]
    different = _first_distinct(X, most + 1)
    if len(different) <= most:
        return X[different]
    means = KMeans(most, n_init=1, random_state=seed).fit(X, sample_weight=weights / weights.max())
    return np.asarray(means.cluster_centers_, dtype=np.float64)


def _first_distinct(X: FloatArray, enough: int) -> list[int]:
    """Row numbers of the first samples that differ from all before them, `enough` of them at the most.

    >>> import numpy as np
    >>> _first_distinct(np.array([[0.0], [-0.0], [1.0], [2.0], [3.0]]), 3)
    [0, 2, 3]
    """
    found: dict[bytes, int] = {}
    for number, row in enumerate(X):
        found.setdefault((row + 0.0).tobytes(), number)  # + 0.0: there are two zeros
        if len(found) == enough:
            break
    return list(found.values())
