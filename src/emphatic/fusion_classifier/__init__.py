"""Classifiers of any kind, each on its own columns, fused by a rule."""

from emphatic.fusion_classifier.classifier import FusionClassifier

__all__ = ["FusionClassifier"]
