"""Counts, means and squared deviations, of parts and of all of them."""

import numpy as np

from emphatic.check import FloatArray


def merge_moments(n: FloatArray, mean: FloatArray, squares: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Counts, means and sums of squared deviations of the union of parts, without cancellation (Chan et al. 1983).

    >>> whole = merge_moments(np.array([[1], [3]]), np.array([[4.0], [2.0]]), np.array([[0.0], [8.0]]))
    >>> [one.tolist() for one in whole]  # of 4 and of 0, 2, 4
    [[4], [2.5], [11.0]]
    """
    total = n.sum(axis=0)
    share = np.divide(n, total, out=np.zeros(n.shape), where=total > 0)
    joint = (share * mean).sum(axis=0)
    return total, joint, squares.sum(axis=0) + (n * (mean - joint) ** 2).sum(axis=0)
