"""Forests of class trees, one for every set of views of the samples."""

from emphatic.multi_view_forest.classifier import MultiViewForestClassifier

__all__ = ["MultiViewForestClassifier"]
