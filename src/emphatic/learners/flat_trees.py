"""Trees that scikit-learn grew, in our own flat arrays: with the same decisions, and nothing but numbers."""

import numpy as np
from numpy.typing import ArrayLike

from emphatic.kernels.random_trees import Trees


def flatten_nodes(
    left: ArrayLike, right: ArrayLike, feature: ArrayLike, threshold: ArrayLike, values: ArrayLike
) -> Trees:
    """One tree as `Trees`, its nodes in breadth-first order, so that two children lie side by side.

    `left` and `right` are the children of each node, and the same number (-1, say) twice at a leaf; `values` are
    (nodes, K). Decisions on inputs of single precision stay the same: x <= threshold holds for a float32 x exactly if
    x is at most the largest float32 that is not above the threshold.

    >>> tree = flatten_nodes([1, -1, 3, -1, -1], [2, -1, 4, -1, -1], [0, 0, 1, 0, 0], [0.5, 0, 0.1, 0, 0], np.eye(5))
    >>> tree.child, tree.feature
    (array([1, 0, 3, 0, 0], dtype=int32), array([0, 0, 1, 0, 0], dtype=int32))
    """
    order = order_nodes(left, right)
    is_leaf = np.equal(left, right)[order]
    child = np.zeros(len(order), dtype=np.int32)
    child[~is_leaf] = 1 + 2 * np.arange(np.count_nonzero(~is_leaf))  # inner nodes give birth to pairs in their order
    return Trees(
        np.where(is_leaf, 0, np.asarray(feature)[order]).astype(np.int32),
        np.where(is_leaf, np.float32(0.0), _round_down(np.asarray(threshold, dtype=np.float64)[order])),
        child,
        np.ascontiguousarray(np.asarray(values, dtype=np.float64)[order]),
        np.zeros(1, dtype=np.int32),
    )


def order_nodes(left: ArrayLike, right: ArrayLike) -> np.ndarray:
    """The nodes of a tree in breadth-first order, the left child of a node just before the right one."""
    pairs, order = np.column_stack([left, right]), [0]
    for node in order:  # which grows meanwhile
        first, second = pairs[node].tolist()
        if first != second:
            order += [first, second]
    return np.array(order)


def _round_down(numbers: np.ndarray) -> np.ndarray:
    """The largest single-precision number that is not above each number."""
    with np.errstate(over="ignore"):
        singles = numbers.astype(np.float32)
    return np.where(singles > numbers, np.nextafter(singles, np.float32(-np.inf)), singles)
