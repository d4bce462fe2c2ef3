"""Learners that speak softly, and the designs of their units."""

from emphatic.learners.rbf_design import Design, SampledCentres
from emphatic.learners.rbf_network import RBFNetworkClassifier

__all__ = ["Design", "RBFNetworkClassifier", "SampledCentres"]
