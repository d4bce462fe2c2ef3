"""`EmphaticClassifier`: the one to try first."""

from emphatic.auto.classifier import EmphaticClassifier

__all__ = ["EmphaticClassifier"]
