"""A problem of your own, for a study."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedShuffleSplit

from emphatic import check


@dataclass(frozen=True, eq=False)
class OwnProblem:
    """A table and its labels, with a fixed test set or with random partitions.

    `train` and `test` are row numbers, or both None: then a protocol that needs two parts draws stratified partitions,
    with `test_share` of the rows for testing. `groups` says for each row which others it belongs to (see `GroupFolds`),
    `order` its place in time (see `TimeFolds`).

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
    groups: Any = None
    order: Any = None

    def __post_init__(self) -> None:
        if len(self.X) != len(self.y):
            raise ValueError(f"{self.name}: X has {len(self.X)} rows and y has {len(self.y)}: they must agree")
        for name, values in (("groups", self.groups), ("order", self.order)):
            if values is not None and len(values) != len(self.y):
                raise ValueError(f"{self.name}: {name} has {len(values)} rows and y has {len(self.y)}: they must agree")
        if len(np.unique(np.asarray(self.y))) < 2:
            raise ValueError(f"{self.name}: y holds only one class; at least two are needed")
        if (self.train is None) != (self.test is None):
            raise ValueError(f"{self.name}: give both train and test, or neither")
        if not 0 < check.real("test_share", self.test_share) < 1:
            raise ValueError(f"test_share={self.test_share!r} is not allowed: it must lie between 0 and 1.")

    def partition(self, random_state: Any) -> tuple[np.ndarray, np.ndarray]:
        """Rows for training and for testing."""
        splitter = StratifiedShuffleSplit(1, test_size=self.test_share, random_state=random_state)
        return next(splitter.split(np.zeros(len(self.y)), np.asarray(self.y)))
