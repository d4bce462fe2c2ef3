"""Classifier ensembles in which *which samples the next learner should look at* is an exchangeable part."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from emphatic.auto import EmphaticClassifier
    from emphatic.class_tree import ClassTreeClassifier
    from emphatic.clustering import FuzzyCMeans
    from emphatic.fusion_classifier import FusionClassifier
    from emphatic.fuzzy_boost import FuzzyBoostClassifier
    from emphatic.learners import MLPNetworkClassifier, ParallelPerceptronClassifier, RBFNetworkClassifier
    from emphatic.multi_view_forest import MultiViewForestClassifier
    from emphatic.real_adaboost import RealAdaBoostClassifier

__version__ = "0.1.0"

# Imported when first asked for: the command and the data sets need not wait for scikit-learn and numba.
_PLACES = {
    "ClassTreeClassifier": "emphatic.class_tree",
    "EmphaticClassifier": "emphatic.auto",
    "FusionClassifier": "emphatic.fusion_classifier",
    "FuzzyBoostClassifier": "emphatic.fuzzy_boost",
    "FuzzyCMeans": "emphatic.clustering",
    "MLPNetworkClassifier": "emphatic.learners",
    "MultiViewForestClassifier": "emphatic.multi_view_forest",
    "ParallelPerceptronClassifier": "emphatic.learners",
    "RBFNetworkClassifier": "emphatic.learners",
    "RealAdaBoostClassifier": "emphatic.real_adaboost",
}

__all__ = [
    "ClassTreeClassifier",
    "EmphaticClassifier",
    "FusionClassifier",
    "FuzzyBoostClassifier",
    "FuzzyCMeans",
    "MLPNetworkClassifier",
    "MultiViewForestClassifier",
    "ParallelPerceptronClassifier",
    "RBFNetworkClassifier",
    "RealAdaBoostClassifier",
    "__version__",
]


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'emphatic' has no attribute {name!r}; public names: {', '.join(__all__)}")
    return getattr(importlib.import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
