"""Trees: one operator finds the leaf of every row in every tree, whose values are then looked up and added.

The operator for trees would add the values itself, in single precision. Asked for the number of the leaf instead, which
single precision holds exactly, it leaves the values to a sum in double precision, tree after tree as our kernel does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emphatic.check import FloatArray
from emphatic.export.graph import ML, Value
from emphatic.kernels.random_trees import Trees


@dataclass(frozen=True)
class Tree:
    """One tree whose leaves say what a classifier answers.

    Attributes
    ----------
    nodes : the tree
    missing_right : of each node, whether a missing value goes to the second child; None if there are none
    """

    nodes: Trees
    missing_right: NDArray[np.bool_] | None = None

    @property
    def is_leaf(self) -> NDArray[np.bool_]:
        """Of each node."""
        return self.nodes.child == 0

    @property
    def leaf_values(self) -> FloatArray:
        """(leaves, columns)"""
        return self.nodes.values[self.is_leaf]


def split_trees(trees: Trees, missing_right: NDArray[np.bool_] | None = None) -> list[Tree]:
    """Trees that were joined, each on its own."""
    result = []
    for start, end in pairwise([*trees.roots.tolist(), len(trees.child)]):
        span = slice(start, end)
        child = np.where(trees.child[span] > 0, trees.child[span] - start, 0)
        nodes = Trees(trees.feature[span], trees.threshold[span], child, trees.values[span], np.zeros(1, np.int32))
        result.append(Tree(nodes, None if missing_right is None else missing_right[span]))
    return result


def sum_leaves(inputs: Value, trees: Sequence[Tree], values: Sequence[FloatArray] | None = None) -> Value:
    """(rows, columns): sum over the trees of the values (leaves, columns), by default their own, of the leaves."""
    values = [one.leaf_values for one in trees] if values is None else values
    numbers = inputs.cast(np.float32).apply("TreeEnsembleRegressor", domain=ML, **_describe(trees))
    starts = np.cumsum([0, *(len(one) for one in values)], dtype=np.int32)[:-1]
    # trees come first, so that a sum over them adds one tree after another
    places = numbers.apply("Transpose", perm=[1, 0]).cast(np.int32) + starts[:, None]
    leaves = inputs.graph.node("Gather", np.concatenate(values), places)
    return leaves.apply("ReduceSum", np.array([0]), keepdims=0)


def _describe(trees: Sequence[Tree]) -> dict[str, Any]:
    """Attributes of the operator: a target for each tree, to which its leaves add their number within the tree."""
    sizes = [len(one.nodes.child) for one in trees]
    tree_ids = np.repeat(np.arange(len(trees)), sizes)
    node_ids = np.concatenate([np.arange(size) for size in sizes])
    is_leaf = np.concatenate([one.is_leaf for one in trees])
    child = np.concatenate([one.nodes.child for one in trees])
    attributes = {
        "n_targets": len(trees),
        "nodes_treeids": tree_ids.tolist(),
        "nodes_nodeids": node_ids.tolist(),
        "nodes_featureids": np.concatenate([one.nodes.feature for one in trees]).tolist(),
        "nodes_values": np.concatenate([one.nodes.threshold for one in trees]).tolist(),
        "nodes_modes": np.where(is_leaf, "LEAF", "BRANCH_LEQ").tolist(),
        "nodes_truenodeids": child.tolist(),
        "nodes_falsenodeids": np.where(is_leaf, 0, child + 1).tolist(),
        "target_treeids": tree_ids[is_leaf].tolist(),
        "target_nodeids": node_ids[is_leaf].tolist(),
        "target_ids": tree_ids[is_leaf].tolist(),
        "target_weights": np.concatenate([np.arange(one.is_leaf.sum()) for one in trees]).astype(np.float64).tolist(),
    }
    missing = [one.missing_right for one in trees if one.missing_right is not None]
    if missing:
        attributes["nodes_missing_value_tracks_true"] = (~np.concatenate(missing)).astype(int).tolist()
    return attributes
