"""Labels made wrong on purpose, in four ways, for `benchmarks.audit_quality` and `benchmarks.audit_calibration`.

- uniform: any row, any other class.
- next-class: any row, always the class that follows; the last is followed by the first.
- boundary: a row is taken with a chance proportional to its probability of the most similar other class, and gets that
  class; the probabilities are those of extremely randomised trees for rows that their bootstraps left out.
- annotator: one of three annotators, who share the rows at random, is careless. Four in five of the wrong labels are
  hers, and are all of one class, as far as she has rows of other classes; the rest is uniform.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.ensemble import ExtraTreesClassifier

from emphatic.datasets import load
from emphatic.inputs import take_rows
from emphatic.tables import TableTransformer

PROBLEMS = (
    "car", "crabs", "credit", "german", "glass", "heart_cleveland", "hepatitis",
    "ionosphere", "sonar", "soybean", "tic_tac_toe", "vehicle", "vote", "vowel",
)  # fmt: skip
"""Reported. Two classes and many, numbers and names, with and without missing cells; none was used for tuning."""

LARGEST, SMALLEST_CLASS = 2000, 8

Flips = tuple[np.ndarray, np.ndarray]
"""Positions of the rows whose labels become wrong, and their new labels."""

N_ANNOTATORS, CARELESS_SHARE = 3, 0.8


def read_problem(name: str, largest: int = LARGEST, smallest_class: int = SMALLEST_CLASS) -> tuple[Any, np.ndarray]:
    """Table and codes of a bundled problem: at most `largest` rows, no class of fewer than `smallest_class` rows."""
    given = load(name)
    codes = np.unique(given.y, return_inverse=True)[1]
    rows = np.flatnonzero(np.bincount(codes)[codes] >= smallest_class)
    if len(rows) > largest:
        rows = np.sort(np.random.default_rng(0).permutation(rows)[:largest])
        rows = rows[np.bincount(codes[rows])[codes[rows]] >= smallest_class]
    return take_rows(given.X, rows), np.unique(codes[rows], return_inverse=True)[1]


def flip_labels(kind: str, X: Any, y: np.ndarray, rate: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Labels of which a share is wrong, and which ones (a boolean array)."""
    rng = np.random.default_rng([seed, round(100 * rate)])
    rows, labels = KINDS_OF_NOISE[kind](X, y, int(np.floor(rate * len(y) + 0.5)), rng)
    given = y.copy()
    given[rows] = labels
    return given, given != y


def flip_uniformly(X: Any, y: np.ndarray, n_wrong: int, rng: np.random.Generator) -> Flips:
    n_classes = y.max() + 1
    rows = rng.permutation(len(y))[:n_wrong]
    return rows, (y[rows] + rng.integers(1, n_classes, n_wrong)) % n_classes


def flip_to_next_class(X: Any, y: np.ndarray, n_wrong: int, rng: np.random.Generator) -> Flips:
    rows = rng.permutation(len(y))[:n_wrong]
    return rows, (y[rows] + 1) % (y.max() + 1)


def flip_near_boundary(X: Any, y: np.ndarray, n_wrong: int, rng: np.random.Generator) -> Flips:
    trees = ExtraTreesClassifier(
        400, min_samples_leaf=2, bootstrap=True, oob_score=True, random_state=int(rng.integers(2**31))
    )
    others = trees.fit(TableTransformer().fit_transform(X), y).oob_decision_function_.copy()
    others[np.arange(len(y)), y] = 0.0
    chances = np.maximum(others.max(axis=1), 1e-3)  # enough rows to take, also where the trees are sure of all
    rows = rng.choice(len(y), n_wrong, replace=False, p=chances / chances.sum())
    others[np.arange(len(y)), y] = -1.0
    return rows, others[rows].argmax(axis=1)


def flip_by_careless_annotator(X: Any, y: np.ndarray, n_wrong: int, rng: np.random.Generator) -> Flips:
    favourite = rng.integers(y.max() + 1)
    hers = rng.permutation(len(y))[: len(y) // N_ANNOTATORS]
    rows = hers[y[hers] != favourite][: round(CARELESS_SHARE * n_wrong)]
    rest = rng.permutation(np.setdiff1d(np.arange(len(y)), rows))[: n_wrong - len(rows)]
    uniform = (y[rest] + rng.integers(1, y.max() + 1, len(rest))) % (y.max() + 1)
    return np.concatenate([rows, rest]), np.concatenate([np.full(len(rows), favourite), uniform])


KINDS_OF_NOISE: dict[str, Callable[[Any, np.ndarray, int, np.random.Generator], Flips]] = {
    "uniform": flip_uniformly,
    "next-class": flip_to_next_class,
    "boundary": flip_near_boundary,
    "annotator": flip_by_careless_annotator,
}
