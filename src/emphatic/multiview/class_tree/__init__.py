"""Trees of binary classifiers over the classes of a problem, each node on the view that parts its classes best."""

from emphatic.multiview.class_tree.classifier import ClassTreeClassifier
from emphatic.multiview.class_tree.node import Node

__all__ = ["ClassTreeClassifier", "Node"]
