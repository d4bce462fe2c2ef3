"""Any emphasis, smoothed over the neighbours of each sample (the K-neighbours form that paper 001 cites)."""

from typing import Any

import numpy as np
from sklearn.neighbors import NearestNeighbors
from sklearn.preprocessing import StandardScaler

from emphatic import check
from emphatic.base import Emphasis, EmphasisWrapper
from emphatic.check import FloatArray, IntArray
from emphatic.inputs import finite_table
from emphatic.margins import distribution_or_uniform


class Neighbour(EmphasisWrapper):
    r"""Let every sample share the emphasis of its nearest neighbours.

    .. math:: D'(i) \propto (1-s)\, D(i) + s\, \frac{1}{k} \sum_{j \in \mathrm{kNN}(i)} D(j)

    D is the distribution of the emphasis that is wrapped, and s the share. A sample that is emphasised alone, as a
    mislabelled one is, loses weight; one among others that are emphasised keeps it.

    Parameters
    ----------
    base : Emphasis
        The emphasis to smooth; it must be given. Where it offers several distributions each is smoothed.
        ``Neighbour(DynamicMixed())`` is the DWK-RA of paper 001.
    n_neighbors : int, default=5
        The number k of neighbours, less than there are samples (with `same_class`: than any class has).
    share : float in [0, 1], default=0.5
        Share of the neighbours; 0 is `base` itself.
    same_class : bool, default=False
        Whether only samples of the same class are neighbours.

    Notes
    -----
    Neighbours are found once for a fit, by Euclidean distance in standardised inputs (a constant column counts for
    nothing). A sample is not its own neighbour; of those at equal distance the first in the table are taken. All
    columns must be numbers, also for learners that take other tables.

    The type of learner that is needed, and how the vote is measured, are those of `base`.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from emphatic import RealAdaBoostClassifier, RBFNetworkClassifier
    >>> from emphatic.emphasis import Mixed, Neighbour
    >>> X, y = make_moons(200, noise=0.2, random_state=0)
    >>> emphasis = Neighbour(Mixed(0.3), n_neighbors=5, share=0.5)
    >>> model = RealAdaBoostClassifier(RBFNetworkClassifier(), emphasis, n_estimators=20, random_state=0).fit(X, y)
    >>> model.score(X, y) > 0.95
    True
    """

    def __init__(
        self, base: Emphasis | None = None, n_neighbors: int = 5, share: float = 0.5, same_class: bool = False
    ) -> None:
        self.base = base
        self.n_neighbors = n_neighbors
        self.share = share
        self.same_class = same_class

    def check_own_parameters(self) -> None:
        check.integer("n_neighbors", self.n_neighbors, at_least=1)
        check.real("share", self.share, 0, 1)
        check.one_of("same_class", self.same_class, (True, False))

    @property
    def needs_all_rows(self) -> str:
        return "it looks for the nearest of all rows"

    def start(self, X: Any, y: IntArray) -> FloatArray:
        inputs = standardise_columns(X)
        groups = [np.flatnonzero(y == code) for code in np.unique(y)] if self.same_class else [np.arange(len(y))]
        fewest = min(len(rows) for rows in groups)
        if self.n_neighbors >= fewest:
            where = "samples in the smallest class" if self.same_class else "samples"
            raise ValueError(
                f"n_neighbors={self.n_neighbors} is not allowed: there are {fewest} {where}, and n_neighbors must be "
                "less than that."
            )
        self.neighbours_ = np.empty((len(y), self.n_neighbors), dtype=np.intp)
        for rows in groups:
            self.neighbours_[rows] = rows[nearest(inputs[rows], self.n_neighbors)]
        return super().start(X, y)

    def change(self, weights: FloatArray) -> FloatArray:
        """The distribution mixed with the means over the neighbours."""
        means = weights[self.neighbours_].mean(axis=-1)
        return distribution_or_uniform((1.0 - self.share) * weights + self.share * means)


def standardise_columns(X: Any) -> FloatArray:
    """Columns of mean 0 and deviation 1, constant ones 0; ValueError unless all values are finite numbers."""
    table = finite_table(X, "Neighbour measures distances")
    largest = np.abs(table).max(axis=0)
    # squares of very large and very small values must neither overflow nor vanish
    table = table / np.where(largest > 0, largest, 1.0)
    return np.asarray(StandardScaler().fit_transform(table))


def nearest(inputs: FloatArray, k: int) -> IntArray:
    """(n, k): the k nearest other rows of each row; of those at equal distance the first.

    >>> nearest(np.array([[0.0], [1.0], [1.0], [5.0]]), 1).ravel()
    array([1, 2, 1, 1])
    """
    n = len(inputs)
    one_more = min(k + 1, n - 1)
    distances, found = NearestNeighbors(n_neighbors=one_more, algorithm="kd_tree").fit(inputs).kneighbors()
    if one_more > k:
        # which of several rows at the k-th distance were found depends on rounding: look at all rows again
        for row in np.flatnonzero(distances[:, k] <= distances[:, k - 1] * (1.0 + 1e-9)):
            squares = ((inputs - inputs[row]) ** 2).sum(axis=1)
            squares[row] = np.inf
            found[row, :k] = np.argsort(squares, kind="stable")[:k]
    return np.asarray(found[:, :k], dtype=np.intp)
