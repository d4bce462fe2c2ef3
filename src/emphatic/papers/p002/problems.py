"""The problems and figures of paper 002, and what it prints of them."""

from emphatic.papers.published import lookup

PAPER = "002"
PROBLEMS = {
    "ionosphere": "Ionosphere",
    "diabetes": "Diabetes",
    "breast": "Cancer",
    "vehicle": "Vehicle",
    "glass": "Glass",
    "vowel": "Vowel",
    "thyroid": "Thyroid",
}
"""Names here and in the paper, in its order."""

IMBALANCED = ("vehicle", "glass", "vowel", "thyroid")
"""Those that the paper calls highly, or to a lower extent, imbalanced."""

POLICIES = {
    "standard": "std. boostPP",
    "negative": "neg. boostPP",
    "positive": "pos. boostPP",
    "balanced": "bal. boostPP",
}
"""The variants of boosted parallel perceptrons: names here and in the paper."""

NETWORKS = "std. boostMLP"
FIGURES = {"a": "accuracy_%", "a+": "a+_%", "a-": "a-_%", "g": "g_%"}
"""Accuracy overall and on either class, and the geometric mean of the latter two: names here and in published.csv."""


def find_published(problem: str, method: str, figure: str) -> tuple[float, float | None]:
    """Mean and standard deviation as printed.

    >>> find_published("breast", "bal. boostPP", "g")
    (96.3, 0.38)
    """
    table = "4" if figure == "g" else "3"
    return lookup(PAPER, "2" if method == NETWORKS else table, PROBLEMS[problem], method, FIGURES[figure])
