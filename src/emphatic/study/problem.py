"""A problem of one's own, for a study."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedShuffleSplit

from emphatic import check


@dataclass(frozen=True, eq=False)
class OwnProblem:
    """A table and its labels, with rows that are set aside for testing, or with random partitions.

    `train` and `test` are row numbers, or None. Then a protocol that needs two parts draws them, each class in
    proportion, `test_share` of the rows for testing.

    >>> from sklearn.datasets import load_iris
    >>> iris = OwnProblem("iris", *load_iris(return_X_y=True))
    >>> [len(rows) for rows in iris.partition(random_state=0)]
    [100, 50]
    """

    name: str
    X: Any
    y: Any
    train: Any = None
    test: Any = None
    test_share: float = 1 / 3

    def __post_init__(self) -> None:
        if len(self.X) != len(self.y):
            raise ValueError(
                f"{self.name}: X has {len(self.X)} rows and y {len(self.y)}: there must be as many of each"
            )
        if len(np.unique(np.asarray(self.y))) < 2:
            raise ValueError(f"{self.name}: y holds one class only; there must be two at least")
        if (self.train is None) != (self.test is None):
            raise ValueError(f"{self.name}: give both train and test, or neither")
        if not 0 < check.real("test_share", self.test_share) < 1:
            raise ValueError(f"test_share={self.test_share!r} is not allowed: it must lie between 0 and 1.")

    def partition(self, random_state: Any) -> tuple[np.ndarray, np.ndarray]:
        """Rows for training and for testing."""
        drawn = StratifiedShuffleSplit(1, test_size=self.test_share, random_state=random_state)
        return next(drawn.split(np.zeros(len(self.y)), np.asarray(self.y)))
