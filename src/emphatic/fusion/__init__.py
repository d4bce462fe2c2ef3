"""Fusion of several classifiers or sensors: rules, Dempster-Shafer evidence, and a classifier."""

from emphatic.fusion.rules import dempster_shafer, majority, maximum, mean, minimum, product

__all__ = ["dempster_shafer", "majority", "maximum", "mean", "minimum", "product"]
