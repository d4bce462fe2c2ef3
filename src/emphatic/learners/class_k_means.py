"""A design of RBF networks: prototypes of every class by k-means (paper 003)."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

from emphatic import check
from emphatic.check import FloatArray, IntArray
from emphatic.learners.prototypes import Prototypes
from emphatic.learners.rbf_design import Design
from emphatic.learners.rbf_units import Table, Units
from emphatic.threads import one_thread


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
    >>> from emphatic.learners.class_k_means import ClassKMeans
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
        check.real("overlap", self.overlap, 0, open_low=True)
        check.one_of("per", self.per, ("class", "super_class"))

    def place_units(self, table: Table, weights: FloatArray, rng: np.random.Generator) -> Units:
        return self._prototypes(table.X, table.y, weights, rng).place_units(table, weights, rng)

    def fit_classes(self, X: FloatArray, y: IntArray, weights: FloatArray, rng: np.random.Generator) -> Design:
        return self if self.per == "super_class" else self._prototypes(X, y, weights, rng)

    def _prototypes(self, X: FloatArray, y: IntArray, weights: FloatArray, rng: np.random.Generator) -> Prototypes:
        codes = np.unique(y)
        seeds = rng.integers(2**31, size=len(codes))
        # one thread: the sums of several would be rounded as luck orders them
        with one_thread(), warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # samples that differ by rounding make equal centres
            centres = [
                _centres(X[y == code], weights[y == code], self.per_class, int(seed))
                for code, seed in zip(codes, seeds, strict=True)
            ]
        classes = np.repeat(codes, [len(one) for one in centres])
        return Prototypes(np.concatenate(centres), classes, self.overlap)


def _centres(X: FloatArray, weights: FloatArray, most: int, seed: int) -> FloatArray:
    """Prototypes of one class: its different samples where they are few, else centres by k-means."""
    if not weights.any():  # an emphasis may leave nothing to a class
        weights = np.ones(len(X))
    X, weights = X[weights > 0], weights[weights > 0]
    different = _different(X, most + 1)
    if len(different) <= most:
        return X[different]
    means = KMeans(most, n_init=1, random_state=seed).fit(X, sample_weight=weights / weights.max())
    return np.asarray(means.cluster_centers_, dtype=np.float64)


def _different(X: FloatArray, enough: int) -> list[int]:
    """Row numbers of the first samples that differ from all before them, `enough` of them at the most.

    >>> import numpy as np
    >>> _different(np.array([[0.0], [-0.0], [1.0], [2.0], [3.0]]), 3)
    [0, 2, 3]
    """
    found: dict[bytes, int] = {}
    for number, row in enumerate(X):
        found.setdefault((row + 0.0).tobytes(), number)  # + 0.0: there are two zeros
        if len(found) == enough:
            break
    return list(found.values())
