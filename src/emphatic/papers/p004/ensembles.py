"""The ensembles of paper 004 and their rivals: their settings, how they are built, and what is kept of a fitted one."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from emphatic.papers.p004.trees import CrispTree, J48Classifier, make_cart
from emphatic.study.fit import score
from emphatic.study.tasks import Setting

N_TREES = 30
"""In every ensemble, unless a setting has `n_trees`; the slides do not say how many."""

PARAMETERS: Mapping[str, Any] = {"reward": 0.3, "fuzziness": 2.0, "init": "classes", "chains": "both", "samme": True}
DEFLECTED: Mapping[str, Any] = {"n_deflections": 4, "relaxation": 10.0, "aligned": False}
"""What FuzzyBoost uses in all tables, and DFA in addition: the best lines of `emphatic reproduce 004-parameters`."""


def fuzzy_boost_setting(tree: str = "CART", **changes: Any) -> dict[str, Any]:
    """The setting of FuzzyBoost with the chosen parameters, except for `changes`.

    What concerns deflection is left out where there is none: one ensemble has one setting.
    """
    setting = {"ensemble": "FuzzyBoost", "tree": tree, "n_deflections": 0, **PARAMETERS, **changes}
    unused = () if setting["n_deflections"] else ("relaxation", "aligned")
    return {name: value for name, value in setting.items() if name not in unused}


def resize(setting: Setting, n_trees: int) -> Setting:
    """The setting with this number of trees."""
    return setting if n_trees == N_TREES else {**setting, "n_trees": n_trees}


def list_methods(tree: str = "CART") -> dict[str, dict[str, Any]]:
    """The settings compared, by name: four of the paper, the two halves of FuzzyBoost, and two more with CART."""
    more = ("Real AdaBoost", "Bagging by votes") if tree == "CART" else ()
    return {
        "FuzzyBoost": fuzzy_boost_setting(tree),
        "DFA": fuzzy_boost_setting(tree, **DEFLECTED),
        "easy only": fuzzy_boost_setting(tree, chains="easy"),
        "difficult only": fuzzy_boost_setting(tree, chains="hard"),
        **{name: {"ensemble": name, "tree": tree} for name in ("AdaBoost", "Bagging", *more)},
    }


def build(setting: Setting, random_state: int) -> Any:
    """The ensemble of a setting."""
    from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier

    from emphatic import FuzzyBoostClassifier, RealAdaBoostClassifier
    from emphatic.emphasis import Exponential

    options = {"random_state": random_state, **setting}
    ensemble, n_trees = options.pop("ensemble"), options.pop("n_trees", N_TREES)
    tree = J48Classifier() if options.pop("tree") == "J48" else make_cart()
    if ensemble == "FuzzyBoost":
        return FuzzyBoostClassifier(tree, n_trees, **options)
    peers = {
        "AdaBoost": AdaBoostClassifier(tree, n_estimators=n_trees, **options),
        "Bagging": BaggingClassifier(tree, n_trees, **options),
        "Real AdaBoost": RealAdaBoostClassifier(tree, Exponential(), n_trees, resample=True, **options),
        "Bagging by votes": BaggingClassifier(make_cart(CrispTree), n_trees, **options),
    }
    return peers[ensemble]


def measure(ensemble: Any, X: Any, y: np.ndarray) -> dict[str, Any]:
    """The error and its curve, and of FuzzyBoost what the clusters found.

    `entropy_spread` is the standard deviation of the first entropies, as a share of the largest entropy: 0 where all
    memberships are equal. `group_distance` is the mean distance of a deflected group of memberships from the nearest
    one before it, whatever the order of the clusters: 0 where deflection finds the same clusters again.
    """
    from emphatic.clustering import distance
    from emphatic.emphasis.fuzzy_entropy import entropy

    kept = score(ensemble, X, y)
    if hasattr(ensemble, "memberships_"):
        first, *others = groups = ensemble.memberships_
        kept["entropy_spread"] = float(np.std(entropy(first)) / np.log2(first.shape[1]))
        nearest = [min(distance(new, old) for old in groups[: g + 1]) for g, new in enumerate(others)]
        kept["group_distance"] = float(np.mean(nearest)) if nearest else 0.0
    return kept
