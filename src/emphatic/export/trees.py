"""Single trees, ours and those of scikit-learn: what their leaves answer."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from emphatic.check import FloatArray
from emphatic.export.answer import Answer, answer_by_output, answer_by_probabilities
from emphatic.export.conversion import converts
from emphatic.export.forest import Tree, split_trees, sum_leaves
from emphatic.export.table import Table
from emphatic.learners.flat_trees import flatten_nodes, order_nodes
from emphatic.learners.random_tree import RandomTree


def read_tree(model: Any) -> Tree | None:
    """The tree of a classifier that is one; its leaves hold outputs of a learner of ours, otherwise probabilities."""
    if type(model) is RandomTree:
        return split_trees(model.trees_)[0]
    if type(model) is DecisionTreeClassifier and not isinstance(model.n_classes_, list | np.ndarray):
        grown = model.tree_
        left, right = grown.children_left, grown.children_right
        nodes = flatten_nodes(left, right, grown.feature, grown.threshold, grown.value[:, 0])
        return Tree(nodes, grown.missing_go_to_left[order_nodes(left, right)].astype(bool))
    return None


def read_leaf_outputs(model: Any, tree: Tree, classes: np.ndarray) -> FloatArray:
    """(leaves, columns): what `output_of` the tree is in each of its leaves, (leaves, 1) for two classes."""
    if type(model) is RandomTree:
        return tree.leaf_values
    output = np.full((len(tree.leaf_values), len(classes)), -1.0)
    output[:, np.searchsorted(classes, model.classes_)] = 2.0 * tree.leaf_values - 1.0
    return output[:, 1:] if len(classes) == 2 else output


@converts(RandomTree)
def _convert_random_tree(model: RandomTree, table: Table) -> Answer:
    (tree,) = split_trees(model.trees_)
    return answer_by_output(sum_leaves(table.numbers(), [tree], [tree.leaf_values]), len(model.classes_))


@converts(DecisionTreeClassifier)
def _convert_decision_tree(model: DecisionTreeClassifier, table: Table) -> Answer:
    tree = read_tree(model)
    if tree is None:
        raise TypeError("a DecisionTreeClassifier with several outputs cannot be exported to ONNX: fit one per output")
    return answer_by_probabilities(sum_leaves(table.numbers(), [tree], [tree.leaf_values]), len(model.classes_))
