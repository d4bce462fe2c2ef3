"""Kernels of gradient-boosted trees whose rows lie in several places: each place sums what a tree needs of its rows.

The trees are those of `emphatic.kernels.gradient_trees`, of which this is the part that runs where rows are; what they
are grown from, sums in whole numbers, is the same however the rows are divided. There a packed sum has room for about
65,000 rows of full resolution, and more rows are rounded more coarsely. Here sums are unpacked after so many rows.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from emphatic.check import FloatArray, IntArray
from emphatic.kernels.gradient_trees import (
    FINEST,
    LOWER,
    MASK,
    Bytes,
    Packed,
    derive,
    find_high,
    find_largest_gain,
)

Nodes = NDArray[np.int16]

BLOCK = (2**31 - 1) // FINEST
"""Rows whose packed sum fits."""


@njit(cache=True, nogil=True, error_model="numpy")
def find_largest(score: FloatArray, codes: IntArray, weights: FloatArray) -> FloatArray:
    """(outputs, 2): the largest gradient and second derivative of each output; scores are (outputs, n)."""
    gradient, second = np.empty(score.shape), np.empty(score.shape)
    derive(score, codes, weights, gradient, second)
    largest = np.full((len(score), 2), 1e-300)
    for k in range(len(score)):
        for i in range(score.shape[1]):
            largest[k, 0] = max(largest[k, 0], abs(gradient[k, i]))
            largest[k, 1] = max(largest[k, 1], second[k, i])
    return largest


@njit(cache=True, nogil=True, error_model="numpy")
def pack(score: FloatArray, codes: IntArray, weights: FloatArray, largest: FloatArray) -> Packed:
    """(n, outputs): both derivatives in steps, so that the `largest` of all rows (outputs, 2) are `FINEST` of them."""
    gradient, second = np.empty(score.shape), np.empty(score.shape)
    derive(score, codes, weights, gradient, second)
    packed = np.empty((score.shape[1], score.shape[0]), np.int64)
    for k in range(len(score)):
        scale, scale_second = FINEST / largest[k, 0], FINEST / largest[k, 1]
        for i in range(score.shape[1]):
            upper = np.int64(np.rint(gradient[k, i] * scale)) << LOWER
            packed[i, k] = upper + np.int64(np.rint(second[k, i] * scale_second))
    return packed


@njit(cache=True, nogil=True)
def move_rows(
    bins: Bytes,
    exclusive: NDArray[np.bool_],
    feature: NDArray[np.int32],
    low: Bytes,
    child: NDArray[np.int32],
    nodes: Nodes,
) -> Nodes:
    """The nodes that rows are in, when those in nodes with children (from `child` on; 0 for none) have gone there."""
    moved = nodes.copy()
    for i in range(len(nodes)):
        node = nodes[i]
        if child[node] > 0:
            column = feature[node]
            is_second = low[node] < bins[i, column] <= find_high(low[node], exclusive[column])
            moved[i] = child[node] + is_second
    return moved


@njit(cache=True, nogil=True)
def sum_nodes(
    bins: Bytes,
    packed: Packed,
    nodes: Nodes,
    slots: NDArray[np.int32],
    features: NDArray[np.int32],
    starts: IntArray,
    n_slots: int,
) -> NDArray[np.int64]:
    """(slots, 2, bins of the features): histograms of the gradients and second derivatives of some nodes.

    `slots` says for each node which histogram its rows go into; -1 for none.
    """
    width = starts[len(features)]
    sums = np.zeros((n_slots, 2, width), np.int64)
    block = np.zeros((n_slots, width), np.int64)
    for begin in range(0, len(bins), BLOCK):
        block[:] = 0
        for i in range(begin, min(begin + BLOCK, len(bins))):
            slot = slots[nodes[i]]
            if slot < 0:
                continue
            addend = packed[i]
            for j in range(len(features)):
                block[slot, starts[j] + bins[i, features[j]]] += addend
        for slot in range(n_slots):
            for b in range(width):
                sums[slot, 0, b] += block[slot, b] >> LOWER
                sums[slot, 1, b] += block[slot, b] & MASK
    return sums


@njit(cache=True, nogil=True, error_model="numpy")
def find_split(
    sums: NDArray[np.int64],
    starts: IntArray,
    exclusive: NDArray[np.bool_],
    ridge: float,
    least: float,
) -> tuple[float, int, int]:
    """The best split of a node with the histograms `sums` (2, bins): its gain, the place of its feature, and `low`."""
    total, total_second = sums[0, starts[0] : starts[1]].sum(), sums[1, starts[0] : starts[1]].sum()
    G, H = np.float32(total), np.float32(total_second)
    work = np.empty((3, 256), np.float32)
    best, feature, low = np.float32(0.0), -1, -1
    for j in range(len(starts) - 1):
        start, size = starts[j], starts[j + 1] - starts[j] - 1
        running, running_second = np.int64(0), np.int64(0)
        for b in range(size):
            if exclusive[j]:
                running, running_second = total - sums[0, start + b + 1], total_second - sums[1, start + b + 1]
            else:
                running, running_second = running + sums[0, start + b], running_second + sums[1, start + b]
            work[0, b], work[1, b] = np.float32(running), np.float32(running_second)
        gain, b = find_largest_gain(work, size, G, H, np.float32(ridge), np.float32(least), best)
        if b >= 0:
            best, feature, low = gain, j, b
    return (float(best - G * G / (H + np.float32(ridge))) if feature >= 0 else 0.0), feature, low
