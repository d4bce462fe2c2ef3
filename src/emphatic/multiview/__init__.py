"""Class trees and forests of them on several views of the same samples (paper 003), and the views of its digits.

`ClassTreeClassifier` and `MultiViewForestClassifier` are for users; `emphatic.multiview.views` has the digit views.
"""

from emphatic.multiview.class_tree import ClassTreeClassifier
from emphatic.multiview.forest import MultiViewForestClassifier

__all__ = ["ClassTreeClassifier", "MultiViewForestClassifier"]
