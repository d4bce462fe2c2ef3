"""Kernels of a tree with random thresholds that grows level by level, on rows that lie in partitions.

What `random_trees.grow` asks of the rows of one node is asked of all nodes of a level at once; `first` is the first of
them, and rows that are in a leaf of an earlier level have no part in it. With the same seed it is the same tree.
"""

import numpy as np
from numba import njit

from emphatic.check import FloatArray, IntArray
from emphatic.kernels.random_trees import Short, Single, draw_split, measure_split


@njit(cache=True, nogil=True)
def draw_level(seed: np.uint64, n_tries: int, first: int, n_features: int, features: Short, shares: Single) -> None:
    """All draws of the nodes of a level: `features` and `shares` are (nodes, 2 n_tries)."""
    for k in range(features.shape[0]):
        for turn in range(features.shape[1]):
            features[k, turn], shares[k, turn] = draw_split(seed, n_tries, first + k, turn, n_features)


@njit(cache=True, nogil=True)
def find_nodes(columns: Single, feature: Short, threshold: Single, child: Short) -> Short:
    """The leaf that each row has come to; `columns` are (features, n)."""
    nodes = np.empty(columns.shape[1], np.int32)
    for i in range(len(nodes)):
        node = 0
        while child[node] > 0:
            node = child[node] + (columns[feature[node], i] > threshold[node])
        nodes[i] = node
    return nodes


@njit(cache=True, nogil=True)
def describe_nodes(
    columns: Single,
    codes: IntArray,
    weights: FloatArray,
    nodes: Short,
    first: int,
    features: Short,
    totals: FloatArray,
    sizes: IntArray,
    lows: Single,
    highs: Single,
) -> None:
    """Of every node of the level the weights of its classes, its rows, and the ranges of its `features` (nodes, m)."""
    totals[:], sizes[:], lows[:], highs[:] = 0.0, 0, np.inf, -np.inf
    for i in range(len(nodes)):
        k = nodes[i] - first
        if k < 0:
            continue
        totals[k, codes[i]] += weights[i]
        sizes[k] += 1
        for t in range(features.shape[1]):
            value = columns[features[k, t], i]
            lows[k, t], highs[k, t] = min(lows[k, t], value), max(highs[k, t], value)


@njit(cache=True, nogil=True)
def weigh_splits(
    columns: Single,
    codes: IntArray,
    weights: FloatArray,
    nodes: Short,
    first: int,
    features: Short,
    thresholds: Single,
    left: FloatArray,
    counts: IntArray,
) -> None:
    """Of every split (nodes, tries) the weights of the classes, and the rows, that go left; no split has feature -1."""
    left[:], counts[:] = 0.0, 0
    for i in range(len(nodes)):
        k = nodes[i] - first
        if k < 0:
            continue
        for t in range(features.shape[1]):
            j = features[k, t]
            if j >= 0 and columns[j, i] <= thresholds[k, t]:
                left[k, t, codes[i]] += weights[i]
                counts[k, t] += 1


@njit(cache=True, nogil=True)
def choose_splits(
    features: Short, left: FloatArray, counts: IntArray, totals: FloatArray, sizes: IntArray, least: int
) -> Short:
    """Of every node the try that leaves its sides purest, the first of several; -1 if none is allowed."""
    chosen = np.full(len(features), -1, np.int32)
    for k in range(len(features)):
        best = -1.0
        for t in range(features.shape[1]):
            if features[k, t] < 0 or counts[k, t] < least or sizes[k] - counts[k, t] < least:
                continue
            gain = measure_split(left[k, t], totals[k])
            if gain > best:
                best, chosen[k] = gain, t
    return chosen
