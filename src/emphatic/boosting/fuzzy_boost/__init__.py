"""FuzzyBoost and its deflected form (paper 004): chains of learners on fuzzy memberships, pooled in one vote."""

from emphatic.boosting.fuzzy_boost.classifier import FuzzyBoostClassifier

__all__ = ["FuzzyBoostClassifier"]
