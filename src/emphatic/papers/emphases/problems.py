"""The problems of the study: two classes each, and random partitions of moderate size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from sklearn.model_selection import train_test_split

from emphatic import check
from emphatic.papers.table import load_problem
from emphatic.randomness import derive_seed
from emphatic.study.problem import OwnProblem
from emphatic.study.protocol import ProblemLike, Split

PROBLEMS = (
    *("abalone", "balance_scale", "breast", "breast_cancer_ljubljana", "car", "crabs", "credit", "diabetes", "german"),
    *("glass", "heart_cleveland", "heart_statlog", "hepatitis", "image", "ionosphere", "kr_vs_kp", "ripley", "sonar"),
    *("thyroid", "tic_tac_toe", "vehicle", "vote", "vowel", "wine"),
)
"""Bundled tables of at least 150 rows; without those of hundreds of columns, and without generated ones."""

MOST_TRAINING, MOST_TEST = 300, 1000


@cache
def load_two_classes(name: str) -> OwnProblem:
    """A bundled problem; of more than two classes, the first half (in their order) against the second."""
    given = load_problem(name, "000" if name == "abalone" else None)
    classes, codes = np.unique(np.asarray(given.y), return_inverse=True)
    return OwnProblem(name, given.X, (codes >= len(classes) / 2).astype(np.intp))


@dataclass(frozen=True)
class SmallPartitions:
    """Stratified random halves, of at most 300 rows for training and 1,000 for testing."""

    n_partitions: int

    def __post_init__(self) -> None:
        check.integer("n_partitions", self.n_partitions, 1)

    def splits(self, problem: ProblemLike) -> Iterator[Split]:
        y = np.asarray(problem.y)
        sizes = min(MOST_TRAINING, len(y) // 2), min(MOST_TEST, len(y) - len(y) // 2)
        for number in range(self.n_partitions):
            seed = derive_seed(problem.name, "small partition", number) % 2**32
            train, test = train_test_split(
                np.arange(len(y)), train_size=sizes[0], test_size=sizes[1], stratify=y, random_state=seed
            )
            yield Split(f"partition-{number}", 0, np.sort(train), np.sort(test))
