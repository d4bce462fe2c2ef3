"""Learners with soft scores, and the designs of their units.

For users, and for everything that boosts: each learner is a `Learner` of `emphatic.base`.
"""

from emphatic.learners.mlp_network import MLPNetworkClassifier
from emphatic.learners.parallel_perceptron import ParallelPerceptronClassifier
from emphatic.learners.prototypes import ClassKMeans
from emphatic.learners.rbf_design import Design, SampledCentres
from emphatic.learners.rbf_network import RBFNetworkClassifier

__all__ = [
    "ClassKMeans",
    "Design",
    "MLPNetworkClassifier",
    "ParallelPerceptronClassifier",
    "RBFNetworkClassifier",
    "SampledCentres",
]
