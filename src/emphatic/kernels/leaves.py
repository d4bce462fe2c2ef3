"""Kernels that bring rows to the leaves of trees, and add up the values of these leaves."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from emphatic.check import FloatArray
from emphatic.kernels.random_trees import Short, Single, Trees

LANES = 16
"""Rows that go down a tree side by side."""

STRIDE = 4
"""Levels that they go before it is asked whether all are in leaves."""

MANY = 4096
"""Rows times trees from which on packing the nodes is worth its time, and that of compiling one more kernel."""

PART = 1 << 16
"""Nodes of a tree, and inputs, that a word can tell apart."""


def add_leaves(X: Single, trees: Trees, score: FloatArray) -> None:
    """Add to `score` (n, K) the values of the leaves that the rows of X (n, features) reach in all trees.

    Inputs are no NaN. A row gets the same bits in any company.
    """
    n = len(X)
    if n < LANES or n * len(trees.roots) < MANY or not _can_pack(X, trees):
        add_one_by_one(X, trees, score)
        return
    n -= n % LANES
    add_in_lanes(_order(X[:n]), _pack(trees), trees.roots, trees.values, score[:n])
    add_one_by_one(X[n:], trees, score[n:])


@njit(cache=True, nogil=True)
def add_one_by_one(X: Single, trees: Trees, score: FloatArray) -> None:
    """`add_leaves`, row by row."""
    feature, threshold, child, values, roots = trees
    for root in roots:
        for i in range(len(X)):
            node = root
            while child[node] > 0:
                node = child[node] + (X[i, feature[node]] > threshold[node])
            for k in range(score.shape[1]):
                score[i, k] += values[node, k]


@njit(cache=True, nogil=True)
def add_in_lanes(
    keys: NDArray[np.int32], words: NDArray[np.int64], roots: Short, values: FloatArray, score: FloatArray
) -> None:
    """`add_leaves`, where rows, a multiple of `LANES`, go down a tree side by side.

    There are no branches: a processor cannot guess which way a row goes, and would wait for each. A step reads a word
    and an input, no more. That takes two fifths of the time.
    """
    nodes = np.empty(LANES, np.int64)
    for root in roots:
        own = words[root:]
        for i in range(0, len(keys), LANES):
            rows = keys[i : i + LANES]
            for l in range(LANES):
                nodes[l] = 0
            inner = 1
            while inner != 0:  # some row is not in a leaf yet
                for _ in range(STRIDE):
                    for l in range(LANES):
                        word = own[nodes[l]]
                        is_second = rows[l, word & (PART - 1)] > word >> 32
                        nodes[l] = ((word >> 16) & (PART - 1)) + is_second
                inner = 0
                for l in range(LANES):
                    inner |= ((own[nodes[l]] >> 16) & (PART - 1)) ^ nodes[l]
            for l in range(LANES):
                for k in range(score.shape[1]):
                    score[i + l, k] += values[root + nodes[l], k]


def _can_pack(X: Single, trees: Trees) -> bool:
    """Whether words can tell all inputs, and all nodes of a tree, apart."""
    return X.shape[1] <= PART and int(_count_nodes(trees).max()) <= PART


def _count_nodes(trees: Trees) -> Short:
    """Of each tree."""
    return np.diff(trees.roots, append=np.int32(len(trees.child)))


def _pack(trees: Trees) -> NDArray[np.int64]:
    """Each node as one word: its threshold in the highest bits, then its first child, as the distance from the root,
    and its feature. A leaf is its own child.
    """
    is_leaf, places = trees.child == 0, np.arange(len(trees.child))
    first = np.where(is_leaf, places, trees.child) - np.repeat(trees.roots, _count_nodes(trees))
    limits = _order(np.where(is_leaf, np.float32(np.inf), trees.threshold))
    return (limits.astype(np.int64) << 32) | (first << 16) | trees.feature


def _order(numbers: Single) -> NDArray[np.int32]:
    """Whole numbers that are in the same order, and equal where these numbers are.

    >>> np.diff(_order(np.array([-np.inf, -1.0, -0.0, 0.0, 1e-45, 1.0, np.inf], np.float32))) > 0
    array([ True,  True, False,  True,  True,  True])
    """
    bits = (numbers + np.float32(0.0)).view(np.int32)  # -0.0 becomes 0.0
    return bits ^ ((bits >> 31) & np.int32(0x7FFFFFFF))  # of those below 0, the largest in size is the least


@njit(cache=True, nogil=True)
def add_leaves_left_out(X: Single, trees: Trees, used: NDArray[np.bool_], score: FloatArray) -> None:
    """`add_leaves` where tree t says nothing about the rows that it was grown on, which `used` (trees, n) marks."""
    for t in range(len(trees.roots)):
        for i in range(X.shape[0]):
            if used[t, i]:
                continue
            node = trees.roots[t]
            while trees.child[node] > 0:
                node = trees.child[node] + (X[i, trees.feature[node]] > trees.threshold[node])
            for c in range(score.shape[1]):
                score[i, c] += trees.values[node, c]


@njit(cache=True, nogil=True)
def add_leaves_with_missing(X: Single, trees: Trees, missing_right: NDArray[np.bool_], score: FloatArray) -> None:
    """`add_leaves` for rows with missing values (NaN), which go to the second child where `missing_right` is set."""
    for root in trees.roots:
        for i in range(X.shape[0]):
            node = root
            while trees.child[node] > 0:
                value = X[i, trees.feature[node]]
                right = missing_right[node] if np.isnan(value) else value > trees.threshold[node]
                node = trees.child[node] + right
            for c in range(score.shape[1]):
                score[i, c] += trees.values[node, c]
