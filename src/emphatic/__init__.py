"""Classifier ensembles in which *which samples the next learner should look at* is an exchangeable part."""

import importlib
from typing import TYPE_CHECKING, Any

from emphatic.version import __version__

if TYPE_CHECKING:
    from emphatic.auto import EmphaticClassifier
    from emphatic.boosting.fuzzy_boost import FuzzyBoostClassifier
    from emphatic.boosting.real_adaboost import RealAdaBoostClassifier
    from emphatic.clustering import FuzzyCMeans
    from emphatic.fusion.classifier import FusionClassifier
    from emphatic.learners import MLPNetworkClassifier, ParallelPerceptronClassifier, RBFNetworkClassifier
    from emphatic.multiview.class_tree import ClassTreeClassifier
    from emphatic.multiview.forest import MultiViewForestClassifier

# Imported when first asked for: the command and the data sets need not wait for scikit-learn and numba.
_PLACES = {
    "ClassTreeClassifier": "emphatic.multiview.class_tree",
    "EmphaticClassifier": "emphatic.auto",
    "FusionClassifier": "emphatic.fusion.classifier",
    "FuzzyBoostClassifier": "emphatic.boosting.fuzzy_boost",
    "FuzzyCMeans": "emphatic.clustering",
    "MLPNetworkClassifier": "emphatic.learners",
    "MultiViewForestClassifier": "emphatic.multiview.forest",
    "ParallelPerceptronClassifier": "emphatic.learners",
    "RBFNetworkClassifier": "emphatic.learners",
    "RealAdaBoostClassifier": "emphatic.boosting.real_adaboost",
}

_SUBMODULES = (
    *("audit", "auto", "base", "boosting", "card", "clustering", "comparison", "datasets", "diversity", "emphasis"),
    *("engines", "export", "fusion", "learners", "margins", "metrics", "multiview", "papers", "partitions"),
    *("persistence", "plot", "recipes", "report", "selection", "study", "tables", "votes"),
)

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
    if name in _SUBMODULES:
        return importlib.import_module(f"emphatic.{name}")
    if name not in _PLACES:
        raise AttributeError(
            f"module 'emphatic' has no attribute {name!r}; public names: {', '.join((*__all__, *_SUBMODULES))}"
        )
    return getattr(importlib.import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_SUBMODULES})
