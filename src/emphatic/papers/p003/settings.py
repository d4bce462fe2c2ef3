"""What is run: the settings of class trees and forests, in the words of the paper's Table 3 where it has any."""

from collections.abc import Sequence
from typing import Any

from emphatic.papers.p003.digits import columns_of

PER_CLASS = (20, 40)
"""Prototypes per class: the paper's, and twice as many."""
EVALUATIONS = {"DT": "walk", "DS": "evidence"}
SOFT_RULES = {"Min": "minimum", "Max": "maximum", "Mean": "mean", "Prod": "product"}
RULES = {"MV": "majority", **SOFT_RULES, "Dempster": "dempster_shafer"}
SINGLE = {
    "view_sets": "single",
    "keep": None,
    "kappa_folds": None,
    "dedupe": True,
    "ratio": "gap",
    "pruning": "pairs",
    "solver": "ridge",
}
EVERY = {**SINGLE, "view_sets": "all"}
SHAPES: dict[str, dict[str, Any]] = {
    "MVF_single": SINGLE,
    "MVF(all)": {**EVERY, "dedupe": False},
    "MVF(all), different trees": EVERY,
    "MVF(5)": {**EVERY, "keep": 5},
    "MVF(5), kappa on folds": {**EVERY, "keep": 5, "kappa_folds": 5},
    "MVF(5), by removal": {**EVERY, "keep": 5, "pruning": "removal"},
    "MVF(all), squared gap": {**EVERY, "dedupe": False, "ratio": "squared_gap"},
    "MVF(5), squared gap": {**EVERY, "keep": 5, "ratio": "squared_gap"},
    "MVF_single, pseudo-inverse": {**SINGLE, "solver": "pseudo_inverse"},
    "MVF_single without pca_40": {**SINGLE, "view_sets": "without pca_40"},
}
FEW_RULES = {
    "MVF(all), different trees": ("Mean", "Prod"),
    "MVF(5), kappa on folds": ("Mean",),
    "MVF_single, pseudo-inverse": ("MV", "Mean", "Prod"),
}
"""Our own shapes, which differ little from the paper's or take long."""
PUBLISHED_SHAPES = {
    "MVF_single": "MVF_single",
    "MVF(all)": "MVF(31)",
    "MVF(5)": "MVF(5)",
    "MVF(5), by removal": "MVF(5)",
    "MVF(all), squared gap": "MVF(31)",
    "MVF(5), squared gap": "MVF(5)",
    "MVF_single, pseudo-inverse": "MVF_single",
}
"""The column of the paper's table that a shape may be read as."""
WITH_BEST_TREE = ("MVF_single", "MVF(all)")
DEFAULT_MASSES = {"masses": "discount", "normalise": False}
"""The reading of Tables 2 and 3; all readings are in the table of masses."""


def tree_setting(
    problem: str, views: Sequence[str], evaluation: str, per_class: int, solver: str = "ridge"
) -> dict[str, Any]:
    """The setting of a class tree."""
    names = {"problem": problem, "model": "tree", "views": list(views), "evaluation": evaluation, "solver": solver}
    return {**names, **DEFAULT_MASSES, "per_class": per_class}


def forest_setting(
    problem: str,
    shape: str,
    evaluation: str,
    rule: str,
    per_class: int,
    masses: str = "discount",
    normalise: bool = False,
) -> dict[str, Any]:
    """The setting of a forest."""
    names = {"problem": problem, "model": "forest", "evaluation": EVALUATIONS[evaluation], "fusion": RULES[rule]}
    reading = {"masses": masses, "normalise": normalise}
    return {**names, **SHAPES[shape], **reading, "per_class": per_class}


def list_decisions(shape: str) -> list[tuple[str, str]]:
    """How the trees of a shape are evaluated and fused."""
    if shape in FEW_RULES:
        return [("DS", rule) for rule in FEW_RULES[shape]]
    return [("DT", "MV"), *(("DS", rule) for rule in RULES)]


def list_settings(problem: str, shape: str) -> dict[str, dict[str, Any]]:
    """The settings of a shape with the paper's prototypes, by decision such as "DS, Mean"."""
    return {
        f"{evaluation}, {rule}": forest_setting(problem, shape, evaluation, rule, PER_CLASS[0])
        for evaluation, rule in list_decisions(shape)
    }


def list_shapes(problem: str) -> list[str]:
    """The shapes that a problem has: those without principal components only where there are some."""
    return [shape for shape in SHAPES if "pca_40" in columns_of(problem) or "pca_40" not in shape]


def resolve_views(problem: str, view_sets: str) -> Any:
    """The `view_sets` of the forest that a setting means."""
    if view_sets == "without pca_40":
        return [[view] for view in columns_of(problem) if view != "pca_40"]
    return view_sets
