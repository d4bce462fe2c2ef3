"""Fusion of several classifiers or sensors: the six rules, Dempster-Shafer evidence, and `FusionClassifier`.

For users, and for `multiview`, whose forests fuse class trees by the same rules.
"""

from emphatic.fusion.classifier import FusionClassifier
from emphatic.fusion.rules import dempster_shafer, majority, maximum, mean, minimum, product

__all__ = ["FusionClassifier", "dempster_shafer", "majority", "maximum", "mean", "minimum", "product"]
