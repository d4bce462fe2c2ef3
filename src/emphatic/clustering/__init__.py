"""Fuzzy c-means, the memberships of classes that FuzzyBoost starts from, and further ones by deflection (paper 004)."""

from emphatic.clustering.classes import align, class_memberships
from emphatic.clustering.deflection import deflect, distance
from emphatic.clustering.descent import LARGEST_FUZZINESS
from emphatic.clustering.fuzzy_c_means import FuzzyCMeans

__all__ = ["LARGEST_FUZZINESS", "FuzzyCMeans", "align", "class_memberships", "deflect", "distance"]
