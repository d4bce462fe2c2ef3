"""The nearest rows of every row, among all or, in a large table, among a sample of them."""

from typing import NamedTuple

import numpy as np
from sklearn.neighbors import NearestNeighbors

from emphatic.check import FloatArray, IntArray

N_NEIGHBOURS = 10
MOST_REFERENCES = 10_000
"""Rows among which neighbours are looked for; of more rows, so many are drawn."""

MOST_PRODUCTS = 4e10
"""Rows times references times inputs at most: about half a minute. Wide tables have fewer references."""

MOST_TREE_INPUTS = 6
"""With more inputs than this, a tree of the rows takes longer than all distances."""


class Neighbourhood(NamedTuple):
    """Neighbours of some rows of a table, nearest first, never the row itself.

    Attributes
    ----------
    rows : (m,) positions of the rows
    neighbours : (m, k) positions of their neighbours
    distances : (m, k)
    share : of the rows, those among which neighbours were looked for
    """

    rows: IntArray
    neighbours: IntArray
    distances: FloatArray
    share: float

    @property
    def n_inside(self) -> float:
        """Rows within the distance of the last neighbour, counting those that were not looked at."""
        return self.distances.shape[1] / self.share


def count_references(n_rows: int, n_inputs: int) -> int:
    """Rows among which neighbours are looked for.

    >>> count_references(5_000, 20), count_references(100_000, 20), count_references(1_000_000, 20)
    (5000, 10000, 2000)
    """
    most = min(MOST_REFERENCES, int(MOST_PRODUCTS / (n_rows * n_inputs)))
    return min(n_rows, max(most, 2 * N_NEIGHBOURS))


def find_neighbours(inputs: FloatArray, rows: IntArray, rng: np.random.Generator) -> Neighbourhood:
    """Up to ten neighbours of each of these rows of `inputs`, among these rows, of which there must be two or more.

    >>> found = find_neighbours(np.array([[0.0], [1.0], [9.0], [3.0]]), np.array([0, 1, 3]), np.random.default_rng(0))
    >>> found.neighbours
    array([[1, 3],
           [0, 3],
           [1, 0]])
    """
    n_references = count_references(len(rows), inputs.shape[1])
    references = rows
    if n_references < len(rows):
        references = np.sort(rng.choice(rows, n_references, replace=False))
    k = min(N_NEIGHBOURS, len(references) - 1)
    algorithm = "kd_tree" if inputs.shape[1] <= MOST_TREE_INPUTS else "brute"
    search = NearestNeighbors(n_neighbors=k + 1, algorithm=algorithm).fit(inputs[references])
    distances, places = search.kneighbors(inputs[rows])
    found = references[places]
    # A row that is a reference is among its own neighbours, not always as the first: others may be as near.
    own = found == rows[:, None]
    own[~own.any(axis=1), -1] = True
    shape = (len(rows), k)
    share = len(references) / len(rows)
    return Neighbourhood(rows, found[~own].reshape(shape), distances[~own].reshape(shape), share)
