"""Learners that speak softly, and the designs of their units."""

from emphatic.learners.class_k_means import ClassKMeans
from emphatic.learners.mlp_network import MLPNetworkClassifier
from emphatic.learners.parallel_perceptron import ParallelPerceptronClassifier
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
