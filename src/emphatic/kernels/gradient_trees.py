"""Kernels of gradient-boosted trees: histograms of binned inputs, summed in whole numbers.

A leaf with the gradient G and the second derivative H, each summed over its rows, has the value -rate G / (H + ridge).
Splitting it into two gains

    G1^2 / (H1 + ridge) + G2^2 / (H2 + ridge) - G^2 / (H + ridge).

The children of a node are told apart by the bin of one column of bins: the second has those above `low` and up to
`high`. A column holds the bins of one input, where `high` is the last one of all; or it is *exclusive*, a bundle of
indicators of which at most one is set in a row: bin k stands for the k-th of them, bin 0 for none, and the second child
has one bin. The histogram of a bundle then costs as much as that of a single input (LightGBM's exclusive feature
bundling), and no split is lost.

Gradients and second derivatives are rounded to whole numbers and packed into one: the upper 32 bits hold the gradient,
the lower ones the second derivative. So a histogram takes one addition per row and input, the histogram of a sibling is
an exact difference, and no sum depends on the order of the rows.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from emphatic.check import FloatArray, IntArray
from emphatic.kernels.draws import STEP, mix

Bytes = NDArray[np.uint8]
Packed = NDArray[np.int64]

LOWER = 32
MASK = (1 << LOWER) - 1
FINEST = 1 << 15
"""Gradients are rounded to this many steps at most, fewer where a sum over all rows would need more than 31 bits."""


class Rules(NamedTuple):
    """How trees are grown.

    Attributes
    ----------
    rate : what the values of leaves are multiplied by
    leaves : of a tree, at most
    ridge : added to the second derivative of every leaf
    least : second derivatives of a leaf, in sum
    row_share : of the rows that a tree is grown on, drawn anew for each
    column_share : of the columns of bins that a tree may ask for, drawn anew for each
    """

    rate: float
    leaves: int
    ridge: float
    least: float
    row_share: float
    column_share: float


class Forest(NamedTuple):
    """Nodes of trees one after another, `2 leaves - 1` places each; see `emphatic.kernels.random_trees`.

    Features are columns of bins, and `low` takes the place of the threshold.
    """

    feature: NDArray[np.int32]
    low: Bytes
    child: NDArray[np.int32]
    value: FloatArray
    sizes: NDArray[np.int32]
    """(trees,): how many nodes each has."""


def make_room(n_trees: int, leaves: int) -> Forest:
    """Room for so many trees."""
    room = n_trees * (2 * leaves - 1)
    whole, sizes = np.zeros(room, np.int32), np.zeros(n_trees, np.int32)
    return Forest(whole, np.zeros(room, np.uint8), whole.copy(), np.zeros(room), sizes)


@njit(cache=True, nogil=True, error_model="numpy")
def derive(score: FloatArray, codes: IntArray, weights: FloatArray, gradient: FloatArray, second: FloatArray) -> None:
    """First and second derivatives of the log loss by the scores (outputs, n); one output is the logit of class 1."""
    outputs, n = score.shape
    if outputs == 1:
        for i in range(n):
            p = 1.0 / (1.0 + np.exp(-score[0, i]))
            gradient[0, i] = weights[i] * (p - codes[i])
            second[0, i] = weights[i] * p * (1.0 - p)
        return
    stretch = outputs / (outputs - 1.0)  # one of the outputs is redundant
    for i in range(n):
        highest = score[0, i]
        for k in range(1, outputs):
            highest = max(highest, score[k, i])
        total = 0.0
        for k in range(outputs):
            gradient[k, i] = np.exp(score[k, i] - highest)
            total += gradient[k, i]
        for k in range(outputs):
            p = gradient[k, i] / total
            gradient[k, i] = weights[i] * (p - (codes[i] == k))
            second[k, i] = weights[i] * stretch * p * (1.0 - p)


@njit(cache=True, nogil=True, error_model="numpy")
def _pack(gradient: FloatArray, second: FloatArray, packed: Packed) -> tuple[float, float]:
    """Round both into `packed`; return what one step of each is worth."""
    n = len(packed)
    largest, largest_second = 1e-300, 1e-300
    for i in range(n):
        largest = max(largest, abs(gradient[i]))
        largest_second = max(largest_second, second[i])
    steps = float(min(FINEST, (2**31 - 1) // n))
    scale, scale_second = steps / largest, steps / largest_second
    for i in range(n):
        packed[i] = (np.int64(np.rint(gradient[i] * scale)) << LOWER) + np.int64(np.rint(second[i] * scale_second))
    return 1.0 / scale, 1.0 / scale_second


@njit(cache=True, nogil=True)
def _sum_bins(
    bins: Bytes, packed: Packed, rows: NDArray[np.int32], features: NDArray[np.int32], starts: IntArray, sums: Packed
) -> None:
    """The histograms of some rows: `sums[starts[j] + b]` is that of bin b of the j-th of the features."""
    sums[:] = 0
    n_features = len(features)
    for place in range(len(rows)):
        row = rows[place]
        addend = packed[row]
        for j in range(n_features):
            sums[starts[j] + bins[row, features[j]]] += addend


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def find_largest_gain(
    work: NDArray[np.float32],
    size: int,
    G: np.float32,
    H: np.float32,
    ridge: np.float32,
    least: np.float32,
    best: np.float32,
) -> tuple[np.float32, int]:
    """The first of the largest gains above `best` among `size` splits, and its place; -1 if there is none.

    `work` holds the gradients of the first children, their second derivatives, and room for the gains.
    """
    for b in range(size):
        g, h = work[0, b], work[1, b]
        gain = g * g / (h + ridge) + (G - g) * (G - g) / (H - h + ridge)
        work[2, b] = gain if h >= least and H - h >= least else np.float32(0.0)
    place = -1
    for b in range(size):
        if work[2, b] > best:
            best, place = work[2, b], b
    return best, place


@njit(cache=True, nogil=True, error_model="numpy")
def _find_split(
    sums: Packed,
    starts: IntArray,
    exclusive: NDArray[np.bool_],
    total: int,
    ridge: float,
    least: float,
    work: NDArray[np.float32],
) -> tuple[float, int, int]:
    """The best split of a node: what it gains, the place of its feature, and `low`.

    `ridge` and `least` are in steps of the second derivative, and gains in squared steps of the gradient over those.
    """
    G, H = np.float32(total >> LOWER), np.float32(total & MASK)
    best, feature, low = np.float32(0.0), -1, -1
    for j in range(len(starts) - 1):
        start, size = starts[j], starts[j + 1] - starts[j] - 1
        if exclusive[j]:
            for b in range(size):
                others = total - sums[start + b + 1]
                work[0, b], work[1, b] = np.float32(others >> LOWER), np.float32(others & MASK)
        else:
            running = np.int64(0)
            for b in range(size):
                running += sums[start + b]
                work[0, b], work[1, b] = np.float32(running >> LOWER), np.float32(running & MASK)
        gain, b = find_largest_gain(work, size, G, H, np.float32(ridge), np.float32(least), best)
        if b >= 0:
            best, feature, low = gain, j, b
    return (float(best - G * G / (H + np.float32(ridge))) if feature >= 0 else 0.0), feature, low


@njit(cache=True, nogil=True, error_model="numpy")
def _grow(
    bins: Bytes,
    packed: Packed,
    rows: NDArray[np.int32],
    features: NDArray[np.int32],
    starts: IntArray,
    exclusive: NDArray[np.bool_],
    rules: Rules,
    steps: tuple[float, float],
    pool: Packed,
    work: NDArray[np.float32],
    feature: NDArray[np.int32],
    low: Bytes,
    child: NDArray[np.int32],
    value: FloatArray,
    score: FloatArray,
) -> int:
    """Grow one tree, always splitting the leaf that gains most; fill in its nodes, and return how many there are.

    What it says about its rows is added to their scores: which leaf they are in is known.
    """
    room = 2 * rules.leaves - 1
    # ridge and least, in steps of the second derivative
    ridge, least = rules.ridge / steps[1], rules.least / steps[1]
    begin, end = np.zeros(room, np.int32), np.zeros(room, np.int32)
    first = np.zeros(room, np.int32)  # child, before nodes are ordered
    totals = np.zeros(room, np.int64)
    gains = np.zeros(room, np.float32)
    asked, border = np.zeros(room, np.int32), np.zeros(room, np.int32)
    slot = np.zeros(room, np.int32)
    other = np.empty(len(rows), np.int32)
    end[0] = len(rows)
    for place in range(len(rows)):
        totals[0] += packed[rows[place]]
    _sum_bins(bins, packed, rows, features, starts, pool[0])
    gains[0], asked[0], border[0] = _find_split(pool[0], starts, exclusive, totals[0], ridge, least, work)
    n_nodes, n_leaves = 1, 1
    while n_leaves < rules.leaves:
        node = -1
        for k in range(n_nodes):
            if first[k] == 0 and gains[k] > 0.0 and (node < 0 or gains[k] > gains[node]):
                node = k
        if node < 0:
            break
        own = rows[begin[node] : end[node]]
        high = find_high(border[node], exclusive[asked[node]])
        middle = begin[node] + _part(bins[:, features[asked[node]]], border[node], high, own, other)
        left, right = n_nodes, n_nodes + 1
        first[node] = left
        begin[left], end[left], begin[right], end[right] = begin[node], middle, middle, end[node]
        n_nodes, n_leaves = n_nodes + 2, n_leaves + 1
        small, large = (left, right) if middle - begin[node] <= end[node] - middle else (right, left)
        slot[large], slot[small] = slot[node], n_leaves - 1
        of_small, of_large = pool[slot[small]], pool[slot[large]]
        _sum_bins(bins, packed, rows[begin[small] : end[small]], features, starts, of_small)
        for k in range(len(of_small)):
            of_large[k] -= of_small[k]
        for k in range(starts[0], starts[1]):  # any feature has all rows
            totals[small] += of_small[k]
        totals[large] = totals[node] - totals[small]
        if n_leaves < rules.leaves:
            for one in (small, large):
                gains[one], asked[one], border[one] = _find_split(
                    pool[slot[one]], starts, exclusive, totals[one], ridge, least, work
                )
    queue = order_nodes(first[:n_nodes], child)
    for k in range(n_nodes):
        node = queue[k]
        if child[k] > 0:
            feature[k], low[k], value[k] = features[asked[node]], border[node], 0.0
        else:
            g, h = steps[0] * (totals[node] >> LOWER), steps[1] * (totals[node] & MASK)
            feature[k], low[k], value[k] = 0, 0, -rules.rate * g / (h + rules.ridge)
            for place in range(begin[node], end[node]):
                score[rows[place]] += value[k]
    return n_nodes


@njit(cache=True, nogil=True, inline="always")
def find_high(low: int, is_exclusive: bool) -> int:
    """The last bin of a second child whose bins are those above `low`."""
    return low + 1 if is_exclusive else 255


@njit(cache=True, nogil=True)
def _part(column: Bytes, low: int, high: int, rows: NDArray[np.int32], other: NDArray[np.int32]) -> int:
    """Bring the rows of the first child to the front, in their order, and the others behind; count the first."""
    front = back = 0
    for place in range(len(rows)):
        row = rows[place]
        if column[row] <= low or column[row] > high:
            rows[front] = row
            front += 1
        else:
            other[back] = row
            back += 1
    for place in range(back):
        rows[front + place] = other[place]
    return front


@njit(cache=True, nogil=True)
def order_nodes(first: NDArray[np.int32], child: NDArray[np.int32]) -> NDArray[np.int32]:
    """The nodes in breadth-first order; `first` are their children (0: none), and `child` those in the new order."""
    queue = np.zeros(len(first), np.int32)
    found = 1
    for k in range(len(first)):
        node = queue[k]
        child[k] = 0
        if first[node] > 0:
            child[k] = found
            queue[found], queue[found + 1] = first[node], first[node] + 1
            found += 2
    return queue


@njit(cache=True, nogil=True)
def _add_tree(
    bins: Bytes, exclusive: NDArray[np.bool_], forest: Forest, root: int, used: NDArray[np.bool_], score: FloatArray
) -> None:
    """Add what the tree that begins at `root` says to the scores of the rows that it was not grown on."""
    for i in range(len(score)):
        if used[i]:
            continue
        node = root
        while forest.child[node] > 0:
            column, low = forest.feature[node], forest.low[node]
            is_second = low < bins[i, column] <= find_high(low, exclusive[column])
            node = root + forest.child[node] + is_second
        score[i] += forest.value[node]


@njit(cache=True, nogil=True)
def choose(state: NDArray[np.uint64], n: int, share: float) -> NDArray[np.int32]:
    """This share of 0 .. n - 1, rounded up, in order, drawn without replacement; `state` is a counter of SplitMix64."""
    count = max(1, int(np.ceil(share * n)))
    chosen, place = np.empty(count, np.int32), 0
    for i in range(n):
        if place == count:
            break
        state[0] += STEP
        if (mix(state[0]) >> np.uint64(11)) * 2.0**-53 * (n - i) < count - place:
            chosen[place] = i
            place += 1
    return chosen


@njit(cache=True, nogil=True, error_model="numpy")
def boost(
    bins: Bytes,
    n_bins: IntArray,
    exclusive: NDArray[np.bool_],
    codes: IntArray,
    weights: FloatArray,
    n_rounds: int,
    rules: Rules,
    score: FloatArray,
    state: NDArray[np.uint64],
    forest: Forest,
) -> None:
    """Boost for some rounds, from the scores (outputs, n) on; they are updated, and the trees fill the `forest`.

    A round adds one tree per output. Column j of the `bins` (n, columns) has the values 0 .. n_bins[j] - 1.
    """
    outputs, n = score.shape
    n_columns = bins.shape[1]
    gradient, second = np.empty((outputs, n)), np.empty((outputs, n))
    packed = np.empty(n, np.int64)
    room = 2 * rules.leaves - 1
    every = 0
    for j in range(n_columns):
        every += n_bins[j]
    pool = np.empty((rules.leaves, every), np.int64)
    work = np.empty((3, 256), np.float32)
    starts = np.zeros(n_columns + 1, np.intp)
    used = np.empty(n, np.bool_)
    asks_one = np.empty(n_columns, np.bool_)  # of each of the features, whether it is exclusive
    done = 0
    for _ in range(n_rounds):
        derive(score, codes, weights, gradient, second)
        for k in range(outputs):
            rows = choose(state, n, rules.row_share)
            features = choose(state, n_columns, rules.column_share)
            for j in range(len(features)):
                starts[j + 1] = starts[j] + n_bins[features[j]]
                asks_one[j] = exclusive[features[j]]
            width = starts[len(features)]
            steps = _pack(gradient[k], second[k], packed)
            place = done * room
            size = _grow(
                bins,
                packed,
                rows,
                features,
                starts[: len(features) + 1],
                asks_one,
                rules,
                steps,
                pool[:, :width],
                work,
                forest.feature[place : place + room],
                forest.low[place : place + room],
                forest.child[place : place + room],
                forest.value[place : place + room],
                score[k],
            )
            forest.sizes[done] = size
            done += 1
            used[:] = False
            for row in rows:
                used[row] = True
            _add_tree(bins, exclusive, forest, place, used, score[k])
