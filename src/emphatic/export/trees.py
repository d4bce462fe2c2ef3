"""Single trees of ours, trees and forests of scikit-learn: what their leaves answer."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

from emphatic.check import FloatArray
from emphatic.export.answer import Answer, answer_by_output, answer_by_probabilities
from emphatic.export.conversion import converts
from emphatic.export.forest import Tree, split_trees, sum_leaves
from emphatic.export.table import Table
from emphatic.learners.random_tree import RandomTree
from emphatic.learners.stored_trees import StoredTrees

SCIKIT_LEARNS = (DecisionTreeClassifier, ExtraTreeClassifier, RandomForestClassifier, ExtraTreesClassifier)


def read_tree(model: Any) -> Tree | None:
    """The tree of a classifier that is a single one: of a learner of ours its leaves hold outputs, of others shares."""
    if type(model) not in (RandomTree, StoredTrees, *SCIKIT_LEARNS):
        return None
    trees = _read_trees(model)
    return trees[0] if len(trees) == 1 else None


def read_leaf_outputs(model: Any, tree: Tree, classes: np.ndarray) -> FloatArray:
    """(leaves, columns): what `output_of` the tree is in each of its leaves, (leaves, 1) for two classes."""
    if type(model) is RandomTree:
        return tree.leaf_values
    output = np.full((len(tree.leaf_values), len(classes)), -1.0)
    output[:, np.searchsorted(classes, model.classes_)] = 2.0 * tree.leaf_values - 1.0
    return output[:, 1:] if len(classes) == 2 else output


@converts(RandomTree)
def _convert_random_tree(model: RandomTree, table: Table) -> Answer:
    trees = _read_trees(model)
    return answer_by_output(sum_leaves(table.numbers(), trees), len(model.classes_))


@converts(StoredTrees, *SCIKIT_LEARNS)
def _convert_stored_trees(model: Any, table: Table) -> Answer:
    trees = _read_trees(model)
    return answer_by_probabilities(sum_leaves(table.numbers(), trees) / float(len(trees)), len(model.classes_))


def _read_trees(model: Any) -> list[Tree]:
    if type(model) is RandomTree:
        return split_trees(model.trees_)
    stored = model if type(model) is StoredTrees else StoredTrees.of(model)
    return split_trees(stored.trees_, stored.missing_right_)
