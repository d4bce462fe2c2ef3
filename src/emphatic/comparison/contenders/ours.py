"""Our own contenders: the one to try first, and the ensembles of the papers with parameters nobody had to choose."""

from __future__ import annotations

from typing import Any

from emphatic.comparison.contenders.contender import Contender
from emphatic.comparison.contenders.preparation import prepared
from emphatic.study.tasks import Setting


def emphatic_classifier(setting: Setting, random_state: int) -> Any:
    """The library's default classifier; it prepares tables itself."""
    from emphatic.auto import EmphaticClassifier

    return EmphaticClassifier(n_jobs=1, random_state=random_state).set_params(**setting)


def boosted_rbf_networks(setting: Setting, random_state: int) -> Any:
    """Paper 000: units on a tenth of the samples, three parts error and seven parts proximity to the boundary."""
    from emphatic import RBFNetworkClassifier, RealAdaBoostClassifier
    from emphatic.emphasis import Mixed
    from emphatic.learners import SampledCentres

    network = RBFNetworkClassifier(SampledCentres(0.1))
    return prepared(RealAdaBoostClassifier(network, Mixed(0.3), random_state=random_state), setting)


def boosted_trees(setting: Setting, random_state: int) -> Any:
    """Shallow trees under the mixed emphasis."""
    from sklearn.tree import DecisionTreeClassifier

    from emphatic import RealAdaBoostClassifier
    from emphatic.emphasis import Mixed

    tree = DecisionTreeClassifier(max_depth=3, min_samples_leaf=5)  # a leaf of one sample would be sure of it
    return prepared(RealAdaBoostClassifier(tree, Mixed(0.5), 100, random_state=random_state), setting)


def boosted_mlps(setting: Setting, random_state: int) -> Any:
    """Paper 001: small networks under the mixed emphasis."""
    from emphatic import MLPNetworkClassifier, RealAdaBoostClassifier
    from emphatic.emphasis import Mixed

    network = MLPNetworkClassifier(5, max_epochs=200, stall=20)
    return prepared(RealAdaBoostClassifier(network, Mixed(0.5), 20, random_state=random_state), setting)


def fuzzy_boost(setting: Setting, random_state: int) -> Any:
    """Paper 004, at its defaults."""
    from emphatic import FuzzyBoostClassifier

    return prepared(FuzzyBoostClassifier(random_state=random_state), setting)


def boosted_perceptrons(setting: Setting, random_state: int) -> Any:
    """Paper 002: parallel perceptrons, the emphasis of balanced training patterns, stopped before it rests on few."""
    from emphatic import ParallelPerceptronClassifier, RealAdaBoostClassifier
    from emphatic.emphasis import PatternType

    perceptrons = ParallelPerceptronClassifier()
    boosted = RealAdaBoostClassifier(perceptrons, PatternType(), 20, min_ess=5, random_state=random_state)
    return prepared(boosted, setting)


OURS = (
    Contender("EmphaticClassifier", "ours", "", emphatic_classifier),
    Contender("RealAdaBoost of RBF networks", "ours", "", boosted_rbf_networks),
    Contender("RealAdaBoost of trees", "ours", "", boosted_trees),
    Contender("RealAdaBoost of MLPs", "ours", "", boosted_mlps),
    Contender("FuzzyBoost", "ours", "", fuzzy_boost),
    Contender("Parallel perceptrons", "ours", "", boosted_perceptrons, two_classes=True),
)
