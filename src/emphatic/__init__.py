"""Classifier ensembles in which *which samples the next learner should look at* is an exchangeable part."""

from emphatic.learners import RBFNetworkClassifier
from emphatic.real_adaboost import RealAdaBoostClassifier

__version__ = "0.1.0"

__all__ = ["RBFNetworkClassifier", "RealAdaBoostClassifier", "__version__"]
