"""Paper 004: problems of our own choice, the ensembles that are compared, and how they are built.

The slides name neither their 20 problems nor their parameters. `PROBLEMS` was fixed before the first result; what the
slides leave open was chosen on `OTHERS`, by `paper_004_parameters`. The trees are CART with entropy, not C4.5 (see
`paper_004_trees`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin

from emphatic.check import FloatArray
from emphatic.randomness import derive_seed
from emphatic.study.results import Errors
from emphatic.study.tasks import Setting, canonical
from emphatic.tables import TableTransformer

PAPER = "004"
N_TREES = 30  # the slides do not say how many

PROBLEMS = (
    "autos",
    "balance_scale",
    "breast",
    "breast_cancer_ljubljana",
    "car",
    "credit",
    "diabetes",
    "german",
    "glass",
    "heart_cleveland",
    "hepatitis",
    "ionosphere",
    "labor",
    "sonar",
    "soybean",
    "tic_tac_toe",
    "vehicle",
    "vote",
    "vowel",
    "zoo",
)
"""Of the 30 shipped tables, those of at most 2,000 rows, without four.

Left out are ripley (two inputs), crabs (one input is a running number), lymph (a class of two rows) and heart_statlog
(patients of heart_cleveland). Twelve have nominal inputs, nine have missing cells.
"""

OTHERS = (
    "abalone",
    "crabs",
    "digits",
    "image",
    "iris",
    "kr_vs_kp",
    "lymph",
    "ripley",
    "splice",
    "thyroid",
    "waveform",
    "wine",
)
"""Where parameters are chosen: no rows in common with `PROBLEMS`."""

AT_MOST = 400
"""Rows of each of `OTHERS` that are used."""


@dataclass(frozen=True, eq=False)
class Sample:
    """Some rows of a problem, for cross-validation."""

    name: str
    X: Any
    y: np.ndarray
    train: None = None
    test: None = None

    def partition(self, random_state: Any) -> tuple[Any, Any]:
        raise ValueError(f"{self.name} has no split: it is cross-validated")


@cache
def load_problem(name: str) -> Any:
    """One of the 20, with all its rows and classes."""
    from emphatic.datasets import load

    return load(name)


@cache
def load_sample(name: str) -> Sample:
    """At most `AT_MOST` rows of one of the others, classes as frequent as in all rows.

    Abalone has the two classes of paper 000: most of its 28 are too rare to be learnt from so few.
    """
    from sklearn.model_selection import train_test_split

    from emphatic.datasets import load
    from emphatic.inputs import take_rows

    problem = load(name, paper="000" if name == "abalone" else None)
    rows = np.arange(len(problem.y))
    if len(rows) > AT_MOST:
        seed = derive_seed(PAPER, name, "sample")
        rows, _ = train_test_split(rows, train_size=AT_MOST, stratify=problem.y, random_state=seed)
    return Sample(name, take_rows(problem.X, rows), problem.y[rows])


class PaperDistances(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """One table of numbers for all ensembles, in which FuzzyBoost finds the paper's distances.

    Names become indicators, and holes are filled. FuzzyBoost brings every column to [0, 1]; two names then differ in
    two indicators, and their squared distance is 2. So that it is to that of two numbers as in the paper, a table with
    both kinds has its numbers twice. Trees do not care: the same column twice offers the same splits.
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        self.coding_ = TableTransformer(nominal="one_hot", scale="minmax").fit(X)
        widths = [1 if names is None else len(names) for names in self.coding_.categories_]
        numeric = np.repeat([names is None for names in self.coding_.categories_], widths)
        self.twice_ = np.flatnonzero(numeric & ~numeric.all())
        return self

    def transform(self, X: Any) -> FloatArray:
        table = self.coding_.transform(X)
        return np.hstack([table, table[:, self.twice_]])


PARAMETERS: Mapping[str, Any] = {
    "reward": 0.3,
    "fuzziness": 2.0,
    "init": "classes",
    "chains": "both",
    "samme": True,
}
DEFLECTED: Mapping[str, Any] = {"n_deflections": 4, "relaxation": 10.0, "aligned": False}
"""What FuzzyBoost has in all tables, and DFA in addition: the first lines of `emphatic reproduce 004-parameters`."""


def fuzzy_boost(tree: str = "CART", **changes: Any) -> dict[str, Any]:
    """The setting of FuzzyBoost with the chosen parameters, except for `changes`."""
    return {"ensemble": "FuzzyBoost", "tree": tree, "n_deflections": 0, **PARAMETERS, **changes}


def methods(tree: str = "CART") -> dict[str, dict[str, Any]]:
    """All that is compared, by name: the four of the paper, the two halves of FuzzyBoost, and with CART two more."""
    more = ("Real AdaBoost", "Bagging by votes") if tree == "CART" else ()
    return {
        "FuzzyBoost": fuzzy_boost(tree),
        "DFA": fuzzy_boost(tree, **DEFLECTED),
        "easy only": fuzzy_boost(tree, chains="easy"),
        "difficult only": fuzzy_boost(tree, chains="hard"),
        **{name: {"ensemble": name, "tree": tree} for name in ("AdaBoost", "Bagging", *more)},
    }


def build(setting: Setting, random_state: int) -> Any:
    """The ensemble of a setting, of `N_TREES` trees."""
    from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier

    from emphatic import FuzzyBoostClassifier, RealAdaBoostClassifier
    from emphatic.emphasis import Exponential
    from emphatic.papers.p004.trees import J48Classifier, cart, crisp_cart

    options = {"random_state": random_state, **setting}
    ensemble = options.pop("ensemble")
    tree = J48Classifier() if options.pop("tree") == "J48" else cart()
    if ensemble == "FuzzyBoost":
        return FuzzyBoostClassifier(tree, N_TREES, **options)
    peers = {
        "AdaBoost": AdaBoostClassifier(tree, n_estimators=N_TREES, **options),
        "Bagging": BaggingClassifier(tree, N_TREES, **options),
        "Real AdaBoost": RealAdaBoostClassifier(tree, Exponential(), N_TREES, resample=True, **options),
        "Bagging by votes": BaggingClassifier(crisp_cart(), N_TREES, **options),
    }
    return peers[ensemble]


def repetitions(errors: Errors, setting: Setting) -> list[float]:
    """Errors in % of each repetition of the cross-validation, means over its folds; empty if a fold is missing."""
    by_repetition: dict[str, list[float]] = {}
    for (split, _, _), error in errors.get(canonical(setting), {}).items():
        by_repetition.setdefault(split.partition("-fold-")[0], []).append(100.0 * error)
    return [float(np.mean(folds)) for folds in by_repetition.values()]


def folds(errors: Errors, setting: Setting) -> list[float]:
    """Errors in %, fold by fold; empty if one is missing."""
    return [100.0 * error for error in errors.get(canonical(setting), {}).values()]


def asked_for(names: Sequence[str], chosen: Sequence[str]) -> list[str]:
    """Those of `names` that the user wants."""
    return [name for name in names if not chosen or name in chosen]
