"""Fuzzy c-means, memberships in classes, and further minima by deflection (paper 004).

For users, and for FuzzyBoost and the fuzzy entropy emphasis, which start from memberships in classes.
"""

from emphatic.clustering.classes import align, class_memberships
from emphatic.clustering.deflection import deflect, distance
from emphatic.clustering.fuzzy_c_means import LARGEST_FUZZINESS, FuzzyCMeans

__all__ = ["LARGEST_FUZZINESS", "FuzzyCMeans", "align", "class_memberships", "deflect", "distance"]
