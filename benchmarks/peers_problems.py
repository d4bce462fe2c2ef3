"""The problems of `benchmarks.peers`, their two halves, and how they are parted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from sklearn.model_selection import train_test_split

from emphatic.datasets import load
from emphatic.randomness import derive_seed
from emphatic.study.problem import OwnProblem
from emphatic.study.protocol import ProblemLike, Split

DEVELOPMENT = (
    *("autos", "balance_scale", "breast_cancer_ljubljana", "diabetes", "glass", "heart_statlog", "image", "ionosphere"),
    *("labor", "mfeat", "ripley", "splice", "thyroid", "vote", "zoo"),
)
"""The half of the bundled problems on which choices may be made."""

REPORTING = (
    *("abalone", "breast", "car", "crabs", "credit", "german", "heart_cleveland", "hepatitis", "kr_vs_kp", "lymph"),
    *("sonar", "soybean", "tic_tac_toe", "vehicle", "vowel"),
)
"""The half on which no choice may be made."""

HALVES = {"all": (*DEVELOPMENT, *REPORTING), "development": DEVELOPMENT, "reporting": REPORTING}
TEST_SHARE = 0.4


@cache
def problem(name: str) -> OwnProblem:
    """All rows, without a predefined split; abalone with the two classes of paper 000, as 28 ages are a regression."""
    given = load(name, paper="000") if name == "abalone" else load(name)
    return OwnProblem(name, given.X, given.y)


@dataclass(frozen=True)
class StratifiedPartition:
    """Random partition number `number` into 60% for training, of which `max_train` rows are kept, and 40% for testing.

    Both parts, and what is kept, have the classes in the shares of the whole table as nearly as whole rows allow.
    """

    number: int
    max_train: int

    @property
    def id(self) -> str:
        return f"partition-{self.number}-of-{self.max_train}"

    def splits(self, problem: ProblemLike) -> Iterator[Split]:
        y, seed = np.asarray(problem.y), derive_seed(problem.name, "peers", self.number)
        train, test = train_test_split(np.arange(len(y)), test_size=TEST_SHARE, stratify=y, random_state=seed)
        if len(train) > self.max_train:
            train, _ = train_test_split(train, train_size=self.max_train, stratify=y[train], random_state=seed)
        yield Split(self.id, 0, train, test)
