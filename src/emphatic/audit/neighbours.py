"""The rows that are most similar to each row, for people who judge its label."""

import numpy as np
from sklearn.neighbors import NearestNeighbors

from emphatic.audit.troubles.neighbours import N_NEIGHBOURS, count_references
from emphatic.audit.troubles.neighbours import find_neighbours as find_among_references
from emphatic.check import FloatArray, IntArray

MOST_ROWS = 20_000
"""Above, neighbours are looked for among a sample of the rows."""


def count_candidates(n_rows: int, n_inputs: int) -> int:
    """Rows among which the neighbours of a row are looked for."""
    return n_rows if n_rows <= MOST_ROWS else count_references(n_rows, n_inputs)


def find_neighbours(inputs: FloatArray, rng: np.random.Generator) -> IntArray:
    """(n, k): positions of the ten nearest other rows (in a smaller table, of all), nearest first.

    In a table of more than 20,000 rows, the nearest among at most 10,000 rows that `rng` draws: similar ones, but not
    the most similar.

    >>> import numpy as np
    >>> find_neighbours(np.array([[0.0], [1.0], [3.0]]), np.random.default_rng(0))
    array([[1, 2],
           [0, 2],
           [1, 0]])
    """
    n = len(inputs)
    if n > MOST_ROWS:
        return find_among_references(inputs, np.arange(n), rng).neighbours
    search = NearestNeighbors(n_neighbors=min(N_NEIGHBOURS, n - 1)).fit(inputs)
    return np.asarray(search.kneighbors(return_distance=False), dtype=np.intp)
