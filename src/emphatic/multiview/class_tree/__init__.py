"""Class trees: a binary classifier at every node, on the view that separates the node's two sets of classes best.

`ClassTreeClassifier` is for users; `multiview.forest` also plans, trains and evaluates many trees together.
"""

from emphatic.multiview.class_tree.classifier import ClassTreeClassifier
from emphatic.multiview.class_tree.node import Node

__all__ = ["ClassTreeClassifier", "Node"]
