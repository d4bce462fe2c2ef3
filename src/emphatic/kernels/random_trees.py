"""Classification trees with random thresholds: the arrays that hold any trees, and the kernel that grows one.

A node is a place in five arrays. The children of node k are nodes `child[k]` and `child[k] + 1`; rows whose input
`feature[k]` is at most `threshold[k]` go to the first. `child` of a leaf is 0, which is the root and no one's child.
"""

from typing import Any, NamedTuple, Self

import numpy as np
from numba import njit
from numpy.typing import NDArray

from emphatic.check import FloatArray, IntArray
from emphatic.fields import Array, saved
from emphatic.kernels.draws import uniform

Single = NDArray[np.float32]
Short = NDArray[np.int32]


@saved(
    splits=Array(np.bool_, "nodes"),
    feature=Array(np.int32, "inner nodes", low=0),
    threshold=Array(np.float32, "inner nodes", high=np.inf),  # of a split that only sets missing values apart
    values=Array(np.float64, "leaves", "columns"),
    roots=Array(np.int32, "trees", low=0, below="nodes"),
)
class Trees(NamedTuple):
    """Nodes of one tree, or of many one after another: `roots` are the places where each begins."""

    feature: Short
    threshold: Single
    child: Short
    values: FloatArray
    """(nodes, K): the value of a leaf for each class."""
    roots: Short

    def list_saved(self) -> dict[str, np.ndarray]:
        """The fields for a file: which nodes split, how the inner ones do, and the values of the leaves.

        The nodes of a tree are in breadth-first order, so their children need not be listed.
        """
        splits = self.child > 0
        return {
            "splits": splits,
            "feature": self.feature[splits],
            "threshold": self.threshold[splits],
            "values": self.values[~splits],
            "roots": self.roots,
        }

    @classmethod
    def from_saved(
        cls, splits: NDArray[np.bool_], feature: Short, threshold: Single, values: Any, roots: Short
    ) -> Self:
        """The trees of these fields; ValueError if they are no trees."""
        n, n_inner = len(splits), int(splits.sum())
        if not len(roots) or roots[0] != 0 or (roots[1:] <= roots[:-1]).any():
            raise ValueError("the first tree must begin at node 0, and every other after the one before it")
        if (len(feature), len(values)) != (n_inner, n - n_inner):
            raise ValueError(
                f"{n_inner} of {n} nodes are split, but {len(feature)} splits and {len(values)} leaves exist"
            )
        sizes = np.diff(roots, append=np.int32(n))
        starts = np.repeat(roots, sizes)
        before: Any = np.cumsum(splits) - splits  # inner nodes that come earlier, in all trees
        child = np.where(splits, starts + 1 + 2 * (before - before[starts]), 0).astype(np.int32)
        inner = np.flatnonzero(splits)
        if (np.add.reduceat(splits, roots, dtype=np.intp) * 2 + 1 != sizes).any() or (child[inner] <= inner).any():
            raise ValueError("the nodes of a tree must be in breadth-first order")
        whole = np.zeros((n, values.shape[1]))
        whole[~splits] = values
        features, thresholds = np.zeros(n, np.int32), np.zeros(n, np.float32)
        features[splits], thresholds[splits] = feature, threshold
        return cls(features, thresholds, child, whole, roots)

    def check_shape(self, n_inputs: int, n_columns: int) -> None:
        """Raise ValueError unless the trees ask for inputs that exist, and have so many values per leaf."""
        if self.feature.max() >= n_inputs or self.values.shape[1] != n_columns:
            raise ValueError(f"trees that ask for {n_inputs} inputs at most, and answer {n_columns} values, are needed")


@njit(cache=True, error_model="numpy", nogil=True)
def grow(
    inputs: Single,
    codes: IntArray,
    weights: FloatArray,
    rows: Short,
    seed: np.uint64,
    n_tries: int,
    max_depth: int,
    least: int,
    trees: Trees,
) -> int:
    """Grow a tree on `rows` (reordered in place) into the empty nodes of `trees`; return the number of its nodes.

    `inputs` are (features, n): the rows of a node are read feature by feature. A node draws features until `n_tries`
    that differ within it are found or twice as many are drawn, and for each a threshold between the least and the
    largest value; the split of the lowest Gini impurity is kept. `values` become the shares of the classes, by weight.
    Draw k of node j takes the uniform numbers 2 (2 `n_tries` j + k) and the next of `seed`.
    """
    n_features, n_classes = inputs.shape[0], trees.values.shape[1]
    left, total = np.empty(n_classes, np.float64), np.empty(n_classes, np.float64)
    room = len(trees.child)
    starts, ends, depths = np.empty(room, np.int32), np.empty(room, np.int32), np.empty(room, np.int32)
    starts[0], ends[0], depths[0] = 0, len(rows), 0
    n_nodes, node = 1, 0
    while node < n_nodes:  # children come after their parents: one pass meets all
        start, end = starts[node], ends[node]
        total[:] = 0.0
        for place in range(start, end):
            total[codes[rows[place]]] += weights[rows[place]]
        mass = add_up(total)
        for c in range(n_classes):
            trees.values[node, c] = total[c] / mass
        trees.child[node] = 0
        best, found = -1.0, 0
        splittable = depths[node] < max_depth and end - start >= 2 * least and n_nodes + 2 <= room
        if splittable and is_mixed(total):
            for turn in range(2 * n_tries):
                j, share = draw_split(seed, n_tries, node, turn, n_features)
                column = inputs[j]
                low = high = column[rows[start]]
                for place in range(start + 1, end):
                    value = column[rows[place]]
                    low, high = min(low, value), max(high, value)
                threshold = low + share * (high - low)
                if not low <= threshold < high:
                    continue
                left[:] = 0.0
                count = 0
                for place in range(start, end):
                    row = rows[place]
                    if column[row] <= threshold:
                        left[codes[row]] += weights[row]
                        count += 1
                if count >= least and end - start - count >= least:
                    gain = measure_split(left, total)
                    if gain > best:
                        best = gain
                        trees.feature[node], trees.threshold[node] = j, threshold
                found += 1
                if found == n_tries:
                    break
        if best >= 0.0:
            middle = _divide(inputs[trees.feature[node]], trees.threshold[node], rows, start, end)
            trees.child[node] = n_nodes
            starts[n_nodes], ends[n_nodes], starts[n_nodes + 1], ends[n_nodes + 1] = start, middle, middle, end
            depths[n_nodes] = depths[n_nodes + 1] = depths[node] + 1
            n_nodes += 2
        node += 1
    return n_nodes


@njit(cache=True, inline="always")
def draw_split(seed: np.uint64, n_tries: int, node: int, turn: int, n_features: int) -> tuple[int, np.float32]:
    """A feature, and how far the threshold lies between its least and its largest value."""
    drawn = 2 * (2 * n_tries * node + turn)
    feature = min(int(uniform(seed, drawn) * n_features), n_features - 1)
    return feature, uniform(seed, drawn + 1)


@njit(cache=True, error_model="numpy", inline="always")
def add_up(weights: FloatArray) -> float:
    """Their sum, one by one. (`weights.sum()` is the same loop, but takes a quarter of a second to compile.)"""
    total = 0.0
    for c in range(len(weights)):
        total += weights[c]
    return total


@njit(cache=True, error_model="numpy", inline="always")
def is_mixed(total: FloatArray) -> bool:
    """Whether a node has more than one class, by the weights of its classes."""
    largest = total[0]
    for c in range(1, len(total)):
        largest = max(largest, total[c])
    return largest < add_up(total) * (1.0 - 1e-9)


@njit(cache=True, error_model="numpy", inline="always")
def measure_split(left: FloatArray, total: FloatArray) -> float:
    """How pure a split leaves its two sides, by the weights of the classes; -1 if one side has no weight."""
    gain, part, mass = 0.0, add_up(left), add_up(total)
    if not 0.0 < part < mass:
        return -1.0
    for c in range(len(total)):
        gain += left[c] ** 2 / part + (total[c] - left[c]) ** 2 / (mass - part)
    return gain


@njit(cache=True, nogil=True)
def _divide(column: Single, threshold: float, rows: Short, start: int, end: int) -> int:
    """Bring the rows of a node into two parts; where the second begins."""
    place = start
    for other in range(start, end):
        row = rows[other]
        if column[row] <= threshold:
            rows[other], rows[place] = rows[place], row
            place += 1
    return place
