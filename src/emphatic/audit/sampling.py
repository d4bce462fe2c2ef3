"""Samples of the rows of a table that is too large to learn from all of it."""

import numpy as np

from emphatic.check import IntArray

LEAST_OF_CLASS = 20
"""Rows of a class that a sample has at least, if there are as many and there is room for so many of every class."""


def draw_sample(codes: IntArray, n: int, rng: np.random.Generator) -> IntArray:
    """Positions of about n rows, in their order: every class in its share, rare ones with at least 20 rows.

    >>> import numpy as np
    >>> codes = np.repeat([0, 1, 2], [900, 97, 3])
    >>> np.bincount(codes[draw_sample(codes, 100, np.random.default_rng(0))])
    array([90, 20,  3])
    """
    shuffled = rng.permutation(len(codes))
    by_class = shuffled[np.argsort(codes[shuffled], kind="stable")]
    counts = np.bincount(codes)
    wanted = np.maximum(counts * n // len(codes), np.minimum(counts, min(LEAST_OF_CLASS, n // len(counts))))
    place = np.arange(len(codes)) - np.repeat(np.cumsum(counts) - counts, counts)  # of a row within its class
    return np.sort(by_class[place < np.repeat(wanted, counts)])
